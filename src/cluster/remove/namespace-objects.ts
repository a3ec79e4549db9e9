import { resourceToken, type KubeObject } from '../../api/index.ts';
import { ApiError, type KubeClient } from '../../kube/index.ts';
import { inParallel } from '../in-parallel.ts';
import { titleOf, type ClusterObject } from '../objects/cluster-object.ts';
import type { Loss } from './loss.ts';

/** What people put into a namespace and would miss. Volumes go with their claims. */
const types = [
  resourceToken('', 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', true),
  resourceToken('apps', 'v1', 'Deployment', 'deployments', true),
  resourceToken('apps', 'v1', 'StatefulSet', 'statefulsets', true),
  resourceToken('apps', 'v1', 'DaemonSet', 'daemonsets', true),
  resourceToken('batch', 'v1', 'CronJob', 'cronjobs', true),
  resourceToken('batch', 'v1', 'Job', 'jobs', true),
  resourceToken('', 'v1', 'Pod', 'pods', true),
  resourceToken('', 'v1', 'Secret', 'secrets', true),
  resourceToken('', 'v1', 'ConfigMap', 'configmaps', true),
];

/** What clusters themselves put into each namespace. */
const ofTheCluster = new Set(['kube-root-ca.crt', 'openshift-service-ca.crt', 'istio-ca-root-cert']);

/**
 * The objects that would be deleted with a Namespace although they are not of the manifest: workloads, claims, Secrets and
 * ConfigMaps that no other object owns. A namespace may have been there before the operator.
 *
 * @param named the objects of the manifest
 * @throws TransportError
 */
export async function namespaceObjects(
  client: KubeClient,
  space: ClusterObject,
  { named, signal }: { readonly named: readonly ClusterObject[]; readonly signal?: AbortSignal | undefined },
): Promise<Loss> {
  const namespace = space.key.name;
  const ours = new Set(
    named
      .filter(({ key }) => key.namespace === namespace)
      .map(({ resource, key }) => titleOf(resource, key.name)),
  );
  const found = await inParallel(types, async (type) => {
    try {
      const { items } = await client.list(type, { namespace, signal });
      return items.filter(isOfSomebody).map(({ metadata }) => titleOf(type, metadata.name));
    } catch (error) {
      // Whoever may delete a namespace need not be allowed to read what is in it: then there is less to say.
      if (error instanceof ApiError) return [];
      throw error;
    }
  });
  const objects = found.flat().filter((title) => !ours.has(title));
  return { cause: space, what: 'other object', objects };
}

function isOfSomebody({ metadata, ...object }: KubeObject): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  if ((metadata.ownerReferences ?? []).length > 0 || ofTheCluster.has(metadata.name)) return false;
  // Controllers make these Secrets of something else, and make them again.
  const { type } = object as { readonly type?: unknown };
  const isIssued = Object.keys(metadata.annotations ?? {}).some((key) => key.startsWith('cert-manager.io/'));
  return type !== 'kubernetes.io/service-account-token' && !isIssued;
}
