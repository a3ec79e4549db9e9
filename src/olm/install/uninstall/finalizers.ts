import { removeObjects } from '../../../cluster/index.ts';
import { isFoundation } from '../../../cluster/objects/order-objects.ts';
import { resolveObjects } from '../../../cluster/objects/resolve-objects.ts';
import { rolloutStatus } from '../../../cluster/rollout/rollout-status.ts';
import { Deployment } from '../../../sdk/k8s/generated/apps/v1.ts';
import { createRestMapper, isNotFound, isTypeNotServed, type KubeClient } from '../../../sdk/kube/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { OlmRelease } from '../release/check-release.ts';
import { olmFacts } from '../release/olm-facts.ts';
import type { UninstallRequest } from './uninstall-request.ts';

/** Returns true if the operators of a release run, which remove the finalizers of their objects. */
export async function operatorsRun(
  client: KubeClient,
  { olm, namespace }: OlmRelease,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const name of olmFacts[olm].deployments) {
    const live = await client.find(Deployment, { name, namespace }, { signal });
    if (live === undefined || rolloutStatus({ ...live, kind: Deployment.kind }).state !== 'done')
      return false;
  }
  return true;
}

/**
 * Removes the finalizers of objects that are being deleted, in place of the operators that should. The webhooks of the release go
 * first: they would be asked about the change, and nobody would answer.
 *
 * @throws OpSdkError `cluster/forbidden`, …; ApiError
 */
export async function releaseFinalizers(
  { client, release, timeout, interval, signal, onOutcome }: UninstallRequest,
  objects: readonly PlacedObject[],
): Promise<void> {
  await removeObjects({
    client,
    objects: release.objects.filter(({ object }) => object.kind.endsWith('WebhookConfiguration')),
    force: true,
    timeout,
    interval,
    signal,
    onImpact: () => Promise.resolve(),
    onOutcome: (outcome, title) => {
      if (outcome.action === 'deleted') onOutcome?.(outcome, title);
    },
  });
  const mapper = createRestMapper(client.connection);
  const { namespace } = client.connection.cluster;
  const resolved = await resolveObjects(objects, { mapper, namespace, purpose: 'delete', signal });
  // Namespaces and CustomResourceDefinitions are finished by the API server itself.
  for (const { resource, key } of resolved.filter((each) => !isFoundation(each))) {
    try {
      const live = await client.find(resource, key, { signal });
      if (live?.metadata.deletionTimestamp === undefined) continue;
      const body = { metadata: { finalizers: null } };
      await client.patch(resource, key, { type: 'merge', body }, { signal });
    } catch (error) {
      if (!isNotFound(error) && !isTypeNotServed(error)) throw error;
    }
  }
}
