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
  /** Milliseconds; a healthy API server needs well under one second. Default: 10,000. */
  readonly timeout?: number;
}

/**
 * Waits until the API server goes by the configurations of a kind that are stored now. It follows them by a watch, in the order in which they were
 * written, and until then lets requests through unasked. So one more is written, whose webhook never answers, for nothing but one object of ours: once
 * a dry run of that object fails, those before are in force too. What was written for it is deleted again.
 *
 * With several API servers it holds for the one that answered.
 *
 * @param server nothing there answers the path of the probe
 * @returns false if it is not known: it took too long, or nobody may ask
 * @throws ApiError if the probe may not be written
 */
export async function waitUntilAsked(
  client: KubeClient,
  kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration',
  server: WebhookServer,
  { signal, timeout = 10_000 }: WaitUntilAskedOptions = {},
): Promise<boolean> {
  const id = randomBytes(5).toString('hex');
  // The first by name is the first that is asked.
  const name = `0-op-sdk-probe-${id}`;
  const webhook = `${id}.probe.op-sdk.dev`;
  const labels = { 'op-sdk.dev/probe': id };
  // What is written is the same for both.
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
