import { RespClient, RespError, type RedisConnection, type RespValue } from './resp-client.ts';

export const redisPort = 6379;

/** A node of a cluster, as another node or it itself sees it. */
export interface ClusterNode {
  readonly id: string;
  /** Empty if it is not known any more. */
  readonly ip: string;
  readonly flags: readonly string[];
  /** Id of the master of a replica. */
  readonly master: string | undefined;
  readonly isLinked: boolean;
  readonly slots: readonly number[];
}

/** The way to Redis servers. Tests give one of their own. */
export interface RedisApi {
  /** Opens a connection to a server. An error of it is that of the first call. */
  connect(ip: string): RedisConnection;
}

/** Reaches Redis servers by TCP. */
export const tcpRedis: RedisApi = { connect: (ip) => new RespClient(ip, redisPort) };

/** Administers Redis clusters. Keeps a connection to each node until it is disposed of. */
export class RedisAdmin implements Disposable {
  readonly #redis: RedisApi;
  readonly #signal: AbortSignal;
  readonly #connections = new Map<string, RedisConnection>();

  /** @param signal ends all calls: a server that hangs would never answer */
  constructor(redis: RedisApi, signal: AbortSignal) {
    this.#redis = redis;
    this.#signal = signal;
    signal.addEventListener('abort', this.#close);
  }

  async call(ip: string, ...words: readonly (string | number)[]): Promise<RespValue> {
    this.#signal.throwIfAborted();
    const known = this.#connections.get(ip);
    const connection = known?.isOpen === true ? known : this.#redis.connect(ip);
    this.#connections.set(ip, connection);
    try {
      return await connection.call(...words);
    } catch (error) {
      this.#signal.throwIfAborted();
      throw error;
    }
  }

  /** Returns the nodes that a node knows, itself included. */
  async nodes(ip: string): Promise<readonly ClusterNode[]> {
    const text = String(await this.call(ip, 'CLUSTER', 'NODES'));
    return text
      .trim()
      .split('\n')
      .map((line) => readNode(line, ip));
  }

  /** Returns true if a node sees all slots served. */
  async isServing(ip: string): Promise<boolean> {
    return String(await this.call(ip, 'CLUSTER', 'INFO')).includes('cluster_state:ok');
  }

  /** Introduces a node to another one. They learn of the others afterwards, by gossip. */
  async meet(ip: string, other: string): Promise<void> {
    await this.call(ip, 'CLUSTER', 'MEET', other, redisPort);
  }

  /** Lets nodes forget one that leaves the cluster. A node that has forgotten it before refuses. */
  async forget({ id }: ClusterNode, by: readonly ClusterNode[]): Promise<void> {
    await Promise.all(
      by.map(({ ip }) =>
        this.call(ip, 'CLUSTER', 'FORGET', id).catch((error: unknown) => {
          if (!(error instanceof RespError && error.message.includes('Unknown node'))) throw error;
        }),
      ),
    );
  }

  /** Makes an empty node a replica. @param master id of a node that it knows */
  async replicate(ip: string, master: string): Promise<void> {
    await this.call(ip, 'CLUSTER', 'REPLICATE', master);
  }

  /** Gives a node slots that no node has. */
  async addSlots(ip: string, slots: readonly number[]): Promise<void> {
    await this.call(ip, 'CLUSTER', 'ADDSLOTS', ...slots);
  }

  /** Moves a slot with its keys. @param masters all masters, which are told of the new owner */
  async moveSlot(
    slot: number,
    from: ClusterNode,
    to: ClusterNode,
    masters: readonly ClusterNode[],
  ): Promise<void> {
    await this.call(to.ip, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id);
    await this.call(from.ip, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id);
    for (;;) {
      const keys = (await this.call(from.ip, 'CLUSTER', 'GETKEYSINSLOT', slot, 100)) as readonly string[];
      if (keys.length === 0) break;
      await this.call(from.ip, 'MIGRATE', to.ip, redisPort, '', 0, 5000, 'KEYS', ...keys);
    }
    // The new owner comes first: it must not lose the slot if this is interrupted.
    for (const { ip } of [to, from, ...masters.filter((node) => node !== to && node !== from)])
      await this.call(ip, 'CLUSTER', 'SETSLOT', slot, 'NODE', to.id);
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener('abort', this.#close);
    this.#close();
  }

  readonly #close = (): void => {
    for (const connection of this.#connections.values()) connection.close();
  };
}

/** Reads a line of CLUSTER NODES. @param asked address of the node that was asked, which need not know its own */
function readNode(line: string, asked: string): ClusterNode {
  const [id = '', address = '', flagList = '', master = '-', , , , link, ...ranges] = line.split(' ');
  const flags = flagList.split(',');
  const isMyself = flags.includes('myself');
  const [ip = ''] = address.split(':');
  return {
    id,
    ip: isMyself ? asked : ip,
    flags,
    master: master === '-' ? undefined : master,
    isLinked: isMyself || link === 'connected',
    // Slots on the way are in brackets.
    slots: ranges.filter((range) => !range.startsWith('[')).flatMap(readRange),
  };
}

function readRange(range: string): readonly number[] {
  const [first = 0, last = first] = range.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
