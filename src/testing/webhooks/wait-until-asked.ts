import { randomBytes } from 'node:crypto';
import { Lease } from '../../sdk/k8s/generated/coordination/v1.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../sdk/k8s/generated/admissionregistration/v1.ts';
import { ApiError, type KubeClient } from '../../sdk/kube/index.ts';
import { poll } from '../../sdk/net/index.ts';
import { urlOf, type WebhookServer } from './with-webhook-urls.ts';

interface WaitUntilAskedOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit in milliseconds until the configurations are in effect; a healthy API server needs well under one second. Default: 10,000.
   */
  readonly timeout?: number;
}

/**
 * Waits until the stored webhook configurations of a kind are in effect. The API server learns about configurations from a watch, in the
 * order in which they were written, and does not call their webhooks earlier. This function therefore writes one more configuration, the
 * probe. Its webhook matches only a probe object and never answers. When a dry run of creating the probe object fails, the earlier
 * configurations are in effect, too. The probe configuration is then deleted. With several API servers, the result is valid only for the
 * one that answered.
 * @param server must not answer the path of the probe
 * @returns false if the state is unknown because the time limit passed or the probe object is forbidden
 * @throws ApiError if the probe configuration may not be written
 */
export async function waitUntilAsked(
  client: KubeClient,
  kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration',
  server: WebhookServer,
  { signal, timeout = 10_000 }: WaitUntilAskedOptions = {},
): Promise<boolean> {
  const id = randomBytes(5).toString('hex');
  // Webhook configurations are called in the order of their names, so a name that begins with 0 puts the probe first.
  const name = `0-op-sdk-probe-${id}`;
  const webhook = `${id}.probe.op-sdk.dev`;
  const labels = { 'op-sdk.dev/probe': id };
  // The type of MutatingWebhookConfiguration is used for both kinds, because the fields that are set below are the same in both.
  const resource =
    kind === 'MutatingWebhookConfiguration'
      ? MutatingWebhookConfiguration
      : (ValidatingWebhookConfiguration as unknown as typeof MutatingWebhookConfiguration);
  await client.create(
    resource,
    {
      metadata: { name, labels },
      webhooks: [
        {
          name: webhook,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Fail',
          timeoutSeconds: 1,
          objectSelector: { matchLabels: labels },
          rules: [
            {
              apiGroups: ['coordination.k8s.io'],
              apiVersions: ['v1'],
              resources: ['leases'],
              operations: ['CREATE'],
            },
          ],
          clientConfig: {
            url: urlOf(server, `/op-sdk-probe-${id}`),
            caBundle: Buffer.from(server.caCertificate, 'utf8').toString('base64'),
          },
        },
      ],
    },
    { signal },
  );
  try {
    const asked = await poll(
      async () => {
        try {
          const metadata = { name: `op-sdk-probe-${id}`, namespace: 'default', labels };
          await client.create(Lease, { metadata, spec: {} }, { dryRun: true, signal });
          return undefined;
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          if (error.serverMessage.includes(webhook)) return true;
          return error.status === 403 ? false : undefined;
        }
      },
      { timeout, interval: 20, signal },
    );
    return asked ?? false;
  } finally {
    await client.delete(resource, { name }).catch(() => undefined);
  }
}
