import { compareBytes } from '../../base/util/bytes.ts';
import type { SortOrder } from './entries.ts';
import { idOf, type Resource, type ResourceId } from './resource.ts';

/**
 * Order of kinds in which kustomize sorts resources: the first and the last kinds. Source: `api/internal/builtins/SortOrderTransformer.go`.
 */
export const legacyOrder = {
  first: [
    'Namespace',
    'ResourceQuota',
    'StorageClass',
    'CustomResourceDefinition',
    'ServiceAccount',
    'PodSecurityPolicy',
    'Role',
    'ClusterRole',
    'RoleBinding',
    'ClusterRoleBinding',
    'ConfigMap',
    'Secret',
    'Endpoints',
    'Service',
    'LimitRange',
    'PriorityClass',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Deployment',
    'StatefulSet',
    'CronJob',
    'PodDisruptionBudget',
  ],
  last: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
} as const;

/**
 * Sorts resources in kustomize's order: by kind, then by group, version, kind, namespace and name. Kinds that the order does not list come
 * between the first and the last kinds. For `fifo`, resources stay in the order in which they were loaded.
 */
export function sortResources(resources: readonly Resource[], order: SortOrder): readonly Resource[] {
  if (order.order === 'fifo') return resources;
  const { first, last } = order;
  const rank = ({ kind }: ResourceId): number => {
    // As in kustomize, a kind in both lists gets its rank from the list of last kinds.
    const behind = last.lastIndexOf(kind);
    if (behind >= 0) return behind + 1;
    const front = first.lastIndexOf(kind);
    return front < 0 ? 0 : front - first.length;
  };
  return resources
    .map((resource) => ({ resource, id: idOf(resource) }))
    .sort(({ id: a }, { id: b }) => rank(a) - rank(b) || byKind(a, b) || compareBytes(within(a), within(b)))
    .map(({ resource }) => resource);
}

function byKind(a: ResourceId, b: ResourceId): number {
  const order = compareBytes(kindText(a), kindText(b));
  // A Namespace of the core group comes before an object of kind Namespace in another group.
  return a.kind === 'Namespace' && b.kind === 'Namespace' && (a.group === '' || b.group === '')
    ? -order
    : order;
}

const kindText = ({ group, version, kind }: ResourceId): string =>
  [orElse(group, '~G'), orElse(version, '~V'), orElse(kind, '~K')].join('_');

const within = ({ namespace, name }: ResourceId): string =>
  `${orElse(namespace, '~X')}|${orElse(name, '~N')}`;

const orElse = (text: string, other: string): string => (text === '' ? other : text);
