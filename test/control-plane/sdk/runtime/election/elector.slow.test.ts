// What leader election promises (README.md), one elector or two against a real API server, with times of a few seconds.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Lease } from '../../../../../src/sdk/k8s/generated/coordination/v1.ts';
import {
  createClient,
  loadCluster,
  type Cluster,
  type Connection,
  type KubeClient,
} from '../../../../../src/sdk/kube/index.ts';
import { metricsRegistry } from '../../../../../src/sdk/runtime/metrics/index.ts';
import { eventually } from '../../../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../../../helpers/control-plane.ts';
import { campaign, connectTo, methodsOf, short, type CandidateOptions } from './candidate.ts';

const slow = { timeout: 60_000, interval: 50 };
const HOUR = 3_600_000;

let cluster: Cluster;
let connection: Connection;
let client: KubeClient;
let namespace: string;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
  connection = connectTo(cluster);
  client = createClient({ cluster, fieldManager: 'test' });
  namespace = await uniqueNamespace(plane);
});
afterAll(async () => {
  await client.close();
  await connection.close();
});

/** Longer than a busy machine can keep a holder from its next renewal. */
const lasting = { ...short, leaseDuration: 60_000, renewDeadline: 45_000 };
/** For tests that wait for its end, and need it until then. */
const ending = { ...short, leaseDuration: 10_000, renewDeadline: 8_000 };

function newLease(times = lasting) {
  const settings = { ...times, id: uniqueName('lease'), namespace };
  const key = { name: settings.id, namespace };
  return {
    settings,
    key,
    start: (more: Partial<CandidateOptions> = {}) => campaign({ connection, settings, ...more }),
    read: async () => (await client.get(Lease, key)).spec ?? {},
  };
}

const micro = (time: number): string => new Date(time).toISOString().replace('Z', '000Z');

async function metric(name: string, lease: string): Promise<number | undefined> {
  const { values } = (await metricsRegistry.getSingleMetric(name)?.get()) ?? { values: [] };
  return values.find(({ labels }) => labels['name'] === lease)?.value;
}

test.concurrent(
  'L1: times are written with six digits of a second; the API server refuses three',
  async () => {
    const { start, read, key } = newLease();
    await using candidate = start();
    expect(await candidate.elected).toBe(true);
    const { renewTime, acquireTime } = await read();
    for (const time of [renewTime, acquireTime])
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const spec = { renewTime: new Date().toISOString() };
    const wrong = client.create(Lease, { metadata: { name: `${key.name}-3`, namespace }, spec });
    await expect(wrong).rejects.toMatchObject({ status: 400 });
  },
);

describe.concurrent('L2: a lease is valid for as long as it says since it was seen to change', () => {
  test.each([
    ['an hour ahead', HOUR],
    ['an hour behind', -HOUR],
  ])('also if the clock of its holder is %s', async (_, skew) => {
    const { start, key, settings } = newLease();
    const spec = { holderIdentity: 'skewed', leaseDurationSeconds: 3 };
    await client.create(Lease, { metadata: key, spec: { ...spec, renewTime: micro(Date.now() + skew) } });
    const began = performance.now();
    await using candidate = start();
    // While the holder renews nobody takes over.
    let elected = false;
    void candidate.elected.then(() => (elected = true));
    for (let renewal = 0; renewal < 8; renewal++) {
      await sleep(500);
      const body = { spec: { renewTime: micro(Date.now() + skew) } };
      await client.patch(Lease, key, { type: 'merge', body });
    }
    expect(elected).toBe(false);
    const silent = performance.now();
    // Metadata renews nothing.
    await sleep(1000);
    await client.patch(Lease, key, { type: 'merge', body: { metadata: { labels: { seen: 'yes' } } } });
    expect(await candidate.elected).toBe(true);
    expect(performance.now() - silent).toBeGreaterThan(3000 - settings.retryPeriod * 2.2);
    expect(performance.now() - began).toBeGreaterThan(7000);
  });

  test('also if the clock of this process is an hour behind: it leads, renews and gives up in time', async () => {
    const { start, read } = newLease(ending);
    await using first = start({ today: () => new Date(Date.now() - HOUR) });
    expect(await first.elected).toBe(true);
    await using second = start({ today: () => new Date(Date.now() + HOUR) });
    await sleep(11_000);
    expect((await read()).holderIdentity).toBe(first.elector.identity);
    expect(() => first.fence.check()).not.toThrow();
    await first.elector.stop();
    expect(await second.elected).toBe(true);
  });

  test('a record that does not say how long it is valid is valid for as long as our own', async () => {
    const { start, key } = newLease(short);
    await client.create(Lease, { metadata: key, spec: { holderIdentity: 'terse' } });
    const began = performance.now();
    await using candidate = start();
    expect(await candidate.elected).toBe(true);
    expect(performance.now() - began).toBeGreaterThan(3000);
  });
});

test.concurrent(
  'L3: a renewal is one update; after a conflict the lease is read first, and what others have added stays',
  async () => {
    const { start, key, settings } = newLease();
    const asked: string[] = [];
    await using candidate = start({
      wrap: (inner) => ({
        find: (...args) => (asked.push('find'), inner.find(...args)),
        create: (...args) => (asked.push('create'), inner.create(...args)),
        update: (...args) => (asked.push('update'), inner.update(...args)),
      }),
    });
    expect(await candidate.elected).toBe(true);
    await eventually(() => asked.length >= 5, slow);
    expect(asked.slice(0, 5)).toEqual(['find', 'create', 'update', 'update', 'update']);
    expect(await metric('leader_election_slowpath_total', settings.id)).toBe(0);
    await client.patch(Lease, key, { type: 'merge', body: { metadata: { labels: { by: 'another' } } } });
    await eventually(async () => (await metric('leader_election_slowpath_total', settings.id)) === 1, slow);
    await eventually(() => asked.slice(-3).every((verb) => verb === 'update'), slow);
    const { metadata, spec } = await client.get(Lease, key);
    expect(metadata.labels).toEqual({ by: 'another' });
    expect(spec?.holderIdentity).toBe(candidate.elector.identity);
  },
);

describe.concurrent('L4: of several who find no lease', () => {
  test('one creates it', async () => {
    const { start, read } = newLease();
    const candidates = Array.from({ length: 5 }, () => start());
    await eventually(() => candidates.some(({ elector }) => elector.lease !== undefined), slow);
    await sleep(1500);
    const leaders = candidates.filter(({ elector }) => elector.lease !== undefined);
    expect(leaders).toHaveLength(1);
    expect((await read()).holderIdentity).toBe(leaders[0]?.elector.identity);
    for (const candidate of candidates) await candidate[Symbol.asyncDispose]();
  });

  test('the others take "already exists" for a lost race', async () => {
    const { start, read } = newLease();
    await using first = start();
    expect(await first.elected).toBe(true);
    let blind = true;
    await using second = start({
      wrap: (inner) => ({
        ...methodsOf(inner),
        find: (...args) => {
          if (!blind) return inner.find(...args);
          blind = false;
          return Promise.resolve(undefined);
        },
      }),
    });
    await eventually(() => second.lines.some(({ msg }) => msg === 'Another replica leads'), slow);
    expect(second.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect((await read()).holderIdentity).toBe(first.elector.identity);
  });
});

test.concurrent(
  'L7: a transition is a change of the holder; who keeps the lease keeps its time too',
  async () => {
    const { start, read } = newLease(ending);
    const first = start();
    expect(await first.elected).toBe(true);
    const taken = await read();
    expect(taken.leaseTransitions).toBe(0);
    await eventually(async () => (await read()).renewTime !== taken.renewTime, slow);
    expect(await read()).toMatchObject({ acquireTime: taken.acquireTime, leaseTransitions: 0 });
    await first.elector.stop();
    await using second = start();
    expect(await second.elected).toBe(true);
    const taken2 = await read();
    expect(taken2.leaseTransitions).toBe(1);
    expect(taken2.acquireTime).not.toBe(taken.acquireTime);
  },
);

describe.concurrent('L8: a release', () => {
  test('frees the lease at once, and keeps the number of transitions', async () => {
    const { start, read, settings } = newLease();
    const first = start();
    expect(await first.elected).toBe(true);
    await using second = start();
    await eventually(() => second.lines.some(({ msg }) => msg === 'Another replica leads'), slow);
    const began = performance.now();
    await first.elector.release();
    const { holderIdentity, leaseDurationSeconds } = await read();
    // Unless the second one was that fast.
    if (holderIdentity !== second.elector.identity)
      expect({ holderIdentity, leaseDurationSeconds }).toEqual({
        holderIdentity: '',
        leaseDurationSeconds: 1,
      });
    expect(await second.elected).toBe(true);
    expect(performance.now() - began).toBeLessThan(settings.leaseDuration);
    expect((await read()).leaseTransitions).toBe(1);
    expect(() => first.fence.check()).toThrow(/runtime\/not-leader/);
  });

  test('writes no holder and one second', async () => {
    const { start, read } = newLease();
    await using candidate = start();
    expect(await candidate.elected).toBe(true);
    await candidate.elector.release();
    expect(await read()).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
  });

  test('is tried again after a conflict', async () => {
    const { start, read, key } = newLease();
    await using candidate = start();
    expect(await candidate.elected).toBe(true);
    await client.patch(Lease, key, { type: 'merge', body: { metadata: { labels: { by: 'another' } } } });
    await candidate.elector.release();
    expect((await read()).holderIdentity).toBe('');
  });

  test('leaves the lease of another holder alone', async () => {
    const { start, read, key } = newLease();
    await using candidate = start();
    expect(await candidate.elected).toBe(true);
    await client.patch(Lease, key, { type: 'merge', body: { spec: { holderIdentity: 'another' } } });
    await candidate.elector.release();
    expect((await read()).holderIdentity).toBe('another');
  });

  test('is not made without releaseOnStop', async () => {
    const { start, read, settings } = newLease();
    await using candidate = start({ settings: { ...settings, releaseOnStop: false } });
    expect(await candidate.elected).toBe(true);
    await candidate.elector.release();
    expect((await read()).holderIdentity).toBe(candidate.elector.identity);
  });

  test('is made by one that was stopped while it asked for the lease', async () => {
    const { start, read } = newLease();
    let stop = (): void => undefined;
    await using candidate = start({
      wrap: (inner) => ({
        ...methodsOf(inner),
        create: async (...args) => {
          const lease = await inner.create(...args);
          stop();
          return lease;
        },
      }),
    });
    stop = () => candidate.stop();
    await candidate.elected;
    await candidate.elector.release();
    expect((await read()).holderIdentity).toBe('');
  });
});

describe.concurrent('L11: the lease is deleted', () => {
  test('its holder puts it back, and the others wait for that', async () => {
    const { start, key, read } = newLease();
    await using first = start();
    expect(await first.elected).toBe(true);
    await using second = start();
    await eventually(() => second.lines.some(({ msg }) => msg === 'Another replica leads'), slow);
    for (let i = 0; i < 3; i++) {
      const { metadata } = await client.get(Lease, key);
      await client.delete(Lease, key);
      await eventually(async () => (await client.find(Lease, key))?.metadata.uid !== metadata.uid, slow);
      await eventually(async () => (await client.find(Lease, key)) !== undefined, slow);
      expect((await read()).holderIdentity).toBe(first.elector.identity);
    }
    expect(() => first.fence.check()).not.toThrow();
    expect(second.elector.lease).toBeUndefined();
  });

  test('one whose holder is gone is created by another when it would have ended', async () => {
    const { start, key } = newLease(short);
    const first = start();
    expect(await first.elected).toBe(true);
    await using second = start();
    await eventually(() => second.lines.some(({ msg }) => msg === 'Another replica leads'), slow);
    await first.elector.stop();
    await client.delete(Lease, key);
    expect(await second.elected).toBe(true);
  });
});

test.concurrent('the lead is lost at once when somebody else is written as the holder', async () => {
  const { start, key } = newLease();
  await using candidate = start();
  expect(await candidate.elected).toBe(true);
  await client.patch(Lease, key, { type: 'merge', body: { spec: { holderIdentity: 'usurper' } } });
  expect(await candidate.lost).toMatchObject({
    code: 'runtime/leadership-lost',
    message: expect.stringContaining('usurper holds it'),
  });
  expect(await metric('leader_election_master_status', key.name)).toBe(0);
});

describe.concurrent('L15', () => {
  test('fields of coordinated election are ignored, and kept', async () => {
    const { start, key, read } = newLease();
    await client.create(Lease, {
      metadata: key,
      spec: { strategy: 'OldestEmulationVersion', preferredHolder: 'another' },
    });
    await using candidate = start();
    expect(await candidate.elected).toBe(true);
    await sleep(1000);
    const stored = await read();
    expect(stored.holderIdentity).toBe(candidate.elector.identity);
    // The API server drops both unless its feature CoordinatedLeaderElection is on.
    if (stored.strategy !== undefined) expect(stored.preferredHolder).toBe('another');
  });

  test('a namespace that does not exist ends the wait with an error that names it', async () => {
    const { start, settings } = newLease(short);
    await using candidate = start({ settings: { ...settings, namespace: 'nowhere' } });
    await expect(candidate.elected).rejects.toMatchObject({
      code: 'runtime/election-refused',
      findings: [{ fix: [expect.stringContaining('create the namespace nowhere')] }],
    });
  });
});
