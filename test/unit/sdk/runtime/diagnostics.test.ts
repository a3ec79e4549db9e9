// What the runtime publishes for tools in its process, and that nothing is published where nobody subscribes.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, expect, test } from 'vitest';
import { defineController, type ReconcileObservation } from '../../../../src/index.ts';
import { ApiError } from '../../../../src/sdk/kube/index.ts';
import { diagnostics, type RunEnd, type RunMessage } from '../../../../src/sdk/runtime/diagnostics.ts';
import { LOW_PRIORITY, NORMAL_PRIORITY, WorkQueue } from '../../../../src/sdk/runtime/queue/index.ts';
import { Site } from './kinds.ts';
import { memoryLog } from './memory-log.ts';
import { idle, setUp } from './reconcile-setup.ts';

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** Listens to a channel until the test ends. */
function listen(channel: string, listener: (message: unknown) => void): void {
  subscribe(channel, listener);
  ends.push(() => unsubscribe(channel, listener));
}

/** The messages of a channel from now until the test ends. */
function messagesOf(channel: string): unknown[] {
  const messages: unknown[] = [];
  listen(channel, (message) => void messages.push(message));
  return messages;
}

const observation: ReconcileObservation = {
  ...{ controller: 'site', kind: 'Site', key: { name: 'a', namespace: 'default' }, reconcileID: '1' },
  ...{ trigger: undefined, attempt: 1, start: new Date(), duration: 1, requests: 0, result: 'success' },
  nextTry: undefined,
};

test('a reconcile is published once there is a subscriber, and onReconcile is called all the same', () => {
  const called: ReconcileObservation[] = [];
  const onReconcile = (each: ReconcileObservation): void => void called.push(each);
  expect(diagnostics.reconcileObserver(undefined)).toBeUndefined();
  expect(diagnostics.reconcileObserver(onReconcile)).toBe(onReconcile);
  const messages = messagesOf('opsdk:reconcile');
  diagnostics.reconcileObserver(onReconcile)?.(observation);
  diagnostics.reconcileObserver(undefined)?.(observation);
  expect(messages).toEqual([observation, observation]);
  expect(called).toEqual([observation]);
});

test('a run is published before it begins, and a subscriber may put it into a context of its own', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const ended: RunEnd[] = [];
  const { queue, clock } = setUp({
    reconcile: (_, { attempt }) => {
      seen.push(storage.getStore());
      if (attempt === 1) throw new Error('no pages');
    },
  });
  listen('opsdk:run', (message) => {
    const { run, ...about } = message as RunMessage;
    seen.push(about);
    (message as RunMessage).run = async () => {
      const end = await storage.run(about.reconcileID, run);
      ended.push(end);
      return end;
    };
  });
  queue.add('default/a');
  await idle();
  clock.advance(5);
  await idle();
  const about = { controller: 'runs', for: Site, key: { namespace: 'default', name: 'a' }, waited: 0 };
  const [first, inFirst, second, inSecond] = seen;
  expect(first).toMatchObject({ ...about, attempt: 1 });
  expect(second).toMatchObject({ ...about, attempt: 2 });
  expect([inFirst, inSecond]).toEqual([first, second].map((each) => (each as RunMessage).reconcileID));
  expect(ended).toEqual([
    { outcome: 'error', delay: 5, error: new Error('no pages') },
    { outcome: 'success' },
  ]);
});

test('a run has its trigger if its channel has a subscriber when the manager adds the controller', () => {
  expect(diagnostics.reconcileObserver(undefined)).toBeUndefined();
  messagesOf('opsdk:run');
  expect(diagnostics.reconcileObserver(undefined)).toBeTypeOf('function');
});

test('subscribers add fields to lines of the log', () => {
  const { log, lines } = memoryLog();
  log.info({ a: 1 }, 'before');
  listen('opsdk:log', (fields) => void Object.assign(fields as object, { a: 2, b: 3 }));
  log.child({ c: 4 }).info({ a: 1 }, 'with');
  log.info('without fields');
  expect(lines.map(({ ts: _, level: __, ...line }) => line)).toEqual([
    { msg: 'before', a: 1 },
    { msg: 'with', a: 1, b: 3, c: 4 },
    { msg: 'without fields', a: 2, b: 3 },
  ]);
});

test('the depth of a queue is that of all priorities', async () => {
  const silent = {
    ...{ added: () => undefined, retried: () => undefined, depth: () => undefined },
    ...{ waited: () => undefined, worked: () => undefined },
  };
  expect(diagnostics.queueObserver('site', silent)).toBe(silent);
  const messages = messagesOf('opsdk:queue');
  const queue = new WorkQueue({ observer: diagnostics.queueObserver('site', silent) });
  queue.add('a', { priority: LOW_PRIORITY });
  queue.add('b', { priority: NORMAL_PRIORITY });
  await queue.get();
  expect(messages).toEqual([1, 2, 1].map((depth) => ({ controller: 'site', depth })));
  queue.done('b');
  await queue.shutDown();
});

test('controllers and refusals are published', () => {
  const controller = defineController({ for: Site, owns: [Site], reconcile: () => undefined });
  const refusal = new ApiError({ verb: 'get' }, 403, '');
  diagnostics.controllerAdded(controller);
  diagnostics.refused(refusal);
  const controllers = messagesOf('opsdk:controller');
  const refusals = messagesOf('opsdk:refusal');
  diagnostics.controllerAdded(controller);
  diagnostics.refused(refusal);
  expect(controllers).toEqual([{ controller: 'site', for: Site, owns: [Site] }]);
  expect(refusals).toEqual([refusal]);
});
