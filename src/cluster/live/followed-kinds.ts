import { externalResource, type KubeObject, type Resource } from '../../sdk/api/index.ts';
import type { FeedController, FeedKind } from './feed/messages.ts';
import type { FollowedKind } from './objects/live-objects.ts';

interface FollowedKinds {
  readonly kinds: readonly FollowedKind[];
  /** Names of the kinds of the project and of those that its controllers reconcile and own. */
  readonly names: ReadonlySet<string>;
}

/**
 * Returns the kinds to follow: the project's own kinds, the kinds that its controllers reconcile, the kinds that these controllers own, and
 * the kinds that lead from there to Pods. For an owned kind, only objects whose owner is of a reconciled kind are followed.
 * @param others further kinds that own Pods
 */
export function followedKinds(
  custom: readonly Resource<KubeObject>[],
  controllers: readonly FeedController[],
  others: Iterable<Resource<KubeObject>>,
): FollowedKinds {
  const known = new Map<string, FollowedKind>();
  const add = (kind: FollowedKind): void => {
    const { apiVersion, kind: name } = kind.resource;
    if (!known.has(`${apiVersion} ${name}`)) known.set(`${apiVersion} ${name}`, kind);
  };
  for (const resource of custom) add({ resource });
  const reconciled = controllers.map((controller) => controller.for);
  for (const kind of reconciled) add({ resource: resourceOf(kind) });
  for (const { owns } of controllers)
    for (const kind of owns) add({ resource: resourceOf(kind), concerns: ownedBySome(reconciled) });
  const names = new Set([...known.values()].map(({ resource }) => resource.kind));
  for (const kind of workloadKinds) add(kind);
  for (const resource of others) add({ resource, role: 'owned', isOptional: true });
  return { kinds: [...known.values()], names };
}

function resourceOf({ namespaced, ...kind }: FeedKind): Resource<KubeObject> {
  return externalResource({ ...kind, scope: namespaced ? 'Namespaced' : 'Cluster' });
}

/**
 * Returns a predicate that is true for objects that are owned by an object of one of the given kinds, in any version. This excludes, for
 * example, Deployments of other operators or users.
 */
function ownedBySome(kinds: readonly FeedKind[]): (object: KubeObject) => boolean {
  const owners = new Set(kinds.map(({ group, kind }) => `${group} ${kind}`));
  return ({ metadata }) =>
    (metadata.ownerReferences ?? []).some(({ apiVersion, kind }) => {
      const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
      return owners.has(`${group} ${kind}`);
    });
}

function builtIn(group: string, kind: string, plural: string): Resource<KubeObject> {
  return externalResource({ group, version: 'v1', kind, plural, scope: 'Namespaced' });
}

/** Pods, Kubernetes' own kinds that own them, and the nodes on which they run. Other owners are found in discovery. */
const workloadKinds: readonly FollowedKind[] = [
  { resource: builtIn('apps', 'Deployment', 'deployments'), role: 'owned' },
  { resource: builtIn('apps', 'ReplicaSet', 'replicasets'), role: 'owned', concerns: hasPods },
  { resource: builtIn('apps', 'StatefulSet', 'statefulsets'), role: 'owned' },
  { resource: builtIn('apps', 'DaemonSet', 'daemonsets'), role: 'owned' },
  { resource: builtIn('batch', 'CronJob', 'cronjobs'), role: 'owned' },
  { resource: builtIn('batch', 'Job', 'jobs'), role: 'owned' },
  { resource: builtIn('', 'Pod', 'pods'), role: 'owned' },
  {
    resource: externalResource({
      ...{ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' },
    }),
    role: 'apart',
  },
];

/** Names of the kinds that lead to Pods, and of nodes. */
export const workloadNames: readonly string[] = workloadKinds.map(({ resource }) => resource.kind);

/** Returns false for the old ReplicaSets that a Deployment keeps for a rollback. */
function hasPods(object: KubeObject): boolean {
  const { spec, status } = object as ReplicaSetLike;
  return spec?.replicas !== 0 || (status?.replicas ?? 0) > 0;
}

interface ReplicaSetLike extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}
