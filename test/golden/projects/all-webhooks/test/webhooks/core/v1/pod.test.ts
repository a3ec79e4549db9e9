// Unit tests: the functions are called directly, without a server.
import type { AdmissionContext, Stored } from 'opsdk';
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

it('allows a new object', async () => {
  expect(await options.validate?.create?.(pod, context)).toEqual([]);
});

it('allows an update that changes nothing', async () => {
  const old = pod as Stored<Pod>;
  expect(await options.validate?.update?.(pod, old, context)).toEqual([]);
});
