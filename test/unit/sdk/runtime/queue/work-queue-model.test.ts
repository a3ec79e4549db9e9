import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ExponentialBackoff,
  WorkQueue,
  type AddOptions,
} from '../../../../../src/sdk/runtime/queue/index.ts';
import { ManualClock } from '../manual-clock.ts';
import { runs } from '../../../../helpers/thorough.ts';

interface Asked {
  readonly key: string;
  priority: number;
}

/** What the queue must do, said as simply as possible: lists and linear searches. */
class Model {
  now = 0;
  isOpen = true;
  ready: Asked[] = [];
  again: Asked[] = [];
  taken: Asked[] = [];
  delayed: (Asked & { due: number })[] = [];
  failures = new Map<string, number>();

  add(key: string, { priority = 0 }: AddOptions = {}): void {
    if (!this.isOpen) return;
    const delayed = this.delayed.find((d) => d.key === key);
    this.delayed = this.delayed.filter((d) => d !== delayed);
    const highest = Math.max(priority, delayed?.priority ?? priority);
    if (this.raise(key, highest)) return;
    (this.isTaken(key) ? this.again : this.ready).push({ key, priority: highest });
  }

  addAfter(key: string, delay: number, options: AddOptions = {}): void {
    if (!this.isOpen) return;
    const priority = options.priority ?? this.taken.find((t) => t.key === key)?.priority ?? 0;
    if (delay <= 0) return this.add(key, { priority });
    if (this.raise(key, priority)) return;
    const due = this.now + delay;
    const waiting = this.delayed.find((d) => d.key === key);
    if (waiting === undefined) {
      this.delayed.push({ key, due, priority });
    } else {
      waiting.due = Math.min(waiting.due, due);
      waiting.priority = Math.max(waiting.priority, priority);
    }
  }

  addRateLimited(key: string): void {
    if (!this.isOpen) return;
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    this.addAfter(key, Math.min(5 * 2 ** failures, 40));
  }

  forget(key: string): void {
    this.failures.delete(key);
  }

  advance(by: number): void {
    const end = this.now + by;
    const due = this.delayed.filter((d) => d.due <= end).sort((a, b) => a.due - b.due);
    for (const { key, priority } of due) this.add(key, { priority });
    this.now = end;
  }

  get(): string | undefined {
    const next = this.ready.toSorted((a, b) => b.priority - a.priority)[0];
    if (next === undefined) return undefined;
    this.ready = this.ready.filter((each) => each !== next);
    this.taken.push(next);
    return next.key;
  }

  done(key: string): void {
    this.taken = this.taken.filter((t) => t.key !== key);
    this.ready.push(...this.again.filter((a) => a.key === key));
    this.again = this.again.filter((a) => a.key !== key);
  }

  shutDown(): void {
    this.isOpen = false;
    this.ready = this.again = this.delayed = [];
  }

  isTaken(key: string): boolean {
    return this.taken.some((t) => t.key === key);
  }

  raise(key: string, priority: number): boolean {
    const asked = [...this.ready, ...this.again].find((each) => each.key === key);
    if (asked !== undefined) asked.priority = Math.max(asked.priority, priority);
    return asked !== undefined;
  }
}

/** One step of a history; `n` chooses among the keys that are taken. */
const key = fc.constantFrom(...'abcdefgh');
const priority = fc.constantFrom(undefined, -100, 0, 1);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add'), key, priority }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('addAfter'),
      key,
      ms: fc.integer({ min: -1, max: 50 }),
      priority,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('addRateLimited'), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget'), key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('get') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('done'), n: fc.nat(100) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('advance'), ms: fc.integer({ min: 1, max: 60 }) }) },
);
interface Step {
  readonly do: string;
  readonly key?: string;
  readonly ms?: number;
  readonly n?: number;
  readonly priority?: number | undefined;
}
const history = fc.record({
  steps: fc.array<Step>(step, { maxLength: 60, size: 'max' }),
  /** Before which step the queue is shut down; beyond the end: never. */
  end: fc.oneof(fc.constant(Infinity), fc.nat(60)),
});

/** `expect` for hot loops. */
function same(actual: unknown, expected: unknown): void {
  if (actual !== expected) expect(actual).toBe(expected);
}

it('does what the model does, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ steps, end }) => {
      const clock = new ManualClock();
      const model = new Model();
      const depths = new Map<number, number>();
      const nothing = () => undefined;
      const queue = new WorkQueue({
        clock,
        rateLimiter: new ExponentialBackoff({ cap: 40 }),
        observer: {
          added: nothing,
          retried: nothing,
          waited: nothing,
          worked: nothing,
          depth: (length, each) => depths.set(each, length),
        },
      });
      let down: Promise<void> | undefined;
      for (const [index, { do: what, key: k = '', ms = 0, n = 0, priority: p }] of steps.entries()) {
        if (index === end) {
          down = queue.shutDown();
          model.shutDown();
        }
        const options = { priority: p };
        const taken = model.taken[n % Math.max(1, model.taken.length)]?.key;
        for (const each of [model, queue]) {
          if (what === 'add') each.add(k, options);
          if (what === 'addAfter') each.addAfter(k, ms, options);
          if (what === 'addRateLimited') each.addRateLimited(k);
          if (what === 'forget') each.forget(k);
          if (what === 'done' && taken !== undefined) each.done(taken);
        }
        for (const each of [model, clock]) if (what === 'advance') each.advance(ms);
        // Without a key to take, get would wait.
        if (what === 'get' && model.ready.length > 0) same(await queue.get(), model.get());

        same(queue.length, model.ready.length);
        same(clock.timers > 1, false);
        for (const [each, length] of depths)
          same(length, model.ready.filter((asked) => asked.priority === each).length);
        for (const asked of model.taken) same(queue.held(asked.key)?.priority, asked.priority);
      }
      for (const { key: left } of [...model.taken]) for (const each of [model, queue]) each.done(left);
      await down;
      while (model.ready.length > 0) same(await queue.get(), model.get());
      same(queue.length, 0);
    }),
    { numRuns: runs(10_000) },
  );
}, 120_000);
