// The operator is killed before a write of each kind, again and again: those that come after it reach the same end.
import { StatefulSet } from 'opsdk/k8s/apps/v1';
import { expect, test } from 'vitest';
import {
  DistributedRedisCluster,
  type DistributedRedisClusterSpec,
} from '../../src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { killed, Lifeline } from '../fixtures/lifeline.ts';
import { key, RedisClusterFixture } from '../fixtures/redis-cluster-fixture.ts';

/** Keys by their slots: at the ends of shares, and several in one slot. */
const keys: Readonly<Record<string, number>> = {
  ...{ first: 0, again: 0, last: 16_383, end: 5461, begin: 5462, middle: 11_000 },
};

/** A cluster whose operators are killed. */
class Run implements AsyncDisposable {
  readonly cluster: RedisClusterFixture;
  readonly life: Lifeline;

  private constructor(cluster: RedisClusterFixture, life: Lifeline) {
    this.cluster = cluster;
    this.life = life;
  }

  static async start(nth: number): Promise<Run> {
    const life = new Lifeline(nth);
    const cluster = await RedisClusterFixture.start({ through: (redis) => life.through(redis) });
    life.follow(cluster.api);
    return new Run(cluster, life);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cluster[Symbol.asyncDispose]();
  }

  /** A cluster of three shards with keys becomes one of four, and one of three again. */
  async play(): Promise<void> {
    await this.cluster.api.client.create(DistributedRedisCluster, { metadata: key, spec: {} });
    await this.#settle(3);
    for (const [name, slot] of Object.entries(keys)) this.cluster.redis.put(name, slot);
    for (const masterSize of [4, 3]) {
      await this.#change({ masterSize });
      await this.#settle(masterSize);
      expect([...this.cluster.redis.keys].sort()).toEqual(Object.keys(keys).sort());
    }
    await this.#change({ config: { maxmemory: '1gb' } });
    await this.#settle(3);
  }

  async expectEnd(): Promise<void> {
    const { cluster } = this;
    expect([...cluster.redis.keys].sort()).toEqual(Object.keys(keys).sort());
    expect(await cluster.names(StatefulSet)).toEqual(['example-0', 'example-1', 'example-2']);
    const { status } = await cluster.api.client.get(DistributedRedisCluster, key);
    expect(status).toMatchObject({ phase: 'Healthy', masters: 3, replicas: 3 });
    const nodes = status?.nodes ?? [];
    expect(nodes.map(({ slots }) => slots).sort((a, b) => b - a)).toEqual([5462, 5461, 5461, 0, 0, 0]);
    for (const { ip } of nodes) {
      expect(cluster.redis.knownBy(ip)).toHaveLength(6);
      expect([...cluster.redis.at(ip).moving.keys()]).toEqual([]);
    }
    expect(await cluster.condition('Degraded')).toMatchObject({ status: 'False' });
  }

  async #change(spec: Partial<DistributedRedisClusterSpec>): Promise<void> {
    await this.cluster.api.client.patch(DistributedRedisCluster, key, { type: 'merge', body: { spec } });
  }

  /** Runs the Pods, with the operator that comes after a killed one, until it has nothing left to do. */
  async #settle(masters: number): Promise<void> {
    for (let round = 0; round < 60; round++) {
      await this.#survive(() => this.cluster.run());
      if (!(await this.#isHealthy(masters))) continue;
      // The status may be older than the last change: the operator looks again after its longest pause.
      await this.#survive(() => this.cluster.api.advance('16s'));
      await this.#survive(() => this.cluster.run());
      if (await this.#isHealthy(masters)) return;
    }
    throw new Error(`not healthy: ${JSON.stringify(await this.cluster.status())}`);
  }

  async #isHealthy(masters: number): Promise<boolean> {
    const status = await this.cluster.status();
    return status?.phase === 'Healthy' && status.masters === masters;
  }

  async #survive(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!String(error).includes(killed)) throw error;
    }
    this.life.revive();
  }
}

test.each([1, 2, 3, 7, 50, 1500])(
  'goes on from three shards to four and back, and with other Pods, when it is killed before write %i of each kind',
  { timeout: 300_000 },
  async (nth) => {
    await using run = await Run.start(nth);
    await run.play();
    await run.expectEnd();
    expect(run.life.kills.length).toBeGreaterThan(nth === 1 ? 10 : 2);
  },
);
