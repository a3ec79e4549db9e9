import { describe, expect, it } from 'vitest';
import { ApiClient, type Connection, type UpgradedSocket } from '../../../../../src/sdk/kube/index.ts';
import { Fence } from '../../../../../src/sdk/runtime/election/fence.ts';
import type { FencedWrites } from '../../../../../src/sdk/runtime/metrics/index.ts';
import { ManualClock } from '../manual-clock.ts';
import { ConfigMap } from '../kinds.ts';

type Answer = (call: Parameters<Connection['request']>[0]) => Promise<unknown>;

/** A WebSocket that is open until its signal aborts. */
class FakeSocket implements UpgradedSocket {
  readonly status = 101;
  readonly headers = {};
  readonly protocol = 'v5.channel.k8s.io';
  readonly closed: Promise<void>;
  #reason: Error | undefined;
  #close: () => void = () => undefined;

  constructor(signal: AbortSignal | undefined) {
    this.closed = new Promise((resolve) => (this.#close = resolve));
    signal?.addEventListener('abort', () => {
      this.#reason = signal.reason as Error;
      this.#close();
    });
  }

  send(): Promise<void> {
    return Promise.resolve();
  }

  async read(): Promise<void> {
    await this.closed;
    if (this.#reason !== undefined) throw this.#reason;
  }

  cancel(): void {
    this.#close();
  }
}

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
    upgrade: async (call) => {
      call.beforeSend?.();
      sent.push('upgrade');
      return new FakeSocket(call.signal);
    },
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

  it('counts commands and ports as writes until they are closed', async () => {
    const { fence, clock, client, counted, sent } = setUp();
    const command = { command: ['ls'] };
    await expect(client.exec(key, command)).rejects.toMatchObject({ code: 'runtime/not-leader' });
    await expect(client.portForward(key, 80)).rejects.toMatchObject({ code: 'runtime/not-leader' });
    fence.open(clock.now() + 10_000);
    const port = await client.portForward(key, 80);
    port.on('error', () => undefined).destroy();
    const failed = new Promise((resolve) => port.once('close', resolve));
    const running = await client.portForward(key, 81);
    const ended = new Promise((resolve) => running.once('error', resolve));
    await failed;
    const lost = new Error('lost');
    fence.close(lost);
    await expect(ended).resolves.toBe(lost);
    expect(counted).toEqual(['refused', 'refused', 'aborted']);
    expect(sent).toEqual(['upgrade', 'upgrade']);
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
