import type { KubeObject } from '../../sdk/api/index.ts';
import { keyText } from '../../sdk/kube/index.ts';
import { type ClusterObject, shownNames, someNames } from '../objects/cluster-object.ts';
import type { Finding } from '../../base/errors/index.ts';
import { type ApplySetParent, partOfLabel } from './apply-set.ts';
import { groupKindText } from './contents.ts';
import type { Member } from './members.ts';

/** Members that are still on the cluster although the manifests no longer contain them. */
export interface Leftovers {
  readonly prunable: readonly Member[];
  /** Members of kinds that are never pruned, so they are kept. */
  readonly kept: readonly Member[];
}

/**
 * Kinds that are never pruned. Deleting their objects would destroy other things that cannot be restored: everything in a namespace, all
 * custom resources, data.
 */
const neverPruned: ReadonlySet<string> = new Set([
  'Namespace',
  'CustomResourceDefinition.apiextensions.k8s.io',
  'PersistentVolumeClaim',
]);

/**
 * Returns the members that the manifests no longer contain.
 *
 * @param applied the applied objects with their live objects, if known. The uids of the live objects are compared too, because a kind may
 * be served by two groups
 */
export function leftoversOf(
  members: readonly Member[],
  parent: ApplySetParent,
  applied: readonly { readonly object: ClusterObject; readonly live: KubeObject | undefined }[],
): Leftovers {
  const named = new Set(applied.map(({ object }) => identityOf(object)));
  const uids = new Set(applied.map(({ live }) => live?.metadata.uid));
  const left = members.filter(
    (each) =>
      !named.has(identityOf(each)) &&
      !uids.has(each.live.metadata.uid) &&
      each.live.metadata.deletionTimestamp === undefined &&
      !isParent(each, parent) &&
      !isMadeByOthers(each, each.live),
  );
  const isKept = ({ resource }: Member): boolean => neverPruned.has(groupKindText(resource));
  return { prunable: left.filter((each) => !isKept(each)), kept: left.filter(isKept) };
}

/**
 * Returns true if a controller manages the object. Such an object may have the labels of its owner without being a member. For example,
 * EndpointSlices have copies of the labels of their Service.
 */
export function isMadeByOthers({ resource }: Pick<Member, 'resource'>, { metadata }: KubeObject): boolean {
  if (metadata.ownerReferences?.some(({ controller }) => controller === true) === true) return true;
  const isEndpoints = groupKindText(resource) === 'Endpoints';
  return isEndpoints && metadata.labels?.['endpoints.kubernetes.io/managed-by'] !== undefined;
}

function isParent({ resource, key }: Member, parent: ApplySetParent): boolean {
  return (
    groupKindText(resource) === 'Secret' && key.name === parent.name && key.namespace === parent.namespace
  );
}

function identityOf({ resource, key }: Pick<ClusterObject, 'resource' | 'key'>): string {
  return `${groupKindText(resource)} ${keyText(key)}`;
}

/** Returns the warning about members that the manifests no longer contain. @param fix commands that delete the members */
export function leftOverFinding(members: readonly Member[], fix: readonly string[]): Finding {
  return {
    code: 'cluster/left-over',
    message: `these objects are on the cluster, but no longer in the manifests: ${namesOf(members)}`,
    fix,
  };
}

/** Returns the finding about members that are kept, because they cannot be restored after a deletion. */
export function keptFinding(members: readonly Member[]): Finding {
  return {
    code: 'cluster/not-pruned',
    message: `these objects are no longer in the manifests, but op-sdk never deletes objects of these kinds: ${namesOf(members)}`,
    fix: members.slice(0, shownNames).flatMap(({ resource, key }, index) => {
      const type = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
      const place = key.namespace === undefined ? '' : ` --namespace ${key.namespace}`;
      return [
        `${index === 0 ? 'delete it by hand: ' : ''}kubectl delete ${type} ${key.name}${place}`,
        `or keep it: kubectl label ${type} ${key.name}${place} ${partOfLabel}-`,
      ];
    }),
  };
}

/** Returns the finding that the ApplySet may have more members than are known, because some kinds could not be listed. */
export function unreadFinding(unread: ReadonlyMap<string, string>): Finding {
  return {
    code: 'cluster/members-not-listed',
    message: `op-sdk possibly does not know all objects that are no longer in the manifests, as some kinds cannot be listed: ${[...unread].map(([kind, reason]) => `${kind}: ${reason}`).join('; ')}`,
    fix: ['use a kubeconfig context whose user may list these kinds'],
  };
}

function namesOf(members: readonly Member[]): string {
  return someNames(
    members.map(({ title, key }) =>
      key.namespace === undefined ? title : `${title} (namespace ${key.namespace})`,
    ),
  );
}
