import { expect, test } from 'vitest';
import { ifServed } from '../../../../../src/sdk/api/index.ts';
import { ApiError, type ReflectorHandler, type ReflectorState } from '../../../../../src/sdk/kube/index.ts';
import { Cache } from '../../../../../src/sdk/runtime/cache/index.ts';
import { Turn } from '../../../../../src/sdk/runtime/yielding.ts';
import { Site, site } from '../kinds.ts';
import { ManualClock } from '../manual-clock.ts';
import { memoryLog } from '../memory-log.ts';

const target = { verb: 'list', resource: Site } as const;
const missing = ApiError.fromResponse(target, 404, {}, '404 page not found\n');
const forbidden = new ApiError(target, 403, { kind: 'Status', reason: 'Forbidden', message: 'forbidden' });
const failed = (error: Error): ReflectorState => ({ synced: false, error });

/** A cache of one kind whose list and watch the test plays. */
function start(...declarations: readonly (typeof Site)[]) {
  let handler!: ReflectorHandler;
  let setState!: (state: ReflectorState) => void;
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const cache = new Cache({
    reflect: (_, given, onState, signal) => {
      handler = given;
      setState = onState;
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    },
    ...{ log, clock, turn: new Turn({ now: () => clock.now() }) },
  });
  const calls: string[] = [];
  for (const declaration of declarations) cache.declare(declaration);
  const kind = cache.kindOf(Site);
  kind.listen(({ type, object }) => calls.push(`${type} ${object.metadata.name}`));
  kind.listenServed(() => calls.push(kind.isServed ? 'served' : 'absent'));
  void cache.start(new AbortController().signal);
  const idle = () => new Promise(setImmediate);
  return {
    ...{ calls, kind, lines },
    unsynced: () => cache.unsynced.length,
    becomes: async (state: ReflectorState) => {
      setState(state);
      await idle();
    },
    lists: async (...names: readonly string[]) => {
      handler.replace(
        names.map((name) => site(name)),
        '1',
      );
      setState({ synced: true });
      await idle();
    },
  };
}

test('a kind that is not there is ready and empty, comes, and goes with its objects', async () => {
  const { calls, kind, unsynced, becomes, lists, lines } = start(ifServed(Site));
  expect(unsynced()).toBe(1);
  await becomes(failed(missing));
  expect([unsynced(), kind.isServed]).toEqual([0, false]);
  await lists('a');
  expect([unsynced(), kind.isServed]).toEqual([0, true]);
  await becomes(failed(missing));
  expect([unsynced(), kind.isServed]).toEqual([0, false]);
  expect(calls).toEqual(['create a', 'served', 'delete a', 'absent']);
  expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    'info Kind not served; going on without it',
    'info Listing and watching again',
    'info Kind not served; going on without it',
  ]);
});

test('a kind that is absent stays so while the API server cannot be reached', async () => {
  const { calls, kind, unsynced, becomes } = start(ifServed(Site));
  await becomes(failed(missing));
  await becomes(failed(new Error('connection refused')));
  expect([unsynced(), kind.isServed]).toEqual([0, false]);
  expect(calls).toEqual([]);
});

test('a kind whose list is refused is not absent', async () => {
  const { kind, unsynced, becomes, lists } = start(ifServed(Site));
  await becomes(failed(forbidden));
  expect([unsynced(), kind.isServed]).toEqual([1, false]);
  await lists('a');
  await becomes(failed(forbidden));
  expect([unsynced(), kind.isServed, kind.get({ namespace: 'default', name: 'a' })]).toMatchObject([
    1,
    true,
    {},
  ]);
});

test.each([
  ['first', [Site, ifServed(Site)]],
  ['last', [ifServed(Site), Site]],
])('a kind that another controller declares without ifServed, %s, is required', async (_, declarations) => {
  const { calls, unsynced, becomes, lists } = start(...declarations);
  await becomes(failed(missing));
  expect(unsynced()).toBe(1);
  await lists('a');
  await becomes(failed(missing));
  expect(unsynced()).toBe(1);
  expect(calls).toEqual(['create a']);
});
