// What an observer of reconciles gets, and that nobody pays for one who is not there.
import { describe, expect, test, vi } from 'vitest';
import {
  defineController,
  requeueAfter,
  terminalError,
  type Controller,
  type ControllerClient,
  type EventRecorder,
  type ReconcileObservation,
} from '../../../../src/index.ts';
import { ControllerRunner } from '../../../../src/sdk/runtime/controller/controller-runner.ts';
import { RunObserver } from '../../../../src/sdk/runtime/controller/index.ts';
import { Turn } from '../../../../src/sdk/runtime/yielding.ts';
import { Site, site } from './kinds.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryLog } from './memory-log.ts';

const idle = async () => new Promise((resolve) => setImmediate(resolve));
const event = { type: 'for', source: 'Site', event: 'update' } as const;

function setUp(controller: Controller, onReconcile: (observation: ReconcileObservation) => void) {
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const observer = new RunObserver(onReconcile, log);
  const runner = new ControllerRunner(controller, {
    lookUp: (key) => (key === 'default/a' ? site('a') : undefined),
    // Each read of the client is a call, as far as this test goes.
    clientFor: (_object, { count }) => {
      count?.();
      count?.();
      return {} as ControllerClient;
    },
    eventsFor: () => ({}) as EventRecorder,
    observer,
    log,
    signal: new AbortController().signal,
    clock,
    turn: new Turn({ now: () => clock.now() }),
  });
  runner.start();
  return { clock, lines, runner, observer };
}

describe('an observer', () => {
  test('gets what started a run, how long it took, its calls and when the next one comes', async () => {
    const seen: ReconcileObservation[] = [];
    const setup: ReturnType<typeof setUp> = setUp(
      defineController({
        name: 'observed',
        for: Site,
        reconcile: (_object, ctx) => {
          setup.clock.advance(1500);
          void ctx.client;
          return requeueAfter('1m');
        },
      }),
      (observation) => seen.push(observation),
    );
    const { observer, runner, clock } = setup;
    observer.queued('default/a', event);
    // The first counts.
    observer.queued('default/a', { type: 'watch', source: 'Secret' });
    runner.queue.add('default/a');
    await idle();
    expect(seen).toEqual([
      {
        controller: 'observed',
        kind: 'Site',
        key: { name: 'a', namespace: 'default' },
        reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/),
        trigger: event,
        attempt: 1,
        start: expect.any(Date),
        duration: 1500,
        requests: 2,
        result: 'requeue_after',
        nextTry: expect.any(Date),
      },
    ]);
    expect((seen[0]?.start.getTime() ?? 0) + 1500).toBe(clock.today().getTime());
    expect(seen[0]?.nextTry?.getTime()).toBe(clock.today().getTime() + 60_000);
    clock.advance(60_000);
    await idle();
    expect(seen[1]?.trigger).toEqual({ type: 'requeue' });
    // An event comes before the time.
    observer.queued('default/a', event);
    runner.queue.add('default/a');
    await idle();
    expect(seen[2]?.trigger).toEqual(event);
    await runner.stop();
  });

  test('gets errors, retries, and no next try where there is none', async () => {
    const seen: ReconcileObservation[] = [];
    const answers = [new Error('first'), terminalError(new Error('last'))];
    const { observer, runner, clock } = setUp(
      defineController({
        name: 'observed-errors',
        for: Site,
        reconcile: () => {
          const answer = answers.shift();
          if (answer !== undefined) throw answer;
        },
      }),
      (observation) => seen.push(observation),
    );
    observer.queued('default/a', event);
    runner.queue.add('default/a');
    await idle();
    clock.advance(1000);
    await idle();
    runner.queue.add('default/a');
    await idle();
    expect(seen).toMatchObject([
      { result: 'error', error: { message: 'first' }, attempt: 1, trigger: event, nextTry: expect.any(Date) },
      {
        result: 'error',
        error: { message: 'last' },
        attempt: 2,
        trigger: { type: 'retry' },
        nextTry: undefined,
      },
      { result: 'success', trigger: undefined, nextTry: undefined },
    ]);
    expect(seen[2]).not.toHaveProperty('error');
    await runner.stop();
  });

  test('hears nothing of objects that are gone, and keeps nothing of them', async () => {
    const seen = vi.fn();
    const { observer, runner } = setUp(
      defineController({ name: 'observed-gone', for: Site, reconcile: () => undefined }),
      seen,
    );
    observer.queued('default/gone', event);
    runner.queue.add('default/gone');
    await idle();
    expect(seen).not.toHaveBeenCalled();
    expect(observer.take('default/gone')).toBeUndefined();
    await runner.stop();
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('broken observer');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('broken observer');
      },
    ],
  ])(
    'that %s disturbs no reconcile, and is one line of the log',
    async (_how, broken: (observation: ReconcileObservation) => unknown) => {
      const reconcile = vi.fn();
      const { observer, runner, lines } = setUp(
        defineController({ name: 'observed-broken', for: Site, reconcile }),
        (observation) => broken(observation) as void,
      );
      for (let i = 0; i < 3; i++) {
        observer.queued('default/a', event);
        runner.queue.add('default/a');
        await idle();
      }
      expect(reconcile).toHaveBeenCalledTimes(3);
      expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
        { msg: 'Observer of reconciles failed', error: { message: 'broken observer' } },
      ]);
      expect(runner.queue.failures('default/a')).toBe(0);
      await runner.stop();
    },
  );
});
