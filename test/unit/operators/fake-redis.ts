import type { RedisApi } from '../../operators/redis/redis-admin.ts';
import { RespError, type RedisConnection, type RespValue } from '../../operators/redis/resp-client.ts';

const slotCount = 16_384;

/** What the others are told of a node. */
interface Heard {
  readonly ip: string;
  readonly isDown: boolean;
  readonly master: string | undefined;
  readonly slots: readonly number[];
}

/** A server, with what it knows of the others. */
class FakeNode {
  readonly id: string;
  /** Empty once another server has it. */
  ip: string;
  isDown = false;
  /** Answers to nothing until a connection to it is closed. */
  isHung = false;
  master: string | undefined;
  readonly slots = new Set<number>();
  /** Slots on their way to it or from it, by the other node. */
  readonly moving = new Map<number, string>();
  readonly keys = new Map<number, string[]>();
  /** Addresses that it was told to meet. */
  readonly met = new Set<string>();
  /** Nodes that it knows, as it has heard of them last. */
  readonly known = new Map<string, Heard>();
  /** Nodes that gossip does not bring back. */
  readonly forgotten = new Set<string>();

  constructor(id: string, ip: string) {
    this.id = id;
    this.ip = ip;
  }

  heard(): Heard {
    const { ip, isDown, master, slots } = this;
    return { ip, isDown, master, slots: [...slots] };
  }

  /** Returns the owner of a slot as the node sees it. */
  ownerOf(slot: number): string | undefined {
    if (this.slots.has(slot)) return this.id;
    return [...this.known].find(([, { slots }]) => slots.includes(slot))?.[0];
  }
}

type Command = (node: FakeNode, words: readonly string[]) => RespValue;

/** Redis servers of the test, by their addresses. They answer to the commands that the operator sends. */
export class FakeRedis implements RedisApi {
  /** False to let nodes hear nothing of each other. */
  gossips = true;
  /** Errors of commands by their first words, such as `CLUSTER MEET`. */
  readonly errors = new Map<string, Error>();
  /** Connections that were not closed. */
  readonly open = new Set<RedisConnection>();
  readonly #nodes: FakeNode[] = [];
  readonly #slotOf = new Map<string, number>();

  /** Starts a server without data, or one again that was stopped. */
  start(ip: string): void {
    const stopped = this.#nodes.find((node) => node.ip === ip);
    if (stopped === undefined) this.#nodes.push(new FakeNode(`node-${this.#nodes.length}`, ip));
    else stopped.isDown = false;
  }

  stop(ip: string): void {
    this.#at(ip).isDown = true;
  }

  /** Starts a server without data in the place of another one. */
  replace(ip: string): void {
    const old = this.#at(ip);
    this.stop(ip);
    old.ip = '';
    this.start(ip);
  }

  /** Lets a server answer to nothing until a connection to it is closed. */
  hang(ip: string): void {
    this.#at(ip).isHung = true;
  }

  /** Lets the master of a replica become its replica, as after an election. */
  failOver(ip: string): void {
    const replica = this.#at(ip);
    const master = this.#nodes.find(({ id }) => id === replica.master);
    if (master === undefined) throw new Error(`${ip} is no replica`);
    for (const slot of master.slots) replica.slots.add(slot);
    master.slots.clear();
    master.master = replica.id;
    replica.master = undefined;
  }

  /** Stores a key. It is lost if its slot is. */
  put(key: string, slot: number): void {
    this.#slotOf.set(key, slot);
    const owner = this.#nodes.find(({ slots }) => slots.has(slot));
    owner?.keys.set(slot, [...(owner.keys.get(slot) ?? []), key]);
  }

  /** Returns the keys that are served: those whose node has their slot. */
  get keys(): readonly string[] {
    return this.#nodes
      .filter(({ isDown }) => !isDown)
      .flatMap(({ keys, slots }) =>
        [...keys].filter(([slot]) => slots.has(slot)).flatMap(([, names]) => names),
      );
  }

  /** Returns the addresses of the nodes that a node knows, itself included. */
  knownBy(ip: string): readonly string[] {
    return [ip, ...[...this.#at(ip).known.values()].map((each) => each.ip)].sort();
  }

  connect(ip: string): RedisConnection {
    let hasFailed = false;
    let end = (): void => undefined;
    const closed = new Promise<never>((_, reject) => {
      end = () => reject(new Error(`${ip}:6379 has closed the connection`));
    });
    closed.catch(() => undefined);
    const connection: RedisConnection = {
      get isOpen() {
        return !hasFailed;
      },
      call: async (...words) => {
        const node = this.#nodes.find((each) => each.ip === ip && !each.isDown);
        if (node === undefined) {
          hasFailed = true;
          connection.close();
          throw new Error(`connect ECONNREFUSED ${ip}:6379`);
        }
        return node.isHung ? closed : this.#answer(node, words.map(String));
      },
      close: () => {
        this.open.delete(connection);
        for (const node of this.#nodes) if (node.ip === ip) node.isHung = false;
        end();
      },
    };
    this.open.add(connection);
    return connection;
  }

  #at(ip: string): FakeNode {
    const node = this.#nodes.find((each) => each.ip === ip);
    if (node === undefined) throw new Error(`no server at ${ip}`);
    return node;
  }

  #answer(node: FakeNode, words: readonly string[]): RespValue {
    const [first = '', second = '', ...rest] = words;
    const name = first === 'CLUSTER' ? `${first} ${second}` : first;
    const error = this.errors.get(name);
    if (error !== undefined) throw error;
    const command = this.#commands[name];
    if (command === undefined) throw new RespError(`ERR unknown command '${name}'`);
    return command(node, first === 'CLUSTER' ? rest : [second, ...rest]);
  }

  readonly #commands: Readonly<Record<string, Command>> = {
    'CLUSTER NODES': (node) => {
      this.#gossip();
      return [
        line(
          node.id,
          node.heard(),
          ['myself'],
          [...node.moving].map(([slot, id]) => `[${slot}->-${id}]`),
        ),
        ...[...node.known].map(([id, heard]) => line(id, heard, [])),
        ...[...node.met].map((ip) => `? ${ip}:6379@16379 handshake - 0 0 0 disconnected`),
      ].join('\n');
    },
    'CLUSTER INFO': (node) => {
      this.#gossip();
      const seen = [...node.slots, ...[...node.known.values()].flatMap(({ slots }) => slots)];
      return `cluster_state:${new Set(seen).size === slotCount ? 'ok' : 'fail'}\r\n`;
    },
    'CLUSTER MEET': (node, [ip = '']) => {
      node.met.add(ip);
      return 'OK';
    },
    'CLUSTER FORGET': (node, [id = '']) => {
      if (!node.known.delete(id)) throw new RespError(`ERR Unknown node ${id}`);
      node.forgotten.add(id);
      return 'OK';
    },
    'CLUSTER REPLICATE': (node, [id = '']) => {
      if (!node.known.has(id)) throw new RespError(`ERR Unknown node ${id}`);
      if (node.slots.size > 0)
        throw new RespError('ERR To set a master the node must be empty and without assigned slots.');
      node.master = id;
      return 'OK';
    },
    'CLUSTER ADDSLOTS': (node, slots) => {
      for (const slot of slots.map(Number)) {
        if (node.ownerOf(slot) !== undefined) throw new RespError(`ERR Slot ${slot} is already busy`);
        node.slots.add(slot);
      }
      return 'OK';
    },
    'CLUSTER SETSLOT': (node, [text = '', state = '', id = '']) => {
      const slot = Number(text);
      const isOwner = node.slots.has(slot);
      if (state === 'IMPORTING' && isOwner)
        throw new RespError(`ERR I'm already the owner of hash slot ${slot}`);
      if (state === 'MIGRATING' && !isOwner)
        throw new RespError(`ERR I'm not the owner of hash slot ${slot}`);
      if (state !== 'NODE') node.moving.set(slot, id);
      else if (id !== node.id && isOwner && node.keys.has(slot))
        throw new RespError(
          `ERR Can't assign hashslot ${slot} to a different node while I still hold keys for this hash slot.`,
        );
      else {
        node.moving.delete(slot);
        if (id === node.id) node.slots.add(slot);
        else node.slots.delete(slot);
      }
      return 'OK';
    },
    'CLUSTER GETKEYSINSLOT': (node, [slot, count]) =>
      (node.keys.get(Number(slot)) ?? []).slice(0, Number(count)),
    MIGRATE: (node, [ip = '', , , , , , ...keys]) => {
      for (const key of keys) {
        const slot = this.#slotOf.get(key) ?? 0;
        const target = this.#at(ip);
        if (target.moving.get(slot) !== node.id)
          throw new RespError('ERR Target instance replied with error: MOVED');
        target.keys.set(slot, [...(target.keys.get(slot) ?? []), key]);
        const left = node.keys.get(slot)?.filter((each) => each !== key) ?? [];
        if (left.length > 0) node.keys.set(slot, left);
        else node.keys.delete(slot);
      }
      return 'OK';
    },
  };

  /** Lets all nodes hear of those that the nodes know which they know. */
  #gossip(): void {
    if (!this.gossips) return;
    const running = this.#nodes.filter(({ isDown }) => !isDown);
    for (const node of running)
      for (const ip of node.met) {
        const other = running.find((each) => each.ip === ip);
        if (other === undefined) continue;
        node.met.delete(ip);
        node.known.set(other.id, other.heard());
        other.known.set(node.id, node.heard());
      }
    const byId = new Map(this.#nodes.map((node) => [node.id, node]));
    for (let isNew = true; isNew;) {
      isNew = false;
      for (const node of running)
        for (const id of [...node.known.keys()].flatMap((each) => [
          ...(byId.get(each)?.known.keys() ?? []),
        ])) {
          const other = byId.get(id);
          if (other === undefined || other === node || node.known.has(id) || node.forgotten.has(id)) continue;
          node.known.set(id, other.heard());
          isNew = true;
        }
    }
    for (const node of running)
      for (const id of node.known.keys()) {
        const other = byId.get(id);
        if (other !== undefined) node.known.set(id, other.heard());
      }
  }
}

/** Returns a line of CLUSTER NODES. @param self `myself` for the node that was asked */
function line(id: string, heard: Heard, self: readonly string[], moving: readonly string[] = []): string {
  const { ip, isDown, master, slots } = heard;
  const failure = ip === '' ? ['noaddr'] : isDown ? ['fail'] : [];
  const flags = [...self, master === undefined ? 'master' : 'slave', ...failure].join();
  const link = isDown ? 'disconnected' : 'connected';
  const address = `${ip}:6379@16379`;
  return [id, address, flags, master ?? '-', 0, 0, 0, link, ...rangesOf(slots), ...moving].join(' ');
}

function rangesOf(slots: readonly number[]): readonly string[] {
  const ranges: [number, number][] = [];
  for (const slot of [...slots].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === slot - 1) last[1] = slot;
    else ranges.push([slot, slot]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`));
}
