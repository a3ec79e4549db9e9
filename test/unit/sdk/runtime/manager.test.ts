import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createManager,
  defineController,
  defineWebhook,
  type ManagerOptions,
} from '../../../../src/index.ts';
import { noCredentials, type Cluster } from '../../../../src/sdk/kube/index.ts';
import { memoryLog } from './memory-log.ts';
import { ConfigMap, Site } from './kinds.ts';
import { Memcached, reviewOf } from './webhook/kinds.ts';
import { CertificateFolder, post } from './webhook/serving.ts';

/** Nobody listens there; what these tests do needs no request. */
const cluster: Cluster = {
  server: new URL('https://127.0.0.1:1'),
  namespace: 'default',
  credentials: noCredentials,
  tls: async () => ({}),
  source: 'test',
};

async function setUp(options: Partial<ManagerOptions> = {}) {
  const { log, lines } = memoryLog();
  const manager = await createManager({ name: 'test', cluster, health: '127.0.0.1:0', log, ...options });
  return { manager, lines };
}

const noop = () => undefined;

describe('a manager', () => {
  it('without controllers serves probes and metrics until it is stopped', async () => {
    const { manager } = await setUp({ metrics: { address: '127.0.0.1:0', secure: false } });
    manager.addHealthzCheck('disk', noop);
    manager.addReadyzCheck('warm', () => {
      throw new Error('cold');
    });
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    await expect.poll(() => manager.ports.metrics).toBeGreaterThan(0);
    const text = async (port: number | undefined, path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(await text(manager.ports.health, '/healthz?verbose')).toBe(
      '[+]ping ok\n[+]disk ok\nhealthz check passed\n',
    );
    expect(await text(manager.ports.health, '/readyz')).toBe(
      '[+]caches ok\n[-]warm failed: cold\nreadyz check failed\n',
    );
    expect(await text(manager.ports.metrics, '/metrics')).toContain(
      '# TYPE controller_runtime_reconcile_total counter',
    );
    stop.abort();
    await ended;
  });

  it('takes the AbortError of a runnable that obeys its signal for what it is; other errors are logged', async () => {
    const { manager, lines } = await setUp({ health: '0' });
    manager.add({ name: 'obeys', run: async ({ signal }) => sleep(60_000, undefined, { signal }) });
    let start: () => void = noop;
    const started = new Promise<void>((resolve) => (start = resolve));
    manager.add({
      name: 'breaks',
      run: async ({ signal }) => {
        start();
        await sleep(60_000, undefined, { signal }).catch(() => undefined);
        throw new Error('broken');
      },
    });
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    await started;
    stop.abort(new Error('asked to stop'));
    await ended;
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { msg: 'Error while stopping', runnable: 'breaks', error: { message: 'broken' } },
    ]);
  });

  it('runs once, and takes nothing more once it runs', async () => {
    const { manager } = await setUp({ health: '0' });
    const stop = AbortSignal.abort();
    await manager.run({ signal: stop });
    await expect(manager.run({ signal: stop })).rejects.toThrow(/runtime\/manager-started/);
    expect(() => manager.addHealthzCheck('x', noop)).toThrow(/runtime\/manager-started/);
    expect(() => manager.add({ name: 'x', run: async () => undefined })).toThrow(/runtime\/manager-started/);
  });

  it('refuses two controllers of one name', async () => {
    await using manager = (await setUp()).manager;
    manager.add(defineController({ for: Site, reconcile: noop }));
    manager.add(defineController({ name: 'other', for: Site, reconcile: noop }));
    expect(() => manager.add(defineController({ name: 'other', for: ConfigMap, reconcile: noop }))).toThrow(
      /runtime\/duplicate-controller/,
    );
  });

  it('has a client that reads nothing that was not declared, and nothing before it runs', async () => {
    await using manager = (await setUp()).manager;
    await expect(manager.client.list(ConfigMap)).rejects.toThrow(/runtime\/undeclared-kind/);
    manager.add(defineController({ for: ConfigMap, reconcile: noop }));
    await expect(manager.client.list(ConfigMap)).rejects.toThrow(/runtime\/cache-not-started/);
  });

  it('serves webhooks before its caches are synced, is not ready until then, and stops them last', async () => {
    using files = new CertificateFolder();
    const seen: string[] = [];
    const { manager, lines } = await setUp({
      webhooks: { port: 0, host: '127.0.0.1', certificate: { folder: files.folder } },
    });
    manager.add(
      defineWebhook(Memcached, {
        validate: {
          create: ({ spec }, { client }) => {
            seen.push(`${spec.size} ${client.source}`);
          },
        },
      }),
    );
    // Its list never comes: nobody listens at the address of the cluster.
    manager.add(defineController({ for: ConfigMap, reconcile: noop }));
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    await expect.poll(() => manager.ports.webhooks).toBeGreaterThan(0);
    const path = '/validate-cache-example-com-v1alpha1-memcached';
    const { json } = await post(manager.ports.webhooks, path, reviewOf());
    expect(json.response).toMatchObject({ allowed: true });
    expect(seen).toEqual(['3 cache']);
    const readyz = await fetch(`http://127.0.0.1:${manager.ports.health}/readyz`);
    expect(await readyz.text()).toMatch(/\[-\]caches failed.*\n\[\+\]webhook ok/);
    stop.abort();
    await ended;
    const messages = lines.map(({ msg }) => msg);
    expect(messages.indexOf('Serving webhooks')).toBeLessThan(messages.indexOf('Starting caches'));
    await expect(post(manager.ports.webhooks, path, reviewOf())).rejects.toThrow('ECONNREFUSED');
  });

  it('is not ready while its webhooks are not served, and ends if they cannot be', async () => {
    const { manager } = await setUp({
      webhooks: { port: 0, certificate: { folder: '/nowhere' } },
    });
    manager.add(defineWebhook(Memcached, { default: noop }));
    await expect(manager.run()).rejects.toThrow(/runtime\/certificate-unreadable.*certificate for webhooks/);
  });

  it('serves no webhooks that are switched off, and says so', async () => {
    const { manager, lines } = await setUp({ webhooks: { enabled: false } });
    manager.add(defineWebhook(Memcached, { default: noop }));
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain('Starting caches');
    expect(lines.map(({ msg }) => msg)).toContain('Webhooks are switched off (ENABLE_WEBHOOKS=false)');
    expect(manager.ports.webhooks).toBeUndefined();
    const readyz = await fetch(`http://127.0.0.1:${manager.ports.health}/readyz`);
    expect([readyz.status, await readyz.text()]).toEqual([200, 'ok']);
    stop.abort();
    await ended;
  });

  it('ends with the failure of a server', async () => {
    const { manager } = await setUp({ health: '192.0.2.1:80' });
    await expect(manager.run()).rejects.toThrow(/runtime\/cannot-listen.*health probes on 192\.0\.2\.1:80/);
  });

  it('is not created from invalid options; all are reported', async () => {
    const options = {
      name: 'a/b',
      health: 'x',
      metrics: 'y',
      namespaces: [],
      cacheSyncTimeout: 'soon' as '1s',
    };
    await expect(setUp(options)).rejects.toMatchObject({
      findings: [
        { code: 'runtime/invalid-manager' },
        { code: 'runtime/invalid-manager' },
        { code: 'runtime/invalid-address', where: { flag: 'health' } },
        { code: 'runtime/invalid-address', where: { flag: 'metrics' } },
        { code: 'runtime/invalid-duration' },
      ],
    });
  });

  it('is healthy but not ready until its kinds are synced', async () => {
    const { manager } = await setUp();
    manager.add(defineController({ for: Site, reconcile: noop }));
    const stop = new AbortController();
    const ended = manager.run({ signal: stop.signal });
    await expect.poll(() => manager.ports.health).toBeGreaterThan(0);
    const ask = async (path: string) => fetch(`http://127.0.0.1:${manager.ports.health}${path}`);
    expect((await ask('/healthz')).status).toBe(200);
    const ready = await ask('/readyz');
    expect(ready.status).toBe(500);
    expect(await ready.text()).toContain('[-]caches failed: not synced: sites.v1.web.example.com: ');
    stop.abort();
    await ended;
  });

  it('says why it cannot start, while the API server cannot be reached', async () => {
    const { manager } = await setUp({ health: '0', cacheSyncTimeout: 300 });
    manager.add(defineController({ for: Site, reconcile: noop }));
    const error: unknown = await manager.run().catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      findings: [
        {
          code: 'runtime/cache-not-synced',
          message: expect.stringContaining('cannot reach https://127.0.0.1:1'),
        },
      ],
    });
  });

  it('takes one of two clusters that are added under one name at the same time', async () => {
    await using manager = (await setUp()).manager;
    const adding = [1, 2].map(() => manager.addCluster({ name: 'edge', cluster }));
    const [first, second] = await Promise.allSettled(adding);
    expect(first).toMatchObject({ status: 'fulfilled', value: { name: 'edge' } });
    expect(second).toMatchObject({
      status: 'rejected',
      reason: { findings: [{ code: 'runtime/invalid-cluster', message: 'duplicate cluster name edge' }] },
    });
  });

  it('keeps no name of a cluster that could not be added', async () => {
    await using manager = (await setUp()).manager;
    await expect(manager.addCluster({ name: 'edge', kubeconfig: '/missing/kubeconfig' })).rejects.toThrow();
    expect(await manager.addCluster({ name: 'edge', cluster })).toMatchObject({ name: 'edge' });
  });

  it('refuses a cluster whose configuration is read only when the manager runs already', async () => {
    const { manager } = await setUp({ health: '0' });
    const adding = manager.addCluster({ name: 'edge', cluster });
    const ended = manager.run({ signal: AbortSignal.abort() });
    await expect(adding).rejects.toThrow(/runtime\/manager-started/);
    await ended;
  });

  it('refuses a context of no kubeconfig', async () => {
    await using manager = (await setUp()).manager;
    await expect(manager.addCluster({ name: 'edge', cluster, context: 'blue' })).rejects.toMatchObject({
      findings: [
        {
          code: 'runtime/invalid-cluster',
          message: 'expected context only with kubeconfig, got context "blue" with cluster',
        },
      ],
    });
  });
});
