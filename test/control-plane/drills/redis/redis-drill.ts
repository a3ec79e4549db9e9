import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../../../../src/testing/index.ts';
import {
  DistributedRedisCluster,
  type RedisNode,
} from '../../../../examples/redis-operator/src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { clusterController } from '../../../../examples/redis-operator/src/controllers/redis/distributed-redis-cluster.ts';
import { redisClusterBackupController } from '../../../../examples/redis-operator/src/controllers/redis/redis-cluster-backup.ts';
import { RedisAdmin, tcpRedis } from '../../../../examples/redis-operator/src/redis/redis-admin.ts';
import type { RespValue } from '../../../../examples/redis-operator/src/redis/resp.ts';
import { callOwner } from '../../../helpers/redis-cluster-call.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';
import { bundleExample, type OperatorProgram } from '../operator-program.ts';
import { startDrill, type Drill } from '../start-drill.ts';

export const namespace = 'default';
export const slow = { timeout: 120_000 };
const project = join(repositoryRoot, 'examples/redis-operator');

/** The Redis operator, and three nodes on which redis-server and the program of backups are processes. */
export class RedisDrill implements AsyncDisposable {
  readonly drill: Drill;
  readonly password: string | undefined;
  readonly #program: OperatorProgram;
  readonly #admin: RedisAdmin;

  private constructor(drill: Drill, password: string | undefined, program: OperatorProgram) {
    this.drill = drill;
    this.password = password;
    this.#program = program;
    const { signal } = new AbortController();
    this.#admin = new RedisAdmin({ redis: tcpRedis, password, signal });
  }

  /** @param password of the clusters. Default: none */
  static async start(password?: string): Promise<RedisDrill> {
    const program = await bundleExample('redis-operator');
    const drill = await startDrill({
      operator: { project },
      nodes: 3,
      runProcesses: {
        // The programs of the image are those of this machine.
        redis: ({ command: [file = '', ...command], args }) => ({ file, args: [...command, ...args] }),
        'redis-operator': ({ args }) => ({ file: process.execPath, args: [program.main, ...args] }),
      },
      controllers: () => [clusterController(), redisClusterBackupController],
    });
    return new RedisDrill(drill, password, program);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#admin[Symbol.dispose]();
    await this.drill.end();
    await this.#program.remove();
  }

  /** Waits until a cluster is in order. @param of namespace of the cluster; @returns its nodes */
  async untilHealthy(
    name: string,
    masters: number,
    replicas: number,
    of = namespace,
  ): Promise<readonly RedisNode[]> {
    return eventually(async () => {
      const key = { name, namespace: of };
      const { metadata, status } = await this.drill.client.get(DistributedRedisCluster, key);
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      // What it waits for, and errors of steps, are in the conditions.
      const state = JSON.stringify([status?.step, status?.conditions]);
      expect(ready, state).toMatchObject({ status: 'True', observedGeneration: metadata.generation });
      expect(status, state).toMatchObject({ phase: 'Healthy', masters, replicas });
      const { nodes = [] } = status ?? {};
      expect(nodes.reduce((sum, { slots }) => sum + slots, 0)).toBe(16_384);
      return nodes;
    }, slow);
  }

  /** Sends a command about a key to the node that has it. */
  call(node: RedisNode | undefined, ...words: readonly string[]): Promise<RespValue> {
    return callOwner(this.#admin, node?.ip ?? '', ...words);
  }
}
