// Unit tests: the functions are called directly, without a server.
import type { AdmissionContext } from 'opsdk';
import { expect, it } from 'vitest';
import type { Pod } from 'opsdk/k8s/core/v1';
import { podWebhook } from '../../../../src/webhooks/core/v1/pod.ts';

const { options } = podWebhook;

// What the functions use of the request, such as `{ request: { dryRun: true } }`.
const context = {} as AdmissionContext;

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'pod-sample' },
} as Pod;

it('keeps what the user wrote', async () => {
  const defaulted = structuredClone(pod);
  await options.default?.(defaulted, context);
  expect(defaulted).toMatchObject(pod);
});
