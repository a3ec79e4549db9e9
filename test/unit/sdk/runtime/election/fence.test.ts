import { describe, expect, it } from 'vitest';
import { ApiClient, type Connection } from '../../../../../src/sdk/kube/index.ts';
import { Fence } from '../../../../../src/sdk/runtime/election/fence.ts';
import type { FencedWrites } from '../../../../../src/sdk/runtime/metrics/index.ts';
import { ManualClock } from '../manual-clock.ts';
import { ConfigMap } from '../kinds.ts';

type Answer = (call: Parameters<Connection['request']>[0]) => Promise<unknown>;

function setUp(answer: Answer = async () => ({})) {
  const clock = new ManualClock();
  const counted: FencedWrites[] = [];
  const fence = new Fence('ns/lease', clock, (outcome) => counted.push(outcome));
  const sent: string[] = [];
  const connection: Connection = {
    cluster: {} as Connection['cluster'],
    async request(call) {
      call.beforeSend?.();
      sent.push(call.method);
      const body = await answer(call);
      return { status: 200, headers: {}, body: Buffer.from(''), text: () => '', json: <T>() => body as T };
    },
    stream: () => Promise.reject(new Error('not expected')),
    upgrade: () => Promise.reject(new Error('not expected')),
    warn: () => undefined,
    close: async () => undefined,
  };
  const client = new ApiClient(fence.guard(connection), 'test');
  return { clock, counted, fence, sent, client };
}

const key = { name: 'a', namespace: 'ns' };
const map = { metadata: key };
const patch = { type: 'merge', body: {} } as const;

describe('a fence', () => {
  it('lets reads pass at any time', async () => {
    const { client, sent } = setUp();
    await client.get(ConfigMap, key);
    expect(sent).toEqual(['GET']);
  });

  it('refuses writes of all kinds before the election', async () => {
    const { client, sent, counted } = setUp();
    const stored = { apiVersion: 'v1', kind: 'ConfigMap', ...map } as ConfigMap;
    const writes = [
      client.create(ConfigMap, map),
      client.update(ConfigMap, stored),
      client.patch(ConfigMap, key, patch),
      client.apply(ConfigMap, map),
      client.delete(ConfigMap, key),
    ];
    const refusal =
      '[runtime/not-leader] the request was not sent: this process does not hold the lease ns/lease';
    await Promise.all(writes.map((write) => expect(write).rejects.toThrow(refusal)));
    expect(sent).toEqual([]);
    expect(counted).toEqual(Array(5).fill('refused'));
  });

  it('lets writes begin until the deadline, by the clock alone', async () => {
    const { client, sent, fence, clock } = setUp();
    fence.open(clock.now() + 10_000);
    clock.advance(9999);
    await client.patch(ConfigMap, key, patch);
    clock.advance(1);
    await expect(client.patch(ConfigMap, key, patch)).rejects.toThrow('should have been renewed 0.0 s ago');
    fence.open(clock.now() + 1);
    await client.patch(ConfigMap, key, patch);
    expect(sent).toEqual(['PATCH', 'PATCH']);
  });

  it('aborts writes that are under way when it closes, counts them, and stays closed', async () => {
    const { client, fence, counted, clock, sent } = setUp(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
    );
    fence.open(clock.now() + 10_000);
    const write = client.patch(ConfigMap, key, patch);
    await Promise.resolve();
    const lost = new Error('lost');
    fence.close(lost);
    fence.close(new Error('again'));
    await expect(write).rejects.toBe(lost);
    expect(counted).toEqual(['aborted']);
    fence.open(clock.now() + 10_000);
    await expect(client.patch(ConfigMap, key, patch)).rejects.toMatchObject({
      code: 'runtime/not-leader',
      cause: lost,
    });
    expect(sent).toEqual(['PATCH']);
  });

  it("obeys the caller's signal too, and forgets writes that have ended", async () => {
    const { client, fence, counted, clock } = setUp(
      ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    fence.open(clock.now() + 10_000);
    const own = new AbortController();
    const write = client.patch(ConfigMap, key, patch, { signal: own.signal });
    own.abort(new Error('own'));
    await expect(write).rejects.toThrow('own');
    fence.close(new Error('lost'));
    expect(counted).toEqual([]);
  });
});
