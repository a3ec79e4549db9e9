import { describe, expect, it, vi } from 'vitest';
import {
  type Controller,
  type ControllerClient,
  type EventRecorder,
  defineController,
  metricsRegistry,
  requeueAfter,
  terminalError,
} from '../../../../src/index.ts';
import {
  ControllerRunner,
  type ControllerRunnerOptions,
} from '../../../../src/sdk/runtime/controller/controller-runner.ts';
import { Site, site } from './kinds.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryLog } from './memory-log.ts';
import { Turn } from '../../../../src/sdk/runtime/yielding.ts';

const idle = async () => new Promise((resolve) => setImmediate(resolve));

function setUp(controller: Controller, options: Partial<ControllerRunnerOptions> = {}) {
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const objects = new Map([
    ['default/a', site('a')],
    ['default/b', site('b')],
  ]);
  const runner = new ControllerRunner(controller, {
    lookUp: (key) => objects.get(key),
    clientFor: () => ({}) as ControllerClient,
    eventsFor: () => ({}) as EventRecorder,
    log,
    signal: new AbortController().signal,
    clock,
    turn: new Turn({ now: () => clock.now() }),
    ...options,
  });
  runner.start();
  return { clock, lines, runner, objects, queue: runner.queue };
}

async function metric(name: string, labels: Record<string, string>): Promise<number | undefined> {
  const found = await metricsRegistry.getSingleMetric(name)?.get();
  return found?.values.find((v) => Object.entries(labels).every(([k, x]) => v.labels[k] === x))?.value;
}

describe('a controller at work', () => {
  it('is given object, key, log and a run id, and forgets after success', async () => {
    const reconcile = vi.fn();
    const { queue, lines, runner } = setUp(
      defineController({
        name: 'given',
        for: Site,
        reconcile: async (object, ctx) => {
          reconcile(object, ctx.key);
          ctx.log.info('hello');
        },
      }),
    );
    queue.addRateLimited('default/a');
    queue.add('default/a');
    await idle();
    expect(reconcile.mock.calls).toEqual([[site('a'), { name: 'a', namespace: 'default' }]]);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        msg: 'hello',
        controller: 'given',
        namespace: 'default',
        name: 'a',
        reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    ]);
    expect(queue.failures('default/a')).toBe(0);
    await runner.stop();
  });

  it('is not called for a vanished object; the line is logged instead', async () => {
    const reconcile = vi.fn();
    const { queue, lines, objects, runner } = setUp(defineController({ name: 'gone', for: Site, reconcile }));
    objects.delete('default/a');
    queue.addRateLimited('default/a');
    queue.add('default/a');
    await idle();
    // Nothing is kept of objects that are gone.
    expect(queue.failures('default/a')).toBe(0);
    expect(reconcile).not.toHaveBeenCalled();
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'debug',
        msg: 'Object not found; skipping reconcile',
        kind: 'Site',
        namespace: 'default',
        name: 'a',
        controller: 'gone',
      }),
    ]);
    expect(
      await metric('controller_runtime_reconcile_total', { controller: 'gone', result: 'success' }),
    ).toBe(0);
    await runner.stop();
  });

  it('W7: an error is logged with its stack and tried again with back-off; success forgets', async () => {
    let left = 3;
    const { queue, clock, lines, runner } = setUp(
      defineController({
        name: 'failing',
        for: Site,
        reconcile: () => {
          if (left-- > 0) throw new Error('boom');
        },
      }),
    );
    queue.add('default/a');
    await idle();
    expect(lines[0]).toMatchObject({
      level: 'error',
      msg: 'Reconciler error',
      error: { message: 'boom', stack: expect.stringContaining('controller-runner.test') },
    });
    for (const delay of [5, 10, 20]) {
      clock.advance(delay - 1);
      await idle();
      const before = lines.length;
      clock.advance(1);
      await idle();
      expect(lines.length).toBe(delay === 20 ? before : before + 1);
    }
    expect(queue.failures('default/a')).toBe(0);
    expect(
      await metric('controller_runtime_reconcile_total', { controller: 'failing', result: 'error' }),
    ).toBe(3);
    expect(
      await metric('controller_runtime_reconcile_total', { controller: 'failing', result: 'success' }),
    ).toBe(1);
    expect(await metric('controller_runtime_reconcile_errors_total', { controller: 'failing' })).toBe(3);
    expect(await metric('workqueue_retries_total', { controller: 'failing', name: 'failing' })).toBe(3);
    await runner.stop();
  });

  it('W7: a terminal error is neither tried again nor forgotten', async () => {
    const { queue, clock, lines, runner } = setUp(
      defineController({
        name: 'terminal',
        for: Site,
        reconcile: async () => {
          throw new Error('outer', { cause: terminalError(new Error('spec.image is empty')) });
        },
      }),
    );
    queue.addRateLimited('default/a');
    clock.advance(5);
    await idle();
    clock.advance(10_000_000);
    await idle();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      terminal: true,
      error: { message: expect.stringContaining('spec.image is empty') },
    });
    expect(queue.failures('default/a')).toBe(1);
    expect(
      await metric('controller_runtime_terminal_reconcile_errors_total', { controller: 'terminal' }),
    ).toBe(1);
    await runner.stop();
  });

  it('logs a terminal error as what it is, said once', async () => {
    const { queue, lines, runner } = setUp(
      defineController({
        name: 'said-once',
        for: Site,
        reconcile: () => {
          throw terminalError(new RangeError('too many'));
        },
      }),
    );
    queue.add('default/a');
    await idle();
    expect(lines).toMatchObject([{ terminal: true, error: { type: 'RangeError', message: 'too many' } }]);
    await runner.stop();
  });

  it('W7: requeueAfter forgets and runs again at its time, not earlier', async () => {
    const times: number[] = [];
    const { queue, clock, runner } = setUp(
      defineController({
        name: 'later',
        for: Site,
        reconcile: () => {
          times.push(clock.now());
          return requeueAfter('30s');
        },
      }),
    );
    queue.addRateLimited('default/a');
    clock.advance(5);
    await idle();
    expect(queue.failures('default/a')).toBe(0);
    clock.advance(29_999);
    await idle();
    clock.advance(1);
    await idle();
    expect(times).toEqual([5, 30_005]);
    expect(
      await metric('controller_runtime_reconcile_total', { controller: 'later', result: 'requeue_after' }),
    ).toBe(2);
    await runner.stop();
  });

  it('a requeue without delay backs off, so that it cannot spin', async () => {
    const { queue, runner } = setUp(
      defineController({ name: 'zero', for: Site, reconcile: () => requeueAfter(0) }),
    );
    queue.add('default/a');
    await idle();
    expect(queue.length).toBe(0);
    expect(queue.failures('default/a')).toBe(1);
    expect(
      await metric('controller_runtime_reconcile_total', { controller: 'zero', result: 'requeue' }),
    ).toBe(1);
    await runner.stop();
  });

  it.each([
    ['a mistake in the program', () => (undefined as unknown as { x: { y: 1 } }).x.y, 1],
    [
      'something that is no error',
      () => {
        throw 'text' as unknown as Error;
      },
      1,
    ],
    ['a result in controller-runtime’s form', () => ({ requeue: true }), 1],
    [
      'an error whose causes run in a circle',
      () => {
        const error = new Error('outer');
        error.cause = new Error('inner', { cause: error });
        throw error;
      },
      0,
    ],
    [
      'unreadable error',
      () => {
        const unreadable = Object.defineProperty(new Error('x'), 'response', {
          enumerable: true,
          get: () => {
            throw new Error('gone');
          },
        });
        throw unreadable;
      },
      0,
    ],
    [
      'a failed request',
      () => {
        throw new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
      },
      0,
    ],
  ])('survives %s', async (name, reconcile, panics) => {
    const controller = defineController({
      name: name.replaceAll(/\W/g, '-'),
      for: Site,
      reconcile: reconcile as unknown as () => undefined,
    });
    const { queue, lines, runner } = setUp(controller);
    queue.add('default/a');
    queue.add('default/b');
    await idle();
    expect(lines.map((l) => l.msg)).toEqual(['Reconciler error', 'Reconciler error']);
    expect(await metric('controller_runtime_reconcile_panics_total', { controller: controller.name })).toBe(
      2 * panics,
    );
    await runner.stop();
  });

  it('tells who changes an object of the cache what to do instead', async () => {
    const { queue, objects, lines, runner } = setUp(
      defineController({
        name: 'frozen',
        for: Site,
        reconcile(object) {
          (object.spec as { replicas: number }).replicas = 3;
        },
      }),
    );
    objects.set('default/a', { ...site('a'), spec: Object.freeze({ replicas: 1 }) });
    queue.add('default/a');
    await idle();
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'Reconciler error',
        hint: 'objects from the cache are frozen: change a copy, mutableCopy(object)',
      }),
    ]);
    await runner.stop();
  });

  it('works on as many objects at a time as it may, and stops when they are through', async () => {
    const release: (() => void)[] = [];
    const { queue, runner, objects } = setUp(
      defineController({
        name: 'many',
        concurrency: 2,
        for: Site,
        reconcile: async () => new Promise<void>((resolve) => release.push(resolve)),
      }),
    );
    objects.set('default/c', site('c'));
    for (const key of ['default/a', 'default/b', 'default/c']) queue.add(key);
    await idle();
    expect(runner.running).toEqual(['default/a', 'default/b']);
    expect(await metric('controller_runtime_active_workers', { controller: 'many' })).toBe(2);
    expect(await metric('controller_runtime_max_concurrent_reconciles', { controller: 'many' })).toBe(2);
    expect(await metric('workqueue_depth', { controller: 'many' })).toBe(1);
    const stopped = vi.fn();
    const stopping = runner.stop().then(stopped);
    release[0]?.();
    await idle();
    expect(runner.running).toEqual(['default/b']);
    expect(stopped).not.toHaveBeenCalled();
    release[1]?.();
    await stopping;
    expect(release).toHaveLength(2);
  });
});

it('makes all series of a controller at 0', async () => {
  const { runner } = setUp(defineController({ name: 'fresh', for: Site, reconcile: () => undefined }));
  const text = await metricsRegistry.metrics();
  for (const result of ['success', 'error', 'requeue', 'requeue_after']) {
    expect(text).toContain(`controller_runtime_reconcile_total{controller="fresh",result="${result}"} 0`);
  }
  for (const name of ['reconcile_errors', 'terminal_reconcile_errors', 'reconcile_panics']) {
    expect(text).toContain(`controller_runtime_${name}_total{controller="fresh"} 0`);
  }
  expect(text).toContain('controller_runtime_reconcile_time_seconds_bucket{le="0.005",controller="fresh"} 0');
  expect(text).toContain('controller_runtime_reconcile_time_seconds_bucket{le="60",controller="fresh"} 0');
  expect(text).toContain('workqueue_depth{name="fresh",controller="fresh",priority="0"} 0');
  expect(text).toContain(
    'workqueue_queue_duration_seconds_bucket{le="1e-8",name="fresh",controller="fresh"} 0',
  );
  expect(text).toContain('workqueue_unfinished_work_seconds{name="fresh",controller="fresh"} 0');
  expect(text).toContain('workqueue_longest_running_processor_seconds{name="fresh",controller="fresh"} 0');
  expect(text).toContain('# TYPE rest_client_requests_total counter');
  await runner.stop();
});
