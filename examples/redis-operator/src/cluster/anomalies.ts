import { masterOf, type Observed } from './observed.ts';
import { averageOf, memoryUtilization, type ShardLoad } from './shard-load.ts';

/** Reasons of the condition AnomalyDetected of a cluster that may serve all its slots, the worst first. */
export const anomalyReasons = [
  'ConnectionsRejected',
  'KeysEvicted',
  'ReplicationLag',
  'MemorySkew',
  'HotShard',
] as const;
export type AnomalyReason = (typeof anomalyReasons)[number];

export interface Anomaly {
  readonly reason: AnomalyReason;
  readonly message: string;
}

/** Memory between two looks. Times are in milliseconds since 1970. */
export interface AnomalyHistory {
  /** Counters of the nodes by their IDs. */
  readonly counters: ReadonlyMap<string, Counters>;
  /** Times at which anomalies that have to last were seen first. */
  readonly since: ReadonlyMap<AnomalyReason, number>;
  /** Anomalies of late, with the time at which each was seen last. */
  readonly seen: ReadonlyMap<AnomalyReason, { readonly message: string; readonly at: number }>;
}

interface Counters {
  readonly evictedKeys: number | undefined;
  readonly rejectedConnections: number | undefined;
}

export const noHistory: AnomalyHistory = { counters: new Map(), since: new Map(), seen: new Map() };

/** Milliseconds for which an anomaly is reported after it was seen last: counters move now and then. */
const reportedFor = 5 * 60_000;

/** Milliseconds for which a shard has to be out of proportion: clients come and go. */
const skewedFor = 60_000;

/** Share of a shard, as a multiple of the average, from which it is out of proportion. */
const hotShare = 2;
const skewedShare = 1.5;

/** Commands per second below which no shard is hot: a few clients make a difference there. */
const fewOperations = 1000;

/** Part of its memory from which it matters that a shard has more data than others: it is full before they are. */
const muchMemory = 0.8;

/** Seconds without an acknowledgement of a replica, which acknowledges each second. Redis gives it up after 60. */
const longestLag = 10;

export interface Look {
  readonly observed: Pick<Observed, 'members' | 'wanted'>;
  readonly loads: readonly ShardLoad[];
  /** False while slots are moved: shares are not equal then. */
  readonly isSettled: boolean;
  /** True if the number of masters follows the memory: then no key should have to go. Elsewhere that may be the purpose of a cache. */
  readonly hasRoomToGrow: boolean;
  readonly now: number;
}

/** Finds the anomalies of a cluster, the worst first, by what is seen now and what was seen before. */
export function detectAnomalies(
  history: AnomalyHistory,
  look: Look,
): { readonly anomalies: readonly Anomaly[]; readonly history: AnomalyHistory } {
  const { now } = look;
  const found = new Map<AnomalyReason, string>();
  const since = new Map<AnomalyReason, number>();
  for (const { reason, message, lasts = 0 } of signsOf(history, look)) {
    const first = history.since.get(reason) ?? now;
    since.set(reason, first);
    if (now - first >= lasts) found.set(reason, message);
  }
  const seen = new Map([...history.seen].filter(([, { at }]) => at <= now && now - at < reportedFor));
  for (const [reason, message] of found) seen.set(reason, { message, at: now });
  const anomalies = anomalyReasons.flatMap((reason) => {
    const { message } = seen.get(reason) ?? {};
    return message === undefined ? [] : [{ reason, message }];
  });
  return { anomalies, history: { counters: countersOf(history, look), since, seen } };
}

interface Sign extends Anomaly {
  /** Milliseconds for which it has to be seen. Default: once. */
  readonly lasts?: number;
}

function signsOf(history: AnomalyHistory, look: Look): readonly Sign[] {
  const { observed, loads, isSettled, hasRoomToGrow } = look;
  const signs: Sign[] = [];
  const add = (reason: AnomalyReason, names: readonly string[], what: string, lasts?: number): void => {
    if (names.length > 0)
      signs.push({ reason, message: `${names.join(', ')}: ${what}`, ...(lasts !== undefined && { lasts }) });
  };
  const increased = (counter: keyof Counters): readonly string[] =>
    observed.members
      .filter(({ self, load }) => isIncrease(history.counters.get(self.id)?.[counter], load[counter]))
      .map(({ name }) => name);
  add(
    'ConnectionsRejected',
    increased('rejectedConnections'),
    'connections are refused: maxclients is reached',
  );
  if (hasRoomToGrow) add('KeysEvicted', increased('evictedKeys'), 'keys are evicted: maxmemory is reached');
  add('ReplicationLag', laggards(observed), 'the replica is behind its master: a failover would lose writes');
  if (isSettled) {
    const operations = outOfProportion(loads, ({ operationsPerSecond }) => operationsPerSecond, hotShare);
    const hot = operations.filter(({ operationsPerSecond = 0 }) => operationsPerSecond >= fewOperations);
    add('HotShard', namesOf(hot), 'the shard processes far more commands than the others', skewedFor);
    const memory = outOfProportion(loads, memoryUtilization, skewedShare);
    const full = memory.filter((load) => (memoryUtilization(load) ?? 0) >= muchMemory);
    add('MemorySkew', namesOf(full), 'the shard uses far more of its memory than the others', skewedFor);
  }
  return signs;
}

const namesOf = (loads: readonly ShardLoad[]): readonly string[] => loads.map(({ shard }) => shard);

/** Returns true if a counter has grown. A node that has started again counts from 0; one that is new says nothing. */
function isIncrease(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && (now < before ? now > 0 : now > before);
}

/** Returns the counters of all nodes that the cluster knows. One that has not answered has its former ones: it may refuse connections. */
function countersOf({ counters }: AnomalyHistory, { observed }: Look): AnomalyHistory['counters'] {
  const known = new Set(observed.members.flatMap((member) => member.known.map(({ id }) => id)));
  return new Map([
    ...[...counters].filter(([id]) => known.has(id)),
    ...observed.members.map(({ self, load }): [string, Counters] => [self.id, load]),
  ]);
}

/** Returns the Pods of replicas that are connected to their masters, and far behind. */
function laggards({ members, wanted }: Look['observed']): readonly string[] {
  return wanted.flatMap((shard) => {
    const { followers, backlogSize = Infinity } = masterOf(members, shard)?.load ?? { followers: [] };
    const behind = followers.filter(
      ({ lagSeconds, lagBytes }) => lagSeconds >= longestLag || lagBytes > backlogSize,
    );
    return behind.map(({ ip }) => members.find((member) => member.ip === ip)?.name ?? ip);
  });
}

/** Returns the shards with at least a multiple of the average. */
function outOfProportion(
  loads: readonly ShardLoad[],
  of: (load: ShardLoad) => number | undefined,
  share: number,
): readonly ShardLoad[] {
  const average = averageOf(loads.map(of));
  if (average === undefined || average === 0) return [];
  return loads.filter((load) => (of(load) ?? 0) >= share * average);
}
