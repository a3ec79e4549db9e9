import { expect, it } from 'vitest';
import {
  conditionsOf,
  defineController,
  terminalError,
  type ControllerOptions,
  type ErrorContext,
} from '../../../../src/index.ts';
import { createTestApi } from '../../../../src/testing.ts';
import { memoryLog } from '../../sdk/runtime/memory-log.ts';
import { Site, site, siteCrd } from './fixtures.ts';

const key = { namespace: 'default', name: 'a' };
const start = async (options: Partial<ControllerOptions<Site>>, objects = [site('a')]) => {
  const { log, lines } = memoryLog();
  const api = await createTestApi({ kinds: [Site], crds: [siteCrd], objects, log });
  api.add(defineController({ for: Site, backoff: { base: '10s' }, reconcile: () => undefined, ...options }));
  return { api, lines };
};
const fails = () => {
  throw new Error('no pages');
};
const failed = async (running: Promise<void>) =>
  expect(running).rejects.toMatchObject({ code: 'testapi/reconcile-failed' });

it('reports a failure in a condition, which goes when reconcile succeeds', async () => {
  let isBroken = true;
  const calls: Pick<ErrorContext, 'attempt' | 'willRetry' | 'key'>[] = [];
  const { api } = await start({
    reconcile: async (found, { client }) => {
      if (isBroken) fails();
      const conditions = conditionsOf(found, ['Ready']).true('Ready', 'Reconciled').toJSON();
      await client.applyStatus(Site, key, { conditions });
    },
    async onError(found, error, { client, attempt, willRetry, key: ofRun }) {
      calls.push({ attempt, willRetry, key: ofRun });
      const conditions = conditionsOf(found, ['Ready']).false('Ready', 'Failed', error.message).toJSON();
      await client.applyStatus(Site, key, { conditions });
    },
  });
  await using _ = api;
  await failed(api.settle());
  await failed(api.advance('10s'));
  expect(calls).toEqual([
    { attempt: 1, willRetry: true, key },
    { attempt: 2, willRetry: true, key },
  ]);
  const condition = async () => (await api.client.live.get(Site, key)).status?.conditions?.[0];
  expect(await condition()).toMatchObject({ status: 'False', message: 'no pages' });
  // The second failure says nothing new, and is not sent.
  expect(api.requests.filter(({ subresource }) => subresource === 'status')).toHaveLength(2);
  isBroken = false;
  await api.advance('20s');
  expect(await condition()).toMatchObject({ status: 'True', reason: 'Reconciled' });
  expect(api.events).toEqual([]);
});

it('keeps the first error when onError fails, and unwraps terminal ones', async () => {
  const seen: unknown[] = [];
  const { api, lines } = await start({
    reconcile: () => {
      throw terminalError(new Error('spec.title is empty'));
    },
    onError(_, error, { willRetry }) {
      seen.push(error.message, willRetry);
      throw new Error('cannot report');
    },
  });
  await using _ = api;
  await expect(api.settle()).rejects.toThrow('spec.title is empty');
  expect(seen).toEqual(['spec.title is empty', false]);
  expect(lines.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining(['Reconciler error', 'Failure not reported']),
  );
});

it('calls onError after finalize and after reconcile of one run, with a signal that lives', async () => {
  const seen: string[] = [];
  const { api } = await start(
    {
      finalizer: 'web.example.com/site',
      reconcileTimeout: '1m',
      reconcile: async (_, { attempt, signal }) => {
        if (attempt > 1) return;
        await new Promise((__, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
      finalize: fails,
      onError(_, error, { signal }) {
        seen.push(`${error.message.split('\n')[0] ?? ''} ${signal.aborted}`);
      },
    },
    [site('a')],
  );
  await using _ = api;
  await api.advance('1m');
  await api.client.delete(Site, key);
  await failed(api.advance('10s'));
  expect(seen.slice(0, 2)).toEqual([
    '[runtime/reconcile-timeout] reconcile of Site default/a did not end within 1m false',
    'no pages false',
  ]);
});

it('does not call onError for conflicts that pass, nor for objects that are gone', async () => {
  const seen: string[] = [];
  const { api } = await start({
    async reconcile({ metadata }, { client, attempt }) {
      if (attempt === 1) await client.patch(Site, metadata, { type: 'merge', body: {} });
      else await client.delete(Site, metadata).then(fails);
    },
    onError: (_, error) => void seen.push(error.message),
  });
  await using _ = api;
  const conflict = api.intercept({ verb: 'patch', resource: Site }, { code: 409, reason: 'Conflict' });
  await api.advance('10s').catch(() => undefined);
  expect(conflict.used).toBe(1);
  expect(seen).toEqual([]);
});

it('records an Event after the third failure in a row, once in five minutes', async () => {
  const { api } = await start({ reconcile: fails, backoff: { base: '10s', cap: '30s' } });
  await using _ = api;
  await failed(api.advance('10s'));
  expect(api.events).toEqual([]);
  await failed(api.advance('20s'));
  const event = { type: 'Warning', reason: 'ReconcileFailed', note: 'no pages', regarding: { name: 'a' } };
  expect(api.events).toMatchObject([{ ...event, count: 1 }]);
  await failed(api.advance('4m'));
  expect(api.events).toMatchObject([{ count: 1 }]);
  await failed(api.advance('2m'));
  expect(api.events).toMatchObject([{ ...event, count: 2 }]);
});

it('records an Event about a terminal error at once, and none if it is switched off', async () => {
  const reconcile = () => {
    throw terminalError(new Error('spec.title is empty'));
  };
  const on = await start({ reconcile });
  await using first = on.api;
  await failed(first.settle());
  expect(first.events).toMatchObject([{ reason: 'ReconcileFailed', note: 'spec.title is empty' }]);
  const off = await start({ reconcile, failureEvents: false });
  await using second = off.api;
  await failed(second.settle());
  expect(second.events).toEqual([]);
});
