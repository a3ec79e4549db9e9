// What a manager does with leader election: who works, in which order things start and stop, and what is written when.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cached,
  createManager,
  defineController,
  type Controller,
  type ControllerClient,
  type ManagerOptions,
  type Runnable,
} from '../../../../../src/index.ts';
import { Event } from '../../../../../src/sdk/k8s/generated/events/v1.ts';
import { ConfigMap } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { Lease } from '../../../../../src/sdk/k8s/generated/coordination/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../../helpers/control-plane.ts';
import { memoryLog } from '../../../../unit/sdk/runtime/memory-log.ts';
import { get } from '../running-manager.ts';

const slow = { timeout: 60_000, interval: 50 };

let plane: SharedControlPlane;
let client: KubeClient;
let namespace: string;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
  namespace = await uniqueNamespace(plane);
});
afterAll(() => client.close());

function electionOf(id: string) {
  return { id, namespace, leaseDuration: '4s', renewDeadline: '3s', retryPeriod: '500ms' } as const;
}

/** A replica that stamps each ConfigMap of the test with its name. */
async function replica(
  id: string,
  options: Partial<ManagerOptions> & { reconcile?: (client: ControllerClient) => Promise<void> } = {},
  ...runnables: readonly Runnable[]
) {
  const { log, lines } = memoryLog();
  const { reconcile, ...more } = options;
  const manager = await createManager({
    name: 'election-test',
    kubeconfig: plane.kubeconfig,
    health: '127.0.0.1:0',
    metrics: { address: '127.0.0.1:0', secure: false },
    namespaces: [namespace],
    cache: [cached(ConfigMap, { labelSelector: `test=${id}` })],
    leaderElection: electionOf(id),
    log,
    ...more,
  });
  const reconciled: string[] = [];
  const controller: Controller = defineController({
    name: uniqueName('stamp'),
    for: ConfigMap,
    async reconcile(map, { client: own, key }) {
      reconciled.push(key.name);
      if (reconcile !== undefined) await reconcile(own);
      else await own.apply(ConfigMap, { metadata: key, data: { seen: map.metadata.name } });
    },
  });
  manager.add(controller);
  for (const runnable of runnables) manager.add(runnable);
  const abort = new AbortController();
  const ended = manager.run({ signal: abort.signal });
  ended.catch(() => undefined);
  let isElected = false;
  void manager.elected.then(() => (isElected = true));
  const stop = async (): Promise<void> => {
    abort.abort(new Error('the test asks to stop'));
    await ended;
  };
  return {
    ...{ manager, lines, reconciled, ended, stop },
    get isElected() {
      return isElected;
    },
    [Symbol.asyncDispose]: () => stop().catch(() => undefined),
  };
}

const mapOf = (id: string, name = uniqueName('map')) => ({
  metadata: { name, namespace, labels: { test: id } },
});

const spec = async (id: string) => (await client.get(Lease, { name: id, namespace })).spec ?? {};

describe.concurrent('of two replicas', () => {
  test('one works; the other is ready with synced caches, writes nothing, and takes over at once when the first one stops', async () => {
    const id = uniqueName('two');
    const map = await client.create(ConfigMap, mapOf(id));
    let free: ControllerClient | undefined;
    const everywhere: string[] = [];
    const leaderOnly: string[] = [];
    const runnables = (name: string): Runnable[] => [
      {
        name: 'everywhere',
        needsLeaderElection: false,
        run: async (context) => {
          everywhere.push(name);
          free = context.client;
        },
      },
      { name: 'leader-only', run: async () => void leaderOnly.push(name) },
    ];
    const first = await replica(id, {}, ...runnables('first'));
    await eventually(() => first.reconciled.length > 0, slow);
    await using second = await replica(id, {}, ...runnables('second'));
    await eventually(async () => (await get(second.manager.ports.health, '/readyz')).status === 200, slow);
    await eventually(() => everywhere.length === 2, slow);
    expect(leaderOnly).toEqual(['first']);
    expect({ first: first.isElected, second: second.isElected }).toEqual({ first: true, second: false });
    // Its cache is complete, and follows.
    const later = await client.create(ConfigMap, mapOf(id));
    await eventually(async () => (await second.manager.client.list(ConfigMap)).items.length === 2, slow);
    await eventually(() => first.reconciled.includes(later.metadata.name ?? ''), slow);
    expect(second.reconciled).toEqual([]);
    const body = { metadata: { annotations: { by: 'second' } } };
    const key = { name: map.metadata.name ?? '', namespace };
    const refused = second.manager.client.patch(ConfigMap, key, { type: 'merge', body });
    await expect(refused).rejects.toMatchObject({ code: 'runtime/not-leader' });
    // What does not need to lead writes at any time.
    await free?.patch(ConfigMap, key, { type: 'merge', body });
    const metrics = (await get(second.manager.ports.metrics, '/metrics')).text;
    expect(metrics).toContain(
      `opsdk_leader_election_fenced_writes_total{name="${id}",outcome="refused"} 1\n`,
    );

    await first.stop();
    expect(['', expect.any(String)]).toContainEqual((await spec(id)).holderIdentity);
    await second.manager.elected;
    await eventually(() => second.reconciled.length >= 2, slow);
    expect(leaderOnly).toEqual(['first', 'second']);
    expect((await spec(id)).leaseTransitions).toBe(1);
    expect(first.lines.map(({ msg }) => msg).slice(-3)).toEqual(['Stopping', 'Lease released', 'Stopped']);
  });

  test('L9: each has an identity of its own, and says in an Event when it becomes the leader', async () => {
    const id = uniqueName('event');
    const holders: (string | undefined)[] = [];
    for (let i = 0; i < 2; i++) {
      await using running = await replica(id);
      await running.manager.elected;
      holders.push((await spec(id)).holderIdentity);
      await running.stop();
    }
    expect(new Set(holders).size).toBe(2);
    const { items } = await client.list(Event, { namespace });
    const events = items
      .filter(({ regarding }) => regarding?.name === id)
      .sort((a, b) => ((a.eventTime ?? '') < (b.eventTime ?? '') ? -1 : 1));
    expect(events).toHaveLength(2);
    expect(events).toMatchObject(
      holders.map((holder) => ({
        type: 'Normal',
        reason: 'LeaderElection',
        note: `${holder} became leader`,
        regarding: { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', namespace },
      })),
    );
  });
});

describe.concurrent('a stop', () => {
  test('L8: releases the lease when the last reconcile has ended, and renews it until then', async () => {
    const id = uniqueName('drain');
    await client.create(ConfigMap, mapOf(id));
    let ended = 0;
    await using running = await replica(id, {
      reconcile: async (own) => {
        // Longer than the renew deadline.
        await sleep(5000);
        await own.create(ConfigMap, mapOf(id, uniqueName('last')));
        ended = performance.now();
      },
    });
    await eventually(() => running.reconciled.length > 0, slow);
    const stopped = running.stop();
    while (ended === 0) {
      const holder = (await spec(id)).holderIdentity;
      if (ended === 0) expect(holder).not.toBe('');
      await sleep(100);
    }
    await eventually(async () => (await spec(id)).holderIdentity === '', { timeout: 10_000, interval: 20 });
    // By itself the lease would end after 4 s.
    expect(performance.now() - ended).toBeLessThan(3000);
    await stopped;
    expect(running.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('does not release the lease if a reconcile does not end; nothing is written afterwards', async () => {
    const id = uniqueName('stuck');
    await client.create(ConfigMap, mapOf(id));
    let own: ControllerClient | undefined;
    await using running = await replica(id, {
      gracefulShutdownTimeout: '500ms',
      reconcile: async (given) => {
        own = given;
        await new Promise(() => undefined);
      },
    });
    await eventually(() => own !== undefined, slow);
    await expect(running.stop()).rejects.toMatchObject({ code: 'runtime/drain-timeout' });
    expect((await spec(id)).holderIdentity).not.toBe('');
    await expect(own?.create(ConfigMap, mapOf(id))).rejects.toMatchObject({ code: 'runtime/not-leader' });
  });

  test('of one that waits for the lease starts nothing, and leaves the lease alone', async () => {
    const id = uniqueName('waiting');
    const other = { holderIdentity: 'other', leaseDurationSeconds: 3600 };
    await client.create(Lease, { metadata: { name: id, namespace }, spec: other });
    await client.create(ConfigMap, mapOf(id));
    await using running = await replica(id);
    await eventually(() => running.lines.some(({ msg }) => msg === 'Another replica leads'), slow);
    await running.stop();
    expect(running.reconciled).toEqual([]);
    expect(running.isElected).toBe(false);
    expect(await spec(id)).toMatchObject(other);
  });
});

describe.concurrent('the loss of the lead', () => {
  test('stops writes, aborts reconciles, ends run with an error, and keeps the lease of the other', async () => {
    const id = uniqueName('loss');
    await client.create(ConfigMap, mapOf(id));
    const seen: unknown[] = [];
    await using running = await replica(id, {
      reconcile: async (own) => {
        for (;;) {
          try {
            await own.create(ConfigMap, { metadata: { generateName: 'busy-', namespace } });
          } catch (error) {
            seen.push(error);
            throw error;
          }
        }
      },
    });
    await eventually(() => running.reconciled.length > 0, slow);
    await client.patch(
      Lease,
      { name: id, namespace },
      { type: 'merge', body: { spec: { holderIdentity: 'another', leaseDurationSeconds: 3600 } } },
    );
    await expect(running.ended).rejects.toMatchObject({ code: 'runtime/leadership-lost' });
    expect(seen).toMatchObject([{ code: expect.stringMatching(/runtime\/(leadership-lost|not-leader)/) }]);
    expect(running.reconciled).toHaveLength(1);
    expect((await spec(id)).holderIdentity).toBe('another');
    const fatal = running.lines.filter(({ msg }) => msg === 'Lost the lead' || msg === 'Lease released');
    expect(fatal).toMatchObject([{ level: 'error', msg: 'Lost the lead' }]);
  });

  test('while it stops makes the stop a failure', async () => {
    const id = uniqueName('loss-at-stop');
    await client.create(ConfigMap, mapOf(id));
    await using running = await replica(id, { reconcile: () => new Promise(() => undefined) });
    await eventually(() => running.reconciled.length > 0, slow);
    const stopped = running.stop();
    await client.patch(
      Lease,
      { name: id, namespace },
      { type: 'merge', body: { spec: { holderIdentity: 'another' } } },
    );
    await expect(stopped).rejects.toMatchObject({ code: 'runtime/leadership-lost' });
    expect(running.lines.find(({ msg }) => msg === 'Still running after the lead was lost')).toMatchObject({
      running: [expect.stringMatching(/^reconcile of ConfigMap/)],
    });
  });
});

test('without election everything starts at once', async () => {
  const id = uniqueName('none');
  await client.create(ConfigMap, mapOf(id));
  await using running = await replica(id, { leaderElection: false });
  await running.manager.elected;
  await eventually(() => running.reconciled.length > 0, slow);
  expect(await client.find(Lease, { name: id, namespace })).toBeUndefined();
  await running.stop();
});
