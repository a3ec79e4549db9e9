import { expect, it } from 'vitest';
import {
  defineController,
  watch,
  type Controller,
  type ControllerClient,
  type EventRecorder,
} from '../../../../src/index.ts';
import { ControllerRunner } from '../../../../src/sdk/runtime/controller/controller-runner.ts';
import { WatchMapper } from '../../../../src/sdk/runtime/manager/watch-mapper.ts';
import { Turn } from '../../../../src/sdk/runtime/yielding.ts';
import { ConfigMap, configMap, Site, site } from './kinds.ts';
import { ManualClock } from './manual-clock.ts';
import { memoryLog } from './memory-log.ts';

/** A clock that moves when work is done, and how much work was done in each turn of the event loop. */
function setUp() {
  const clock = new ManualClock();
  const stretches: number[] = [];
  let stretch = 0;
  const work = (milliseconds: number): void => {
    clock.advance(milliseconds);
    stretch += milliseconds;
  };
  /** Counts until the work is done. */
  const untilDone = async (isDone: () => boolean): Promise<void> => {
    for (;;) {
      await new Promise(setImmediate);
      if (stretch > 0) stretches.push(stretch);
      stretch = 0;
      if (isDone()) return;
    }
  };
  return { clock, turn: new Turn({ now: () => clock.now() }), stretches, work, untilDone };
}

const total = (stretches: readonly number[]) => stretches.reduce((sum, each) => sum + each, 0);

it('who asks within 10 ms continues, who asks later waits for the next turn, and all share the turn', async () => {
  const { clock, turn } = setUp();
  expect(turn.yieldIfDue()).toBeUndefined();
  clock.advance(9.9);
  expect(turn.yieldIfDue()).toBeUndefined();
  clock.advance(0.1);
  const next = turn.yieldIfDue();
  expect(next).toBeInstanceOf(Promise);
  expect(turn.yieldIfDue()).toBe(next);
  const order: string[] = [];
  setImmediate(() => order.push('immediate'));
  await next;
  expect(order).toContain('immediate');
  // The next turn has 10 ms of its own.
  clock.advance(9.9);
  expect(turn.yieldIfDue()).toBeUndefined();
  clock.advance(0.1);
  const later = turn.yieldIfDue();
  expect(later).toBeInstanceOf(Promise);
  expect(later).not.toBe(next);
  await later;
});

it('a turn in which little was done does not count for the next', async () => {
  const { clock, turn } = setUp();
  void turn.yieldIfDue();
  clock.advance(9);
  await new Promise(setImmediate);
  clock.advance(9);
  void turn.yieldIfDue();
  clock.advance(9);
  expect(turn.yieldIfDue()).toBeUndefined();
});

it('reconciles that wait for nothing leave the event loop to others after 10 ms, all workers together', async () => {
  const { clock, turn, stretches, work, untilDone } = setUp();
  let left = 2000;
  const run = (name: string): ControllerRunner => {
    const controller: Controller = defineController({
      name,
      concurrency: 4,
      for: Site,
      reconcile: async () => {
        left--;
        work(0.5);
      },
    });
    const runner = new ControllerRunner(controller, {
      lookUp: () => site('a'),
      clientFor: () => ({}) as ControllerClient,
      eventsFor: () => ({}) as EventRecorder,
      log: memoryLog().log,
      signal: new AbortController().signal,
      clock,
      turn,
    });
    for (let i = 0; i < 1000; i++) runner.queue.add(`default/${i}`);
    runner.start();
    return runner;
  };
  const runners = [run('yields-1'), run('yields-2')];
  await untilDone(() => left === 0);
  expect(total(stretches)).toBe(1000);
  // Each of the eight workers may have asked just before the time was over.
  expect(Math.max(...stretches)).toBeLessThanOrEqual(10 + 8 * 0.5);
  for (const runner of runners) await runner.stop();
});

it('maps that wait for nothing leave the event loop to others after 10 ms', async () => {
  const { clock, turn, stretches, work, untilDone } = setUp();
  let left = 500;
  const map = () => {
    left--;
    work(1);
    return [];
  };
  const controller = defineController({
    name: 'maps-yield',
    for: Site,
    watches: [watch(ConfigMap, { map })],
    reconcile: () => undefined,
  });
  const stop = new AbortController();
  const mapper = new WatchMapper({
    controller,
    reader: {} as ControllerClient,
    log: memoryLog().log,
    signal: stop.signal,
    add: () => undefined,
    clock,
    turn,
  });
  const [watched] = controller.watches;
  if (watched === undefined) expect.unreachable();
  for (let i = 0; i < 500; i++) mapper.add(watched, [configMap(`c${i}`)], undefined);
  await untilDone(() => left === 0);
  expect(total(stretches)).toBe(500);
  expect(Math.max(...stretches)).toBeLessThanOrEqual(10 + 16);
  stop.abort();
});
