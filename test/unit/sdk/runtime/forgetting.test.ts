// What a process keeps for an object is dropped once, after the last reconcile of the object and before the first one of its successor.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { terminalError } from '../../../../src/index.ts';
import type { CachedObject } from '../../../../src/sdk/runtime/cache/index.ts';
import { site } from './kinds.ts';
import { idle, setUp } from './reconcile-setup.ts';

const key = 'default/a';

/** A controller whose object is what the test puts into the cache, and which writes down its calls. */
function start({ fails = () => undefined }: { readonly fails?: () => Error | undefined } = {}) {
  const calls: string[] = [];
  let present: CachedObject | undefined;
  let isListed = true;
  const made = setUp(
    {
      backoff: { base: '1s', cap: '1s' },
      reconcile: ({ metadata: { uid } }, { attempt }) => void calls.push(`reconcile ${uid} ${attempt}`),
      forget: ({ name, namespace }) => {
        const error = fails();
        calls.push(`forget ${namespace}/${name}${error === undefined ? '' : ' fails'}`);
        if (error !== undefined) throw error;
      },
      onError: () => void calls.push('onError'),
    },
    { lookUp: () => present, isAbsent: () => isListed },
  );
  return {
    ...made,
    calls,
    /** @param uid undefined: no object */
    hold: (uid: string | undefined) => (present = uid === undefined ? undefined : site('a', { uid })),
    list: (value: boolean) => (isListed = value),
    turn: async () => {
      made.queue.add(key);
      await idle();
    },
    pass: async (milliseconds: number) => {
      made.clock.advance(milliseconds);
      await idle();
    },
  };
}

test('an object that is gone is forgotten once', async () => {
  const { calls, hold, turn } = start();
  hold('1');
  await turn();
  hold(undefined);
  await turn();
  await turn();
  expect(calls).toEqual(['reconcile 1 1', 'forget default/a']);
});

test('an object that was never reconciled is not', async () => {
  const { calls, turn, runner } = start();
  await turn();
  runner.forgetAbsent();
  await idle();
  expect(calls).toEqual([]);
});

test('an object that was replaced unseen is forgotten before its successor is reconciled', async () => {
  const { calls, hold, turn } = start();
  hold('1');
  await turn();
  hold('2');
  await turn();
  expect(calls).toEqual(['reconcile 1 1', 'forget default/a', 'reconcile 2 1']);
});

test('a failed call is repeated, and its error is logged, not reported', async () => {
  let failures = 2;
  const fails = () => (failures-- > 0 ? new Error('still in use') : undefined);
  const { calls, hold, turn, pass, lines } = start({ fails });
  hold('1');
  await turn();
  hold('2');
  await turn();
  await pass(1000);
  await pass(1000);
  expect(calls).toEqual([
    'reconcile 1 1',
    'forget default/a fails',
    'forget default/a fails',
    'forget default/a',
    'reconcile 2 1',
  ]);
  expect(lines.filter(({ msg }) => msg === 'Object not forgotten')).toMatchObject([
    { attempt: 1, retryAfter: '1s', error: { message: 'still in use' } },
    { attempt: 2, retryAfter: '1s' },
  ]);
});

test('failed reconciles before it do not delay it', async () => {
  const { calls, hold, turn, pass, queue, lines } = start({ fails: () => terminalError(new Error('no')) });
  hold('1');
  await turn();
  for (let failures = 0; failures < 3; failures += 1) queue.addRateLimited(key);
  hold(undefined);
  await pass(1000);
  expect(calls).toEqual(['reconcile 1 1', 'forget default/a fails']);
  expect(lines.filter(({ msg }) => msg === 'Object not forgotten')).toMatchObject([{ attempt: 1 }]);
});

test('a terminal error ends it', async () => {
  const { calls, hold, turn, pass } = start({ fails: () => terminalError(new Error('no')) });
  hold('1');
  await turn();
  hold(undefined);
  await turn();
  await pass(60_000);
  await turn();
  expect(calls).toEqual(['reconcile 1 1', 'forget default/a fails']);
});

test('an object is not gone while the cache lists again', async () => {
  const { calls, hold, turn, list, pass, runner } = start();
  hold('1');
  await turn();
  hold(undefined);
  list(false);
  runner.forgetAbsent();
  await idle();
  await pass(5000);
  hold('1');
  list(true);
  await pass(1000);
  expect(calls).toEqual(['reconcile 1 1', 'reconcile 1 1']);
  hold(undefined);
  runner.forgetAbsent();
  await idle();
  expect(calls.slice(2)).toEqual(['forget default/a']);
});

test('a call that takes longer than reconcileTimeout is aborted and repeated', async () => {
  const reasons: unknown[] = [];
  let present: CachedObject | undefined = site('a');
  const { queue, clock } = setUp(
    {
      reconcileTimeout: '10s',
      forget: async (_, { signal }) => {
        if (reasons.length > 0) return;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        reasons.push((signal.reason as Error).message);
      },
    },
    { lookUp: () => present },
  );
  queue.add(key);
  await idle();
  present = undefined;
  queue.add(key);
  await idle();
  clock.advance(10_000);
  await idle();
  expect(reasons).toEqual([expect.stringContaining('did not end within 10s')]);
  expect(queue.failures(key)).toBe(1);
  clock.advance(1000);
  await idle();
  expect(queue.failures(key)).toBe(0);
});

test('whatever happens to an object, it is forgotten once between its last reconcile and the first of its successor', async () => {
  const step = fc.oneof(
    fc.record({
      type: fc.constant('hold' as const),
      uid: fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined }),
    }),
    fc.record({ type: fc.constantFrom('turn' as const, 'absent' as const) }),
    fc.record({ type: fc.constant('list' as const), value: fc.boolean() }),
    fc.record({ type: fc.constant('fail' as const), times: fc.integer({ min: 0, max: 2 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      let failures = 0;
      const op = start({ fails: () => (failures-- > 0 ? new Error('later') : undefined) });
      for (const each of steps) {
        if (each.type === 'hold') op.hold(each.uid);
        else if (each.type === 'list') op.list(each.value);
        else if (each.type === 'fail') failures = each.times;
        else if (each.type === 'turn') await op.turn();
        else op.runner.forgetAbsent();
        await idle();
      }
      op.hold(undefined);
      op.list(true);
      op.runner.forgetAbsent();
      await idle();
      for (let passed = 0; passed < 5; passed += 1) await op.pass(1000);
      const told = op.calls
        .filter((call) => !call.endsWith('fails'))
        .map((call) => (call.startsWith('forget') ? 'forget' : call.split(' ')[1]));
      // Repeated reconciles of one object count once.
      const lives = told.filter((call, index) => call !== told[index - 1]);
      expect(told.filter((call) => call === 'forget')).toHaveLength(lives.length / 2);
      for (const [index, call] of lives.entries()) expect(call === 'forget').toBe(index % 2 === 1);
    }),
  );
});
