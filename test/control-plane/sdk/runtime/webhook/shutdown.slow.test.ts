// The end of an operator that serves webhooks, and its readiness: the API server asks it until its Service has forgotten it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  defineController,
  defineConversion,
  defineResource,
  defineWebhook,
  externalResource,
  type CustomResource,
} from '../../../../../src/index.ts';
import { eventually } from '../../../../../src/testing/index.ts';
import { sharedControlPlane, type SharedControlPlane } from '../../../../helpers/control-plane.ts';
import { Memcached, reviewOf } from '../../../../unit/sdk/runtime/webhook/kinds.ts';
import { CertificateFolder, post } from '../../../../unit/sdk/runtime/webhook/serving.ts';
import { get, runManager } from '../running-manager.ts';

let plane: SharedControlPlane;
let files: CertificateFolder;
beforeAll(async () => {
  plane = await sharedControlPlane();
  files = new CertificateFolder();
}, 120_000);
afterAll(() => files[Symbol.dispose]());

const path = '/validate-cache-example-com-v1alpha1-memcached';
const webhooks = () => ({ port: 0, host: '127.0.0.1', certificate: { folder: files.folder } });

test('webhooks are answered for a while after the stop was asked for, while the Pod is no longer ready', async () => {
  const running = await runManager(
    { kubeconfig: plane.kubeconfig, webhooks: { ...webhooks(), shutdownDelay: '3s' } },
    defineWebhook(Memcached, { validate: { create: () => undefined } }),
  );
  await eventually(async () => expect((await get(running.ports.health, '/readyz')).status).toBe(200), {
    timeout: 60_000,
  });
  const port = running.ports.webhooks;
  const ended = running.stop();
  expect((await get(running.ports.health, '/readyz')).status).not.toBe(200);
  const { status, headers } = await post(port, path, reviewOf());
  expect([status, headers['connection']]).toEqual([200, 'close']);
  await ended;
  await expect(post(port, path, reviewOf())).rejects.toThrow('ECONNREFUSED');
});

interface Cup extends CustomResource {
  spec: object;
}
const group = 'not-installed.example.com';
const Missing = externalResource<Cup>({
  group,
  version: 'v1',
  kind: 'Ghost',
  plural: 'ghosts',
  scope: 'Namespaced',
});

test('an operator with a conversion is not ready, says so and ends, if a kind that it does not convert is not served', async () => {
  const cup = { group, kind: 'Cup' };
  const conversion = defineConversion(defineResource<Cup>({ ...cup, version: 'v1', storage: true })).spoke(
    defineResource<Cup>({ ...cup, version: 'v1alpha1' }),
    { to: ({ spec }: Cup) => ({ spec }), from: ({ spec }: Cup) => ({ spec }) },
  );
  const running = await runManager(
    { kubeconfig: plane.kubeconfig, webhooks: { ...webhooks(), shutdownDelay: 0 }, cacheSyncTimeout: '20s' },
    conversion,
    defineController({ name: 'ghosts', for: Missing, reconcile: () => undefined }),
  );
  await eventually(
    () =>
      expect(running.lines).toContainEqual(
        expect.objectContaining({ level: 'error', msg: 'Failed to list and watch' }),
      ),
    { timeout: 60_000 },
  );
  const { status, text } = await get(running.ports.health, '/readyz');
  expect([status, text]).toEqual([500, expect.stringContaining('caches')]);
  await expect(running.ended).rejects.toMatchObject({ code: 'runtime/cache-not-synced' });
});
