import { setTimeout as pause } from 'node:timers/promises';
import { parseClusterNodes, type ClusterNode } from './cluster-node.ts';
import { parseNodeInfo, type NodeInfo } from './node-info.ts';
import type { RespData, RespValue, RespWord } from './resp.ts';
import { RespClient, RespError, type RedisConnection } from './resp-client.ts';

export const redisPort = 6379;

/** Milliseconds after which a server gives up a failover that it was asked for. */
const failOverTimeout = 5000;

const pollInterval = 50;

/** The way to Redis servers. Tests give one of their own. */
export interface RedisApi {
  /** Opens a connection to a server. An error of it is that of the first call. */
  connect(ip: string, password: string | undefined): RedisConnection;
}

/** Reaches Redis servers by TCP. */
export const tcpRedis: RedisApi = {
  connect: (host, password) => new RespClient({ host, port: redisPort, password }),
};

interface RedisAdminOptions {
  readonly redis: RedisApi;
  readonly password?: string | undefined;
  /** Ends all calls: a server that hangs would never answer. */
  readonly signal: AbortSignal;
}

/** Administers Redis clusters. Keeps a connection to each node until it is disposed of. */
export class RedisAdmin implements Disposable {
  readonly #options: RedisAdminOptions;
  readonly #connections = new Map<string, RedisConnection>();

  constructor(options: RedisAdminOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', this.#close);
  }

  async call(ip: string, ...words: readonly RespWord[]): Promise<RespValue> {
    return this.#call(ip, (connection) => connection.call(...words));
  }

  async callBinary(ip: string, ...words: readonly RespWord[]): Promise<RespData> {
    return this.#call(ip, (connection) => connection.callBinary(...words));
  }

  async #call<T>(ip: string, send: (connection: RedisConnection) => Promise<T>): Promise<T> {
    const { redis, password, signal } = this.#options;
    signal.throwIfAborted();
    const known = this.#connections.get(ip);
    const connection = known?.isOpen === true ? known : redis.connect(ip, password);
    this.#connections.set(ip, connection);
    try {
      return await send(connection);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  /** Returns the nodes that a node knows, itself included. */
  async nodes(ip: string): Promise<readonly ClusterNode[]> {
    return parseClusterNodes(String(await this.call(ip, 'CLUSTER', 'NODES')), ip);
  }

  /** Returns true if a node sees all slots served. */
  async isServing(ip: string): Promise<boolean> {
    return String(await this.call(ip, 'CLUSTER', 'INFO')).includes('cluster_state:ok');
  }

  /** Returns what a node says of its replication and its load. */
  async info(ip: string): Promise<NodeInfo> {
    return parseNodeInfo(String(await this.call(ip, 'INFO')));
  }

  /** Introduces a node to another one, or brings its new address. Others learn of it afterwards, by gossip. */
  async meet(ip: string, other: string): Promise<void> {
    await this.call(ip, 'CLUSTER', 'MEET', other, redisPort);
  }

  /** Lets nodes forget one that has left the cluster. One that has forgotten it before refuses, which is not an error. */
  async forget(id: string, by: readonly string[]): Promise<void> {
    await Promise.all(
      by.map((ip) =>
        this.call(ip, 'CLUSTER', 'FORGET', id).catch((error: unknown) => {
          if (!(error instanceof RespError && error.message.includes('Unknown node'))) throw error;
        }),
      ),
    );
  }

  /** Makes an empty node a replica, or a replica that of another master. @param master ID of a node that it knows */
  async replicate(ip: string, master: string): Promise<void> {
    await this.call(ip, 'CLUSTER', 'REPLICATE', master);
  }

  /**
   * Lets a replica and its master swap roles, without losing a write. The server answers before it has happened, and begins again when it is
   * asked again: so this waits for the end, or until the server has given up.
   */
  async failOver(ip: string): Promise<void> {
    await this.call(ip, 'CLUSTER', 'FAILOVER');
    for (const end = Date.now() + failOverTimeout; Date.now() < end;) {
      if (String(await this.call(ip, 'ROLE')).startsWith('master')) return;
      await pause(pollInterval, undefined, { signal: this.#options.signal });
    }
  }

  /** Makes a replica the master without asking the others. Writes that it has not received are lost. */
  async takeOver(ip: string): Promise<void> {
    await this.call(ip, 'CLUSTER', 'FAILOVER', 'TAKEOVER');
  }

  /** Gives a node slots that no node has. */
  async addSlots(ip: string, slots: readonly number[]): Promise<void> {
    await this.call(ip, 'CLUSTER', 'ADDSLOTS', ...slots);
  }

  /** Ends the move of a slot on one node; the slot stays where it is. */
  async stabilize(ip: string, slot: number): Promise<void> {
    await this.call(ip, 'CLUSTER', 'SETSLOT', slot, 'STABLE');
  }

  /**
   * Moves a slot with its keys. It may be called again after it was interrupted anywhere, with the same nodes.
   * @param masters all masters, which learn the new owner
   * @see https://redis.io/docs/latest/commands/cluster-setslot/
   */
  async moveSlot(
    slot: number,
    from: ClusterNode,
    to: ClusterNode,
    masters: readonly ClusterNode[],
  ): Promise<void> {
    try {
      await this.call(to.ip, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id);
      await this.call(from.ip, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id);
      await this.#moveKeys(slot, from, to);
      // The new owner comes first: it must not lose the slot if this is interrupted.
      await this.call(to.ip, 'CLUSTER', 'SETSLOT', slot, 'NODE', to.id);
    } catch (error) {
      // It was interrupted after the new owner had the slot: only the others may not know that yet.
      if (!(error instanceof RespError && /already the owner|not the owner/.test(error.message))) throw error;
      if (!(await this.nodes(to.ip)).some(({ id, slots }) => id === to.id && slots.includes(slot)))
        throw error;
    }
    await this.#announce(slot, from, to);
    const others = masters.filter(({ id }) => id !== to.id && id !== from.id);
    await Promise.all(others.map((master) => this.#announce(slot, master, to)));
  }

  /** Lets a master know the new owner of a slot. One that has lost its last slot meanwhile is a replica, and learns it from its master. */
  async #announce(slot: number, { ip }: ClusterNode, to: ClusterNode): Promise<void> {
    await this.call(ip, 'CLUSTER', 'SETSLOT', slot, 'NODE', to.id).catch((error: unknown) => {
      if (!(error instanceof RespError && error.message.includes('only with masters'))) throw error;
    });
  }

  async #moveKeys(slot: number, from: ClusterNode, to: ClusterNode): Promise<void> {
    const { password } = this.#options;
    const auth = password === undefined ? [] : ['AUTH', password];
    for (;;) {
      const keys = (await this.callBinary(from.ip, 'CLUSTER', 'GETKEYSINSLOT', slot, 100)) as Buffer[];
      if (keys.length === 0) break;
      // Where both have a key, a move was interrupted: that of the owner is the newer one.
      await this.call(from.ip, 'MIGRATE', to.ip, redisPort, '', 0, 5000, 'REPLACE', ...auth, 'KEYS', ...keys);
    }
  }

  [Symbol.dispose](): void {
    this.#options.signal.removeEventListener('abort', this.#close);
    this.#close();
  }

  readonly #close = (): void => {
    for (const connection of this.#connections.values()) connection.close();
  };
}
