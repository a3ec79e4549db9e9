import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WorkQueue } from '../../../../src/runtime/queue/index.ts';
import { ManualClock } from '../manual-clock.ts';
import { runs } from '../../../helpers/thorough.ts';

/** What the queue must do, said as simply as possible: lists and linear searches. */
class Model {
  now = 0;
  ready: string[] = [];
  again = new Set<string>();
  taken: string[] = [];
  delayed: { key: string; due: number }[] = [];

  add(key: string): void {
    this.delayed = this.delayed.filter((d) => d.key !== key);
    if (this.taken.includes(key)) this.again.add(key);
    else if (!this.ready.includes(key)) this.ready.push(key);
  }

  addAfter(key: string, delay: number): void {
    if (delay <= 0) return this.add(key);
    if (this.ready.includes(key) || this.again.has(key)) return;
    const due = this.now + delay;
    const waiting = this.delayed.find((d) => d.key === key);
    if (waiting === undefined) this.delayed.push({ key, due });
    else waiting.due = Math.min(waiting.due, due);
  }

  advance(by: number): void {
    const end = this.now + by;
    const due = this.delayed.filter((d) => d.due <= end).sort((a, b) => a.due - b.due);
    for (const { key } of due) this.add(key);
    this.now = end;
  }

  get(): string | undefined {
    const key = this.ready.shift();
    if (key !== undefined) this.taken.push(key);
    return key;
  }

  done(key: string): void {
    this.taken = this.taken.filter((t) => t !== key);
    if (this.again.delete(key)) this.ready.push(key);
  }
}

interface Real {
  readonly queue: WorkQueue;
  readonly clock: ManualClock;
}

const key = fc.constantFrom(...'abcdefghijklmnop');

function command(
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
): fc.AsyncCommand<Model, Real> {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real);
      expect(real.queue.length).toBe(model.ready.length);
      expect(real.clock.timers).toBeLessThanOrEqual(1);
    },
    toString: () => name,
  };
}

const commands = [
  key.map((k) => command(`add ${k}`, async (m, { queue }) => [m, queue].forEach((q) => q.add(k)))),
  fc
    .tuple(key, fc.integer({ min: -1, max: 50 }))
    .map(([k, ms]) =>
      command(`addAfter ${k} ${ms}`, async (m, { queue }) => [m, queue].forEach((q) => q.addAfter(k, ms))),
    ),
  fc.integer({ min: 1, max: 60 }).map((ms) =>
    command(`advance ${ms}`, async (m, { clock }) => {
      m.advance(ms);
      clock.advance(ms);
    }),
  ),
  fc.constant(0).map(() =>
    command('get', async (m, { queue }) => {
      const expected = m.get();
      if (expected !== undefined) expect(await queue.get()).toBe(expected);
    }),
  ),
  fc.nat().map((n) =>
    command(`done ${n}`, async (m, { queue }) => {
      const taken = m.taken[n % Math.max(1, m.taken.length)];
      if (taken === undefined) return;
      m.done(taken);
      queue.done(taken);
    }),
  ),
];

it('does what the model does, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 200, size: '+1' }), async (sequence) => {
      const clock = new ManualClock();
      await fc.asyncModelRun(
        () => ({ model: new Model(), real: { queue: new WorkQueue({ clock }), clock } }),
        sequence,
      );
    }),
    { numRuns: runs(200) },
  );
});
