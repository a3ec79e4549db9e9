import type { KubeObject } from '../../sdk/api/index.ts';
import { keyText } from '../../sdk/kube/index.ts';
import { type ClusterObject, shownNames, someNames } from '../objects/cluster-object.ts';
import type { Finding } from '../../base/errors/index.ts';
import { type ApplySetParent, partOfLabel } from './apply-set.ts';
import { groupKindText } from './contents.ts';
import type { Member } from './members.ts';

/** Members that have left the manifests and are still on the cluster. */
export interface Leftovers {
  readonly prunable: readonly Member[];
  /** Members of kinds that are never pruned. */
  readonly kept: readonly Member[];
}

/** Kinds whose deletion loses what cannot be restored: everything in a namespace, all custom resources, data. */
const neverPruned: ReadonlySet<string> = new Set([
  'Namespace',
  'CustomResourceDefinition.apiextensions.k8s.io',
  'PersistentVolumeClaim',
]);

/**
 * Returns the members that the manifests no longer name.
 *
 * @param applied with the live objects, if known: their uids match objects of a kind that is served by two groups
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

/** Returns true if a controller creates the object. Its labels may be copies of its owner's: EndpointSlices have those of the Service. */
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

/** @param fix how to delete them */
export function leftOverFinding(members: readonly Member[], fix: readonly string[]): Finding {
  return {
    code: 'cluster/left-over',
    message: `no longer in the manifests, and still on the cluster: ${namesOf(members)}`,
    fix,
  };
}

/** Reports members that cannot be brought back, and are therefore kept. */
export function keptFinding(members: readonly Member[]): Finding {
  return {
    code: 'cluster/not-pruned',
    message: `no longer in the manifests, and never pruned: ${namesOf(members)}`,
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

/** Reports that there may be more members than are known. */
export function unreadFinding(unread: ReadonlyMap<string, string>): Finding {
  return {
    code: 'cluster/members-not-listed',
    message: `the list of objects that left the manifests may be incomplete: ${[...unread].map(([kind, reason]) => `${kind}: ${reason}`).join('; ')}`,
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
