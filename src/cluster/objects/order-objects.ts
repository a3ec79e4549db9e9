import type { ClusterObject } from './cluster-object.ts';
import { isCrd } from './crd-types.ts';

/**
 * The order in which kinds are written: what others need comes first. Kinds that are not listed, custom ones, come before
 * the admission webhooks at the end, which would be called before their operator runs.
 */
const kindOrder = [
  'Namespace',
  'CustomResourceDefinition',
  'ResourceQuota',
  'LimitRange',
  'PriorityClass',
  'StorageClass',
  'ServiceAccount',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'NetworkPolicy',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'StatefulSet',
  'Job',
  'CronJob',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'Ingress',
  'APIService',
] as const;

const lastKinds = [
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
] as const;

const ranks = new Map<string, number>([
  ...kindOrder.map((kind, index) => [kind, index] as const),
  ...lastKinds.map((kind, index) => [kind, kindOrder.length + 1 + index] as const),
]);

function rankOf({ resource }: ClusterObject): number {
  const { group, kind } = resource;
  // A custom kind may be called Service too.
  const isBuiltIn = group === '' || !group.includes('.') || group.endsWith('.k8s.io');
  return (isBuiltIn ? ranks.get(kind) : undefined) ?? kindOrder.length;
}

/** The order in which objects are written; that of the manifest within a kind. */
export function applyOrder(objects: readonly ClusterObject[]): readonly ClusterObject[] {
  // Array.prototype.sort is stable.
  return [...objects].sort((a, b) => rankOf(a) - rankOf(b));
}

/** True for objects that must be there before anything else is written: namespaces and the definitions of kinds. */
export function isFoundation({ resource, object }: ClusterObject): boolean {
  return isCrd(object) || (resource.group === '' && resource.kind === 'Namespace');
}

/**
 * The order in which objects are deleted: custom objects and the definitions of kinds first, while the operator still runs
 * to finish and convert its objects; then the reverse of {@link applyOrder}.
 */
export function deleteOrder(objects: readonly ClusterObject[]): readonly ClusterObject[] {
  const reversed = [...applyOrder(objects)].reverse();
  const early = (object: ClusterObject): number =>
    isCrd(object.object) ? 1 : rankOf(object) === kindOrder.length ? 0 : 2;
  return reversed.sort((a, b) => early(a) - early(b));
}
