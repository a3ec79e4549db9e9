import { RespClient, type RespValue } from './resp-client.ts';

export const redisPort = 6379;

/** A node of a cluster, as another node or it itself sees it. */
export interface ClusterNode {
  readonly id: string;
  readonly ip: string;
  readonly flags: readonly string[];
  /** Id of the master of a replica. */
  readonly master: string | undefined;
  readonly isLinked: boolean;
  readonly slots: readonly number[];
}

/** Administers Redis clusters. Keeps a connection to each node until it is closed. */
export class RedisAdmin implements Disposable {
  readonly #clients = new Map<string, RespClient>();

  async call(ip: string, ...words: readonly (string | number)[]): Promise<RespValue> {
    const known = this.#clients.get(ip);
    const client = known?.isOpen === true ? known : new RespClient(ip, redisPort);
    this.#clients.set(ip, client);
    return client.call(...words);
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
    for (const client of this.#clients.values()) client.close();
  }
}

/** Reads a line of CLUSTER NODES. @param asked address of the node that was asked, which may not know its own */
function readNode(line: string, asked: string): ClusterNode {
  const [id = '', address = '', flags = '', master = '-', , , , link, ...ranges] = line.split(' ');
  return {
    id,
    ip: address.split(':')[0] || asked,
    flags: flags.split(','),
    master: master === '-' ? undefined : master,
    isLinked: link === 'connected' || flags.includes('myself'),
    // Slots on the way are in brackets.
    slots: ranges.filter((range) => !range.startsWith('[')).flatMap(readRange),
  };
}

function readRange(range: string): readonly number[] {
  const [first = 0, last = first] = range.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
