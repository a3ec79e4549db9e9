// Times of leader election that no test waits for, by a clock that the test moves; a store that behaves as the API server does.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Lease } from '../../../../../src/sdk/k8s/generated/coordination/v1.ts';
import { ApiError } from '../../../../../src/sdk/kube/index.ts';
import { waitFor } from '../../../../../src/sdk/net/index.ts';
import { Elector, type LeaseClient } from '../../../../../src/sdk/runtime/election/connect-election.ts';
import { Fence } from '../../../../../src/sdk/runtime/election/fence.ts';
import { ManualClock } from '../manual-clock.ts';
import { memoryLog } from '../memory-log.ts';

const settings = {
  ...{ id: 'lease', namespace: 'ns', releaseOnStop: true },
  ...{ leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 },
};

class Store {
  lease: Lease | undefined;
  /** When each request came. */
  readonly reads: number[] = [];
  readonly writes: number[] = [];
  /** What the next requests wait for. */
  gate: Promise<void> = Promise.resolve();
  failure: Error | undefined;
  /** What happens between the read of a try and its update. */
  beforeUpdate: () => void = () => undefined;
  readonly clock: ManualClock;
  #version = 0;

  constructor(clock: ManualClock) {
    this.clock = clock;
  }

  get client(): LeaseClient {
    return {
      find: async (_resource, _key, options) => {
        this.reads.push(this.clock.now());
        await this.#answer(options?.signal);
        return structuredClone(this.lease) as never;
      },
      create: async (_, object, options) => {
        this.writes.push(this.clock.now());
        await this.#answer(options?.signal);
        return this.put(object as Lease) as never;
      },
      update: async (_, object, options) => {
        this.writes.push(this.clock.now());
        await this.#answer(options?.signal);
        this.beforeUpdate();
        if (this.lease === undefined) throw refusal(404, 'NotFound');
        const { resourceVersion } = (object as Lease).metadata;
        if (resourceVersion !== this.lease?.metadata.resourceVersion) throw refusal(409, 'Conflict');
        return this.put(object as Lease) as never;
      },
    };
  }

  put(lease: Lease): Lease {
    this.lease = structuredClone({
      ...lease,
      metadata: { ...lease.metadata, resourceVersion: String(++this.#version) },
    });
    return structuredClone(this.lease);
  }

  async #answer(signal: AbortSignal | undefined): Promise<void> {
    const { failure } = this;
    await waitFor(this.gate, signal);
    if (failure !== undefined) throw failure;
  }
}

function refusal(status: number, reason: string): ApiError {
  const target = { verb: 'update', resource: Lease, namespace: 'ns', name: 'lease' };
  return new ApiError(target, status, {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason,
    message: reason,
  } as never);
}

const heldBy = (holder: string, seconds = 15) =>
  ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'lease', namespace: 'ns' },
    spec: { holderIdentity: holder, leaseDurationSeconds: seconds, renewTime: 'x' },
  }) as Lease;

async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await nextTurn();
}

function setUp(random = 0) {
  const clock = new ManualClock();
  const store = new Store(clock);
  const { log, lines } = memoryLog();
  const fence = new Fence('ns/lease', clock, () => undefined);
  const metrics = { leads: () => undefined, slowPath: () => undefined, fenced: () => undefined };
  const elector = new Elector({
    ...{ client: store.client, settings, identity: 'me', fence, metrics, log, clock },
    random: () => random,
  });
  const stop = new AbortController();
  const lost: Error[] = [];
  let elected: boolean | undefined;
  const start = async (): Promise<void> => {
    void elector.acquire(stop.signal, (error) => lost.push(error)).then((result) => (elected = result));
    await settle();
  };
  /** Moves the clock in steps, letting everything happen that is due. */
  const pass = async (milliseconds: number, step = 100): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= step) {
      clock.advance(Math.min(step, left));
      await settle();
    }
  };
  return { clock, store, lines, fence, elector, stop, lost, start, pass, isElected: () => elected };
}

describe('an elector', () => {
  it.each([
    [0, 2000],
    [0.5, 3200],
    [1, 4400],
  ])('L6: asks again after 2 s and up to 120 % more (at random: %d)', async (random, period) => {
    const { store, start, pass, stop } = setUp(random);
    store.put(heldBy('other'));
    await start();
    await pass(9000);
    const gaps = store.reads.slice(1).map((time, i) => time - (store.reads[i] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([period]));
    stop.abort();
  });

  it('L2, L6: takes over within 15 s and two tries of 4.4 s of the last renewal that it saw', async () => {
    const { store, start, pass, isElected, clock } = setUp(1);
    store.put(heldBy('other'));
    await start();
    await pass(14_900);
    expect(isElected()).toBeUndefined();
    await pass(15_000 + 8800 - 14_900);
    expect(isElected()).toBe(true);
    expect(clock.now()).toBe(23_800);
  });

  it('L5: renews every 2 s, and lets no write begin 10 s after the last renewal was sent', async () => {
    const { store, start, pass, fence, lost } = setUp();
    await start();
    await pass(8000);
    expect(store.writes).toEqual([0, 2000, 4000, 6000, 8000]);
    store.failure = new Error('away');
    await pass(9900);
    expect(() => fence.check()).not.toThrow();
    expect(lost).toEqual([]);
    await pass(100);
    expect(() => fence.check()).toThrow(/runtime\/not-leader/);
    expect(lost).toMatchObject([
      { code: 'runtime/leadership-lost', message: expect.stringContaining('away') },
    ]);
    // More tries than usual: what is left of the time counts.
    expect(store.writes.filter((time) => time > 8000).length).toBeGreaterThanOrEqual(14);
  });

  it('counts the deadline from when the renewal was sent, not from its answer', async () => {
    const { store, start, pass, fence } = setUp();
    await start();
    let open = (): void => undefined;
    store.gate = new Promise((resolve) => (open = resolve));
    await pass(5000);
    open();
    await settle();
    expect(store.writes).toEqual([0, 2000]);
    expect(fence.deadline).toBe(12_000);
  });

  it('gives a try up after half of the deadline, so that there is time for another', async () => {
    const { store, start, pass, lost } = setUp();
    await start();
    // Nothing is answered from the renewal of 2 s on; the try is given up at 7 s, and the next one gets its answer.
    store.gate = new Promise(() => undefined);
    await pass(6900);
    store.gate = Promise.resolve();
    await pass(4000);
    expect(store.writes.slice(0, 3)).toEqual([0, 2000, 7500]);
    expect(lost).toEqual([]);
  });

  it('L10: keeps the lead if the answer that moves the deadline waited behind a blocked event loop', async () => {
    const { store, start, pass, lost, fence, clock } = setUp();
    await start();
    let open = (): void => undefined;
    store.gate = new Promise((resolve) => (open = resolve));
    await pass(2000);
    // 8.5 s without a turn: the timer of the deadline of 10 s is due, and so is the answer of the renewal of 2 s.
    open();
    clock.advance(8500);
    expect(() => fence.check()).toThrow(/runtime\/not-leader/);
    await settle();
    expect(lost).toEqual([]);
    expect(() => fence.check()).not.toThrow();
  });

  it('L10: loses the lead if the event loop was blocked beyond every deadline', async () => {
    const { start, pass, lost, fence, clock, store } = setUp();
    await start();
    await pass(3000);
    const { writes } = store;
    const before = writes.length;
    clock.advance(20_000);
    expect(() => fence.check()).toThrow(/should have been renewed 11.0 s ago/);
    await settle();
    expect(lost).toMatchObject([
      { code: 'runtime/leadership-lost', message: expect.stringContaining('blocked') },
    ]);
    await pass(5000);
    expect(writes).toHaveLength(before);
  });

  it('L14: is unhealthy when it holds a lease that ended more than 20 s ago', async () => {
    const { start, pass, elector, store } = setUp();
    elector.check();
    await start();
    store.failure = new Error('away');
    await pass(34_900);
    elector.check();
    await pass(200);
    expect(() => elector.check()).toThrow('lease ns/lease was last renewed 35.1s ago');
  });

  it('L14: is healthy while it waits, however long', async () => {
    const { start, pass, elector, store, stop } = setUp();
    store.put(heldBy('other', 3600));
    await start();
    await pass(60_000, 1000);
    elector.check();
    stop.abort();
  });

  it('L15: waits for permission for as long as the renew deadline, and says once what is missing', async () => {
    const { store, pass, elector, stop, lines } = setUp();
    store.failure = refusal(403, 'Forbidden');
    const elected = elector.acquire(stop.signal, () => undefined);
    elected.catch(() => undefined);
    await pass(9000);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    store.failure = undefined;
    await pass(2000);
    expect(await elected).toBe(true);
  });

  it('tries again when the lease is deleted between its read and its update', async () => {
    const { store, start, pass, isElected, lines } = setUp();
    store.put(heldBy(''));
    store.beforeUpdate = () => (store.lease = undefined);
    await start();
    await pass(20_000);
    expect(isElected()).toBe(true);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('releases at its end what an earlier try of it has got, also after a conflict', async () => {
    const { store, start, stop, elector, isElected } = setUp();
    store.put(heldBy(''));
    store.beforeUpdate = () => {
      store.beforeUpdate = () => undefined;
      store.put(heldBy('me'));
    };
    await start();
    expect(isElected()).toBeUndefined();
    stop.abort();
    await elector.release();
    expect(store.lease?.spec?.holderIdentity).toBe('');
  });
});
