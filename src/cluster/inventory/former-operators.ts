import type { Finding } from '../../base/errors/index.ts';
import { Deployment } from '../../sdk/k8s/generated/apps/v1.ts';
import { isForbidden, isNotFound, isTypeNotServed, type KubeClient } from '../../sdk/kube/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { partOfLabel } from './apply-set.ts';
import type { OthersMembers } from './members.ts';

/** A Deployment in another ApplySet, from which this deploy takes over objects. */
export type FormerOperator = Deployment;

/**
 * Finds the Deployments that still run in other ApplySets from which this deploy takes over objects. They are a problem, because two
 * operators would then work on the same objects. Deployments are left out if the manifests contain them, if they are scaled to zero, if
 * they are being deleted, or if the user may not list them.
 *
 * @throws ApiError, TransportError
 */
export async function runningFormerOperators(
  client: KubeClient,
  others: readonly OthersMembers[],
  {
    objects,
    signal,
  }: { readonly objects: readonly ClusterObject[]; readonly signal?: AbortSignal | undefined },
): Promise<readonly FormerOperator[]> {
  const isNamed = ({ metadata: { name, namespace } }: Deployment): boolean =>
    objects.some(
      ({ resource, key }) =>
        resource.kind === Deployment.kind && key.name === name && key.namespace === namespace,
    );
  const found = await Promise.all(
    others.map(async ({ id }) => {
      try {
        const labelSelector = `${partOfLabel}=${id}`;
        return (await client.list(Deployment, { labelSelector, signal })).items;
      } catch (error) {
        if (isForbidden(error) || isNotFound(error) || isTypeNotServed(error)) return [];
        throw error;
      }
    }),
  );
  return found
    .flat()
    .filter(({ spec, metadata }) => spec?.replicas !== 0 && metadata.deletionTimestamp === undefined)
    .filter((each) => !isNamed(each));
}

/** Returns the warning that an operator from which objects are taken over is still running. */
export function formerOperatorFinding({ metadata: { name, namespace = '' } }: FormerOperator): Finding {
  return {
    code: 'cluster/former-operator',
    message: `Deployment ${name} (namespace ${namespace}) still runs, and the manifests take over its objects: two operators would manage them`,
    fix: [
      `stop it: kubectl scale deployment ${name} --namespace ${namespace} --replicas=0`,
      'then remove its remaining objects: op-sdk undeploy -f FILE, with its manifests',
    ],
  };
}
