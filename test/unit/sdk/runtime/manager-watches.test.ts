// What a manager says about its lists and watches, and about an event loop that is blocked. The lists are the test's.
import { expect, it } from 'vitest';
import { type Client, ApiError, defineController, metricsRegistry } from '../../../../src/index.ts';
import type { ReflectorHandler, ReflectorState } from '../../../../src/sdk/kube/index.ts';
import { LoopMonitor } from '../../../../src/sdk/runtime/manager/loop-monitor.ts';
import { registerCacheMetrics } from '../../../../src/sdk/runtime/metrics/cache-metrics.ts';
import { Manager } from '../../../../src/sdk/runtime/manager/manager.ts';
import { ConfigMap, Site, site } from './kinds.ts';
import { memoryLog } from './memory-log.ts';

interface Watch {
  readonly handler: ReflectorHandler;
  readonly onState: (state: ReflectorState) => void;
}

/** A manager whose kinds the test delivers; disposing stops it. */
async function setUp() {
  const { log, lines } = memoryLog();
  const watches = new Map<string, Watch>();
  const manager = new Manager({
    name: 'test',
    log,
    cluster: {
      client: {} as Client,
      connection: { request: () => Promise.reject(new Error('no request was expected')) },
      reflect: async ({ resource: { plural } }, handler, onState, signal) => {
        watches.set(plural, { handler, onState });
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
      close: async () => undefined,
    },
    namespaces: undefined,
    health: { host: '127.0.0.1', port: 0 },
    metrics: undefined,
    shutdownDelay: 0,
    gracefulShutdownTimeout: 30_000,
    cacheSyncTimeout: 120_000,
  });
  manager.add(defineController({ name: 'states', for: Site, owns: [ConfigMap], reconcile: () => undefined }));
  const stop = new AbortController();
  const ended = manager.run({ signal: stop.signal });
  await expect.poll(() => watches.size).toBe(2);
  const watch = (plural: string): Watch => watches.get(plural) ?? expect.unreachable();
  const sync = (plural: string): void => {
    watch(plural).handler.replace(plural === 'sites' ? [site('a')] : [], '1');
    watch(plural).onState({ synced: true });
  };
  return {
    lines,
    watch,
    sync,
    readyz: async () => {
      const answer = await fetch(`http://127.0.0.1:${manager.ports.health}/readyz?verbose`);
      return { status: answer.status, text: await answer.text() };
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended;
    },
  };
}

registerCacheMetrics();

const synced = async (): Promise<Record<string, number>> => {
  const { values = [] } = (await metricsRegistry.getSingleMetric('opsdk_cache_synced')?.get()) ?? {};
  return Object.fromEntries(values.map(({ labels, value }) => [labels['kind'], value]));
};

it('a kind that is refused after the start degrades readyz and its gauge, not the pod; before, the pod waits', async () => {
  await using running = await setUp();
  running.sync('sites');
  expect(await running.readyz()).toEqual({
    status: 500,
    text: '[-]caches failed: not synced: configmaps.v1: the API server has not answered yet\nreadyz check failed\n',
  });
  expect(await synced()).toEqual({ 'sites.v1.web.example.com': 1, 'configmaps.v1': 0 });
  running.sync('configmaps');
  await expect.poll(running.readyz).toEqual({ status: 200, text: '[+]caches ok\nreadyz check passed\n' });
  expect(await synced()).toEqual({ 'sites.v1.web.example.com': 1, 'configmaps.v1': 1 });
  await expect.poll(() => running.lines.some(({ msg }) => msg === 'Starting workers')).toBe(true);
  running.watch('configmaps').onState({ synced: false, error: new Error('configmaps is forbidden') });
  expect(await running.readyz()).toEqual({
    status: 200,
    text: '[!]caches degraded: not synced: configmaps.v1: configmaps is forbidden\nreadyz check passed\n',
  });
  expect(await synced()).toEqual({ 'sites.v1.web.example.com': 1, 'configmaps.v1': 0 });
  running.sync('configmaps');
  expect((await running.readyz()).text).toContain('[+]caches ok');
});

it('a gauge of a manager that has ended is gone', async () => {
  {
    await using running = await setUp();
    running.sync('sites');
    running.sync('configmaps');
  }
  expect(await synced()).toEqual({});
});

it('a lost watch is one warning without a stack, and its return is one info line', async () => {
  await using running = await setUp();
  running.sync('sites');
  running.sync('configmaps');
  const { onState } = running.watch('sites');
  const seen = () => running.lines.filter(({ msg, level }) => /watch/.test(msg) && level !== 'debug');
  for (let i = 0; i < 5; i++) onState({ synced: true, error: new Error(`connection refused (${i})`) });
  expect(seen()).toEqual([
    {
      level: 'warn',
      ts: expect.any(String),
      msg: 'Failed to list and watch',
      resource: 'sites.v1.web.example.com',
      reason: 'connection refused (0)',
    },
  ]);
  onState({ synced: true });
  onState({ synced: true });
  expect(seen().slice(1)).toEqual([
    {
      level: 'info',
      ts: expect.any(String),
      msg: 'Listing and watching again',
      resource: 'sites.v1.web.example.com',
    },
  ]);
  onState({ synced: true, error: new Error('gone') });
  expect(seen()).toHaveLength(3);
  onState({ synced: true });
  const expired = new ApiError({ verb: 'watch', resource: Site }, 410, {
    kind: 'Status',
    reason: 'Expired',
    message: 'too old resource version: 1 (2)',
  });
  onState({ synced: true, error: expired });
  onState({ synced: true });
  expect(seen()).toHaveLength(4);
});

it('an event loop that was blocked for more than 1 s is logged with what was at work when that began', () => {
  const { log, lines } = memoryLog();
  let time = 0;
  const asked: number[] = [];
  const monitor = new LoopMonitor({
    log,
    now: () => time,
    runningAt: (at) => {
      asked.push(at);
      return ['Site default/a'];
    },
  });
  monitor.start();
  try {
    for (const next of [500, 1010, 2510]) {
      time = next;
      monitor.check();
    }
    expect(lines).toEqual([]);
    time = 5290;
    monitor.check();
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'Event loop was blocked', blocked: '2.28s', running: ['Site default/a'] },
    ]);
    expect(asked).toEqual([3010]);
    time = 5800;
    monitor.check();
    expect(lines).toHaveLength(1);
  } finally {
    monitor.stop();
  }
});
