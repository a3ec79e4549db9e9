// The operator is killed before its writes, once in each run: the next one comes to the same end.
import { describe, expect, test } from 'vitest';
import { EtcdCluster, type EtcdClusterSpec } from '../../src/api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore } from '../../src/api/etcd/v1beta2/etcd-restore.ts';
import { ClusterFixture, key } from './cluster-fixture.ts';
import { killed, Lifeline } from './lifeline.ts';

const version = '3.6.8';

/** A cluster whose operator is killed once. */
class Run implements AsyncDisposable {
  readonly cluster: ClusterFixture;
  readonly life: Lifeline;

  private constructor(cluster: ClusterFixture, life: Lifeline) {
    this.cluster = cluster;
    this.life = life;
  }

  static async start(killAt: number): Promise<Run> {
    const life = new Lifeline(killAt);
    const cluster = await ClusterFixture.start({ through: (etcd) => life.through(etcd) });
    life.follow(cluster.api);
    return new Run(cluster, life);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.cluster[Symbol.asyncDispose]();
  }

  /** @returns the number of writes until the cluster had formed */
  async play({ spec, run }: Scenario): Promise<number> {
    await this.cluster.api.client.create(EtcdCluster, { metadata: key, spec });
    await this.settle();
    const { length } = this.life.writes;
    await run(this);
    return length;
  }

  async change(spec: EtcdClusterSpec): Promise<void> {
    await this.cluster.api.client.patch(EtcdCluster, key, { type: 'merge', body: { spec } });
    await this.settle();
  }

  /** Lets time pass, with the operator that comes after a killed one. */
  async advance(time: '1s' | '31s'): Promise<void> {
    try {
      await this.cluster.api.advance(time);
    } catch (error) {
      if (!String(error).includes(killed)) throw error;
    }
    this.life.revive();
  }

  /** Runs whatever Pods are there or come, until the operator is at rest. */
  async settle(): Promise<void> {
    for (let round = 0; round < 90; round++) {
      await this.cluster.run();
      await this.advance('1s');
      if (!(await this.#isReady())) continue;
      // The status may be older than the last change: the operator looks again after its longest pause.
      await this.advance('31s');
      if (await this.#isReady()) return;
    }
    throw new Error(`not at rest: ${JSON.stringify(await this.cluster.status())}`);
  }

  async #isReady(): Promise<boolean> {
    return (await this.cluster.status())?.reason === 'Ready';
  }
}

interface Scenario {
  readonly title: string;
  readonly spec: EtcdClusterSpec;
  /** Things that happen to the cluster once it has formed. */
  readonly run: (run: Run) => Promise<void>;
  readonly size: number;
  /** True to kill the operator while the cluster forms, too. */
  readonly fromTheStart?: boolean;
}

const storage = { size: '1Gi' };

const scenarios: readonly Scenario[] = [
  {
    title: 'one member that becomes three, and one again',
    spec: { size: 1 },
    async run(run) {
      await run.change({ size: 3 });
      await run.change({ size: 1 });
    },
    size: 1,
    fromTheStart: true,
  },
  {
    title: 'the same with storage',
    spec: { size: 1, storage },
    async run(run) {
      await run.change({ size: 3 });
      await run.change({ size: 1 });
    },
    size: 1,
    fromTheStart: true,
  },
  {
    title: 'an upgrade',
    spec: { version: '3.5.21' },
    run: (run) => run.change({ version }),
    size: 3,
  },
  {
    title: 'another member in the place of one without storage',
    spec: { size: 1 },
    run: (run) => run.change({ pod: { labels: { team: 'web' } } }),
    size: 1,
  },
  {
    title: 'the loss of a member',
    spec: {},
    async run(run) {
      const [lost = ''] = await run.cluster.podNames();
      await run.cluster.losePod(lost);
      await run.settle();
    },
    size: 3,
  },
  { title: 'a restore', spec: {}, run: restore, size: 3 },
];

/** Plays the controller of EtcdRestore, and the end of the old members with their data. */
async function restore(run: Run): Promise<void> {
  const { api, etcd } = run.cluster;
  const metadata = { ...key, name: 'back' };
  const old = await run.cluster.podNames();
  await api.client.create(EtcdRestore, {
    metadata,
    spec: {
      etcdCluster: { name: key.name },
      backupStorageType: 'S3',
      s3: { path: 'backups/one', awsSecret: 'aws' },
    },
  });
  await api.client.applyStatus(EtcdRestore, metadata, { phase: 'Restoring', reason: 'ReplacingMembers' });
  for (let round = 0; round < 20; round++) {
    await run.advance('1s');
    const names = await run.cluster.podNames();
    if (old.some((name) => names.includes(name))) continue;
    etcd.known = [];
    await run.cluster.run();
    if (etcd.known.length > 0) break;
  }
  expect(etcd.known).toHaveLength(1);
  await api.client.applyStatus(EtcdRestore, metadata, { phase: 'Succeeded', reason: 'Restored' });
  await run.settle();
}

async function expectEnd({ cluster }: Run, scenario: Scenario): Promise<void> {
  const names = await cluster.podNames();
  expect(names).toHaveLength(scenario.size);
  expect(cluster.etcd.names).toEqual(names);
  expect(cluster.etcd.known.filter(({ isLearner }) => isLearner === true)).toEqual([]);
  const claims = await cluster.claimNames();
  if (claims.length > 0) expect(claims).toEqual(names.map((name) => `data-${name}`));
  expect(await cluster.status()).toMatchObject({
    ...{ phase: 'Running', reason: 'Ready', size: scenario.size, currentVersion: version },
    members: { ready: names, unready: [] },
  });
  expect(await cluster.condition('Degraded')).toMatchObject({ status: 'False' });
}

/** Returns the first, a middle and the last write of each kind. @param from number of the first write to look at */
function chosenWrites(writes: readonly string[], from: number): readonly number[] {
  const numbers = new Map<string, number[]>();
  for (const [number, what] of writes.entries())
    if (number >= from) numbers.set(what, [...(numbers.get(what) ?? []), number]);
  const chosen = [...numbers.values()].flatMap((all) =>
    [0, 0.5, 1].map((part) => all[Math.floor(part * (all.length - 1))]),
  );
  return [...new Set(chosen)].filter((number) => number !== undefined).sort((a, b) => a - b);
}

describe('EtcdCluster whose operator is killed before a write', () => {
  test.each(scenarios)('goes on with $title', { timeout: 300_000 }, async (scenario) => {
    let kills: readonly number[];
    {
      await using run = await Run.start(Infinity);
      const formed = await run.play(scenario);
      await expectEnd(run, scenario);
      kills = chosenWrites(run.life.writes, scenario.fromTheStart === true ? 0 : formed);
    }
    expect(kills.length).toBeGreaterThan(3);
    for (const killAt of kills) {
      await using run = await Run.start(killAt);
      try {
        await run.play(scenario);
        await expectEnd(run, scenario);
      } catch (error) {
        throw new Error(`killed before write ${killAt}, ${run.life.killedAt}: ${String(error)}`, {
          cause: error,
        });
      }
    }
  });
});
