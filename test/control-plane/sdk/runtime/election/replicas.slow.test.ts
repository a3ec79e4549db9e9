// Replicas as processes of their own, each with its own user, on a real API server with an audit log: who writes, and when.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createManager } from '../../../../../src/index.ts';
import { Lease } from '../../../../../src/sdk/k8s/generated/coordination/v1.ts';
import { ConfigMap } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { Role, RoleBinding } from '../../../../../src/sdk/k8s/generated/rbac/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../../src/sdk/kube/index.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../../src/testing/index.ts';
import { uniqueName, uniqueNamespace } from '../../../../helpers/control-plane.ts';
import { isThorough } from '../../../../helpers/thorough.ts';
import { memoryLog } from '../../../../unit/sdk/runtime/memory-log.ts';
import { bundleOperator } from '../bundle-operator.ts';
import { replicaSource, startReplica, violationsIn, writesOf, type Replica, type Times } from './replica.ts';

const slow = { timeout: 90_000, interval: 50 };
const short: Times = { leaseDuration: 3000, renewDeadline: 2000, retryPeriod: 300 };
/** Those of operators. */
const constants: Times = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 };

let folder: string;
let plane: ControlPlane;
let client: KubeClient;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'opsdk-replicas-'));
  const audit = {
    omitStages: ['ResponseStarted'],
    rules: [
      { level: 'Metadata', verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
      { level: 'None' },
    ],
  } as const;
  [plane] = await Promise.all([
    startControlPlane({ controllerManager: true, audit }),
    bundleOperator(replicaSource, folder),
  ]);
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
});
afterAll(async () => {
  await client.close();
  await plane.stop();
  rmSync(folder, { recursive: true });
});

/** A namespace with ConfigMaps to write, a lease, and as many replicas as the test starts. */
async function setUp(times: Times, block = 0) {
  const namespace = await uniqueNamespace(plane);
  const lease = uniqueName('lease');
  const started: Replica[] = [];
  for (let i = 0; i < 4; i++) await client.create(ConfigMap, { metadata: { name: `work-${i}`, namespace } });
  const users = new Map<string, string>();
  const start = async (user: string): Promise<Replica> => {
    const name = `${namespace}-${user}`;
    let kubeconfig = users.get(name);
    if (kubeconfig === undefined) {
      kubeconfig = (await plane.userKubeconfig(name, ['system:masters'])).path;
      users.set(name, kubeconfig);
    }
    const replica = startReplica({ folder, kubeconfig, user: name, namespace, lease, times, block });
    started.push(replica);
    return replica;
  };
  const becomesLeader = (replica: Replica): Promise<unknown> =>
    eventually(
      () =>
        replica.has('Became the leader') ||
        (replica.isRunning ? false : Promise.reject(new Error(replica.output))),
      slow,
    );
  return {
    ...{ namespace, lease, start, becomesLeader },
    /** A leader that writes, and another replica that waits. */
    async pair() {
      const first = await start('a');
      await becomesLeader(first);
      const second = await start('b');
      await eventually(() => second.has('Another replica leads'), slow);
      await writes(first.user);
      return [first, second] as const;
    },
    writes,
    readLease: async () => (await client.get(Lease, { name: lease, namespace })).spec ?? {},
    records: async () => writesOf(await plane.readAuditEvents(), new Set(users.keys()), lease),
    async [Symbol.asyncDispose]() {
      for (const replica of started) await replica[Symbol.asyncDispose]();
    },
  };

  /** Waits until the replica has written after the call. */
  async function writes(user: string): Promise<void> {
    const stamp = async () => (await client.get(ConfigMap, { name: 'work-0', namespace })).data;
    const before = await stamp();
    await eventually(async () => {
      const now = await stamp();
      return now?.['writer'] === user && now['count'] !== before?.['count'];
    }, slow);
  }
}

describe('a leader that did not run for longer than its deadline', () => {
  async function findsOut(times: Times, milliseconds: number, how: 'stopped' | 'blocked'): Promise<void> {
    await using cluster = await setUp(times, milliseconds);
    const [first, second] = await cluster.pair();
    if (how === 'blocked') first.process.kill('SIGUSR2');
    else {
      first.process.kill('SIGSTOP');
      setTimeout(() => first.process.kill('SIGCONT'), milliseconds);
    }
    await cluster.becomesLeader(second);
    await cluster.writes(second.user);
    expect(await first.ended, first.output).toBe(1);
    expect(first.output).toContain('runtime/leadership-lost');
    expect(first.has('Lease released')).toBe(false);
    await sleep(300);
    const records = await cluster.records();
    const takeover = records.find(({ user, isLease }) => isLease && user === second.user)?.received ?? '';
    const late = records.filter(({ user, received }) => user === first.user && received > takeover);
    // Not once, also of those writes that the first one had prepared. SIGSTOP may hit it between its look at the time and the write into the
    // socket: then that one request goes out.
    expect(late.length).toBeLessThanOrEqual(how === 'stopped' ? 1 : 0);
    expect(violationsIn(records.filter((record) => !late.includes(record)))).toEqual([]);
  }

  test('L13: because it was stopped, writes nothing when it goes on, and ends', () =>
    findsOut(short, 5500, 'stopped'));
  test('L10, L13: because its event loop was blocked, writes nothing when it goes on, and ends', () =>
    findsOut(short, 5500, 'blocked'));
  test.runIf(isThorough)('L13: for 20 s, with the constants of operators', () =>
    findsOut(constants, 20_000, 'stopped'),
  );
  test.runIf(isThorough)('L10: blocked for 20 s, with the constants of operators', () =>
    findsOut(constants, 20_000, 'blocked'),
  );
});

test('L10: a leader whose event loop is blocked for less than its deadline keeps the lead', async () => {
  await using cluster = await setUp({ leaseDuration: 6000, renewDeadline: 4500, retryPeriod: 300 }, 2000);
  const [first, second] = await cluster.pair();
  for (let i = 0; i < 2; i++) {
    first.process.kill('SIGUSR2');
    await sleep(2500);
    await cluster.writes(first.user);
  }
  expect(first.has('Event loop was blocked')).toBe(true);
  expect(second.has('Became the leader')).toBe(false);
  expect(violationsIn(await cluster.records())).toEqual([]);
});

describe('the leader', () => {
  async function isKilled(times: Times): Promise<void> {
    await using cluster = await setUp(times);
    const [first, second] = await cluster.pair();
    const began = performance.now();
    first.process.kill('SIGKILL');
    await cluster.writes(second.user);
    expect(performance.now() - began).toBeLessThan(times.leaseDuration + 9000);
    expect(violationsIn(await cluster.records())).toEqual([]);
  }
  test('AS7.a: is killed: another one writes once its lease has ended', () => isKilled(short));
  test.runIf(isThorough)('is killed: another one writes within leaseDuration + 9 s', () =>
    isKilled(constants),
  );

  async function isTerminated(times: Times, limit: number): Promise<void> {
    await using cluster = await setUp(times);
    const [first, second] = await cluster.pair();
    await client.create(ConfigMap, {
      metadata: { name: 'long', namespace: cluster.namespace },
      data: { takes: '1500' },
    });
    await sleep(500);
    first.process.kill('SIGTERM');
    expect(await first.ended, first.output).toBe(0);
    await cluster.writes(second.user);
    const records = await cluster.records();
    const at = ({ received }: { readonly received: string } = { received: '' }): number =>
      Date.parse(received);
    const release = records.filter(({ user, isLease }) => isLease && user === first.user).at(-1);
    const lastReconcile = records.filter(({ user, isLease }) => !isLease && user === first.user).at(-1);
    const next = records.find(({ user, isLease }) => !isLease && user === second.user);
    expect(first.has('Lease released')).toBe(true);
    expect(at(release)).toBeGreaterThanOrEqual(at(lastReconcile));
    expect(at(release) - at(lastReconcile)).toBeLessThan(1000);
    expect(at(next) - at(release)).toBeLessThan(limit);
    expect(violationsIn(records)).toEqual([]);
  }
  test('L8: is asked to end: it releases the lease when its last reconcile has ended, and another one writes', () =>
    isTerminated(short, 5000));
  test.runIf(isThorough)('is asked to end: another one writes within 5 s of the release', () =>
    isTerminated(constants, 5000),
  );

  test('L8: has an uncaught exception: it ends in order, and releases the lease', async () => {
    await using cluster = await setUp({ ...short, leaseDuration: 60_000 });
    const [first, second] = await cluster.pair();
    const { namespace } = cluster;
    await client.create(ConfigMap, { metadata: { name: 'broken', namespace }, data: { breaks: 'yes' } });
    expect(await first.ended, first.output).toBe(1);
    expect(first.has('Lease released')).toBe(true);
    // The lease would have lasted for a minute.
    await cluster.becomesLeader(second);
    expect(violationsIn(await cluster.records())).toEqual([]);
  });
});

test('of three replicas under random kills, stops and blocks at most one writes at any time', async () => {
  await using cluster = await setUp(short, 4000);
  const users = ['a', 'b', 'c'];
  const replicas = new Map<string, Replica>();
  const done: string[] = [];
  for (const user of users) replicas.set(user, await cluster.start(user));
  const end = performance.now() + (isThorough ? 120_000 : 24_000);
  const stopped = new Set<Replica>();
  while (performance.now() < end) {
    await sleep(400 + Math.random() * 2200);
    for (const [user, replica] of replicas) {
      if (!replica.isRunning) replicas.set(user, await cluster.start(user));
    }
    const running = [...replicas.values()].filter((replica) => !stopped.has(replica));
    const leader = running.find((replica) => replica.has('Became the leader'));
    const anyone = running[Math.floor(Math.random() * running.length)];
    const victim = Math.random() < 0.75 ? (leader ?? anyone) : anyone;
    const signal = (['SIGKILL', 'SIGTERM', 'SIGSTOP', 'SIGUSR2'] as const)[Math.floor(Math.random() * 4)];
    if (victim === undefined || signal === undefined) continue;
    // Before its handlers are there, SIGUSR2 kills it.
    if (signal === 'SIGUSR2' && !victim.has('Waiting to become the leader')) continue;
    done.push(`${signal} ${victim.user}`);
    victim.process.kill(signal);
    if (signal !== 'SIGSTOP') continue;
    stopped.add(victim);
    setTimeout(() => {
      stopped.delete(victim);
      victim.process.kill('SIGCONT');
    }, Math.random() * 6000);
  }
  // In the end one of them works. One that was blocked or stopped as the leader still ends, and a killed one may not have ended yet: each
  // is started again, as by a Deployment.
  for (const replica of stopped) replica.process.kill('SIGCONT');
  const before = (await cluster.records()).length;
  await eventually(async () => {
    for (const [user, replica] of replicas) {
      if (!replica.isRunning) replicas.set(user, await cluster.start(user));
    }
    const ends = [...replicas].map(([user, replica]) => `${user}: ${replica.output.slice(-2000)}`);
    const written = (await cluster.records()).length - before;
    expect(written, [done.join(', '), ...ends].join('\n')).toBeGreaterThan(50);
  }, slow);
  const records = await cluster.records();
  // As above: what was on its way into the socket when SIGSTOP came still goes out, one request each time.
  const violations = violationsIn(records);
  for (const { user } of replicas.values()) {
    const stops = done.filter((each) => each === `SIGSTOP ${user}`);
    const theirs = violations.filter((each) => each.includes(` ${user} `));
    expect(theirs.length, [...theirs, ...done].join(', ')).toBeLessThanOrEqual(stops.length);
  }
  const takeovers = records
    .filter(({ isLease }) => isLease)
    .filter(({ user }, i, all) => user !== all[i - 1]?.user);
  expect(takeovers.length, done.join(', ')).toBeGreaterThan(isThorough ? 10 : 2);
}, 300_000);

describe('L15: without permission for its Lease', () => {
  const start = async (kubeconfig: string, namespace: string, id: string) => {
    const { log, lines } = memoryLog();
    const times = { leaseDuration: '4s', renewDeadline: '1500ms', retryPeriod: '300ms' } as const;
    const manager = await createManager({
      ...{ name: 'permission', kubeconfig, health: '0', log },
      leaderElection: { id, namespace, ...times },
    });
    const stop = new AbortController();
    return { manager, lines, stop, ended: manager.run({ signal: stop.signal }) };
  };

  test('an operator ends with the rule that it needs', async () => {
    const namespace = await uniqueNamespace(plane);
    const { path } = await plane.userKubeconfig(uniqueName('nobody'));
    const { ended, lines } = await start(path, namespace, 'denied.example.com');
    await expect(ended).rejects.toMatchObject({
      code: 'runtime/election-refused',
      findings: [
        {
          message: expect.stringMatching(/cannot get resource "leases" in API group "coordination.k8s.io"/),
          where: { object: `Lease ${namespace}/denied.example.com` },
          fix: [
            expect.stringContaining('"apiGroups":["coordination.k8s.io"],"resources":["leases"]'),
            expect.stringContaining('config/rbac/leader_election_role.yaml'),
          ],
        },
      ],
    });
    // Each further refusal is at level debug.
    const errors = lines.filter(({ level, msg }) => level === 'error' && msg === 'Cannot get the lease');
    expect(errors).toHaveLength(1);
  });

  test("the scaffold's Role is enough, for the Lease and for the Event about it", async () => {
    const namespace = await uniqueNamespace(plane);
    const user = uniqueName('somebody');
    const { path } = await plane.userKubeconfig(user);
    const golden = new URL(
      '../../../../golden/projects/basic/config/rbac/leader_election_role.yaml',
      import.meta.url,
    );
    const role = parse(readFileSync(golden, 'utf8')) as Role;
    const [lease = ''] = role.rules?.flatMap(({ resourceNames }) => resourceNames ?? []) ?? [];
    const metadata = { name: 'election', namespace };
    await client.create(Role, { ...role, metadata });
    await client.create(RoleBinding, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'election' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });
    const { manager, lines, stop, ended } = await start(path, namespace, lease);
    await manager.elected;
    await sleep(1000);
    stop.abort(new Error('the test asks to stop'));
    await ended;
    expect(lines.filter(({ level }) => level !== 'info' && level !== 'debug')).toEqual([]);
    expect(lines.some(({ msg }) => msg === 'Lease released')).toBe(true);
  });
});
