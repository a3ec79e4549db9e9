/** Number of slots of a Redis cluster. */
export const slotCount = 16_384;

/** Slot that is on its way to another node, or from it. */
export interface MovingSlot {
  readonly slot: number;
  readonly direction: 'importing' | 'migrating';
  /** ID of the other node. */
  readonly peer: string;
}

/** A node of a cluster, as another node or it itself sees it. */
export interface ClusterNode {
  readonly id: string;
  /** Empty if it is not known any more. */
  readonly ip: string;
  readonly flags: readonly string[];
  /** ID of the master of a replica. */
  readonly master: string | undefined;
  readonly isLinked: boolean;
  readonly slots: readonly number[];
  /** Slots on their way, which a node says of itself alone. */
  readonly moving: readonly MovingSlot[];
}

/**
 * Reads the answer of CLUSTER NODES. Nodes that have not shaken hands yet are left out: their IDs are not final.
 * @param asked address of the node that was asked, which need not know its own yet
 * @see https://redis.io/docs/latest/commands/cluster-nodes/
 */
export function parseClusterNodes(text: string, asked: string): readonly ClusterNode[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => parseLine(line, asked))
    .filter(({ flags }) => !flags.includes('handshake'));
}

function parseLine(line: string, asked: string): ClusterNode {
  const [id = '', address = '', flagList = '', master = '-', , , , link, ...ranges] = line.trim().split(' ');
  const flags = flagList.split(',');
  const isMyself = flags.includes('myself');
  const ip = address.slice(0, Math.max(address.lastIndexOf(':'), 0));
  return {
    id,
    ip: ip === '' && isMyself ? asked : ip,
    flags,
    master: master === '-' ? undefined : master,
    isLinked: isMyself || link === 'connected',
    slots: ranges.filter((range) => !range.startsWith('[')).flatMap(parseRange),
    moving: ranges.flatMap(parseMoving),
  };
}

function parseRange(range: string): readonly number[] {
  const [first = 0, last = first] = range.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Reads `[93->-ID]`, a slot that is migrating, or `[77-<-ID]`, one that is imported. */
function parseMoving(range: string): readonly MovingSlot[] {
  const [, slot, arrow, peer = ''] = /^\[(\d+)-([<>])-([^\]]+)\]$/.exec(range) ?? [];
  if (slot === undefined) return [];
  return [{ slot: Number(slot), direction: arrow === '<' ? 'importing' : 'migrating', peer }];
}

/** Returns true for a node that the others have given up. */
export function isFailed({ flags }: ClusterNode): boolean {
  return flags.includes('fail');
}

/** Returns true for a node whose address another node has. Redis never elects a replica in its place. */
export function isReplaced({ flags }: ClusterNode): boolean {
  return flags.includes('noaddr');
}

/** Writes slots as ranges, such as `0-5460,5462`. */
export function formatSlots(slots: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const slot of [...slots].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === slot - 1) last[1] = slot;
    else ranges.push([slot, slot]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}
