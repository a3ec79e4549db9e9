// What the runtime publishes for tools in its process, and that nothing is published where nobody subscribes.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, expect, test } from 'vitest';
import { defineController, type ReconcileObservation } from '../../../../src/index.ts';
import { ApiError } from '../../../../src/sdk/kube/index.ts';
import { diagnostics } from '../../../../src/sdk/runtime/diagnostics.ts';
import { LOW_PRIORITY, NORMAL_PRIORITY, WorkQueue } from '../../../../src/sdk/runtime/queue/index.ts';
import { Site } from './kinds.ts';

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** The messages of a channel from now until the test ends. */
function messagesOf(channel: string): unknown[] {
  const messages: unknown[] = [];
  const listener = (message: unknown): void => void messages.push(message);
  subscribe(channel, listener);
  ends.push(() => unsubscribe(channel, listener));
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
