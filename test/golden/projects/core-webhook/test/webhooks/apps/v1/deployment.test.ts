// Unit tests: the functions are called directly, without a server.
import type { AdmissionContext, Stored } from 'opsdk';
import { expect, it } from 'vitest';
import type { Deployment } from 'opsdk/k8s/apps/v1';
import { deploymentWebhook } from '../../../../src/webhooks/apps/v1/deployment.ts';

const { options } = deploymentWebhook;

// What the functions use of the request, such as `{ request: { dryRun: true } }`.
const context = {} as AdmissionContext;

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'deployment-sample' },
} as Deployment;

it('allows a new object', async () => {
  expect(await options.validate?.create?.(deployment, context)).toEqual([]);
});

it('allows an update that changes nothing', async () => {
  const old = deployment as Stored<Deployment>;
  expect(await options.validate?.update?.(deployment, old, context)).toEqual([]);
});
