import type { KubeObject } from '../../../sdk/api/index.ts';
import { failedBy, type Judgement } from '../judgement.ts';
import type { Observed } from '../observed.ts';

/** A namespace needs one OperatorGroup. Nothing else says so: OLM v0 stays silent. Undefined if it has one. */
export function judgeGroups(observed: Observed, subscription: KubeObject): Judgement | undefined {
  const namespace = subscription.metadata.namespace ?? '';
  const groups = observed.list('OperatorGroup', namespace);
  return groups.length === 0 ? noGroup(subscription) : groups.length > 1 ? severalGroups(groups) : undefined;
}

/** OLM installs nothing: the namespace of the object has no OperatorGroup. */
export function noGroup(object: KubeObject): Judgement {
  const namespace = object.metadata.namespace ?? '';
  return failedBy({
    code: 'olm/no-operator-group',
    message: `namespace ${namespace} has no OperatorGroup, so OLM installs nothing in it`,
    object,
    fix: ['create an OperatorGroup in the namespace, or run the bundle in a namespace that has one'],
  });
}

/** OLM installs nothing: a namespace has all these OperatorGroups. */
export function severalGroups(groups: readonly KubeObject[]): Judgement | undefined {
  const [first, ...others] = groups;
  if (first === undefined) return undefined;
  const names = groups.map(({ metadata }) => metadata.name);
  const { namespace = '' } = first.metadata;
  return failedBy({
    code: 'olm/two-operator-groups',
    message: `namespace ${namespace} has ${names.length} OperatorGroups, and OLM installs only with one: ${names.join(', ')}`,
    object: first,
    fix: [
      `delete all but one: kubectl delete operatorgroup ${others.map(({ metadata }) => metadata.name).join(' ')} -n ${namespace}`,
    ],
  });
}
