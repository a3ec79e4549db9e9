import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../sdk/k8s/generated/admissionregistration/v1.ts';
import { isConflict, isNotFound, type KubeClient } from '../../sdk/kube/index.ts';
import { localOwner } from '../../testing/webhooks/local-marks.ts';
import { asSeen, isLocal } from './other-configurations.ts';

/** Names an object that makes the API server call this machine. */
export interface CallerName {
  readonly kind: string;
  readonly name: string;
}

/** Tells if a configuration is as its owner has written it: a deployment gives its own the same name. */
export function isOwnedBy(live: MutatingWebhookConfiguration, owner: string | undefined): boolean {
  return isLocal(live) && live.metadata.annotations?.[localOwner] === owner;
}

/**
 * Deletes a configuration of webhooks, unless somebody else has written it since.
 *
 * @param isOurs judges the configuration as it is on the cluster
 * @returns whether it was there to be deleted
 * @throws ApiError
 */
export async function deleteConfiguration(
  client: KubeClient,
  { kind, name }: CallerName,
  isOurs: (live: MutatingWebhookConfiguration) => boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const resource = (
    kind === 'MutatingWebhookConfiguration' ? MutatingWebhookConfiguration : ValidatingWebhookConfiguration
  ) as typeof MutatingWebhookConfiguration;
  for (;;) {
    const live = await client.find(resource, { name }, { signal });
    if (live === undefined || !isOurs(live)) return false;
    try {
      await client.delete(resource, { name }, { preconditions: asSeen(live), signal });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      // It was written meanwhile: by whom is to be seen first.
      if (!isConflict(error)) throw error;
    }
  }
}
