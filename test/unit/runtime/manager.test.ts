import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createManager, defineController, type ManagerOptions } from '../../../src/index.ts';
import { noCredentials, type Cluster } from '../../../src/kube/index.ts';
import { memoryLog } from './memory-log.ts';
import { ConfigMap, Site } from './kinds.ts';

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
    const { manager } = await setUp({ metrics: '127.0.0.1:0' });
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
});
