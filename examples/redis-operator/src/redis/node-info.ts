/** State of the replication of a node. */
export interface Replication {
  /** True for a master, and for a replica that has all data of its master and follows it. */
  readonly isInSync: boolean;
  /** Bytes of the replication stream that the node has processed. */
  readonly offset: number;
}

/** Replica as its master sees it. */
export interface Follower {
  readonly ip: string;
  /** Seconds since it has acknowledged anything: replicas do so each second. */
  readonly lagSeconds: number;
  /** Bytes of the replication stream that it has not acknowledged. */
  readonly lagBytes: number;
}

/** Load of a node. Figures that it did not give are undefined, never 0. */
export interface NodeLoad {
  /** Bytes that Redis has allocated. Those of the process are more, and do not shrink with the data. */
  readonly usedMemory: number | undefined;
  /** Bytes of `maxmemory`; 0 for no limit. */
  readonly maxMemory: number | undefined;
  /** Commands per second, over the last one or two seconds. */
  readonly operationsPerSecond: number | undefined;
  /** Number of keys that were evicted since the start, for want of memory. */
  readonly evictedKeys: number | undefined;
  /** Number of connections that were refused since the start, because there were `maxclients`. */
  readonly rejectedConnections: number | undefined;
  /** Bytes of the replication stream that a master keeps. A replica that lacks more has to copy everything. */
  readonly backlogSize: number | undefined;
  /** Replicas that follow the node and are connected to it. */
  readonly followers: readonly Follower[];
}

export interface NodeInfo {
  readonly replication: Replication;
  readonly load: NodeLoad;
}

/**
 * Reads the answer of INFO.
 * @see https://redis.io/docs/latest/commands/info/
 */
export function parseNodeInfo(text: string): NodeInfo {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+):(.*)$/.exec(line) ?? [];
    if (name !== '') fields.set(name, value);
  }
  const number = (name: string): number | undefined => numberIn(fields.get(name));
  const isMaster = fields.get('role') === 'master';
  const isFollowing =
    fields.get('master_link_status') === 'up' && fields.get('master_sync_in_progress') === '0';
  const offset = number(isMaster ? 'master_repl_offset' : 'slave_repl_offset') ?? 0;
  return {
    replication: { isInSync: isMaster || isFollowing, offset },
    load: {
      usedMemory: number('used_memory'),
      maxMemory: number('maxmemory'),
      operationsPerSecond: number('instantaneous_ops_per_sec'),
      evictedKeys: number('evicted_keys'),
      rejectedConnections: number('rejected_connections'),
      backlogSize: number('repl_backlog_size'),
      followers: [...fields]
        .filter(([name]) => /^slave\d+$/.test(name))
        .flatMap(([, value]) => parseFollower(value, offset)),
    },
  };
}

/** Reads `ip=10.0.0.7,port=6379,state=online,offset=1240,lag=1`. One that still copies the data does not count as a follower yet. */
function parseFollower(value: string, masterOffset: number): readonly Follower[] {
  const parts = new Map(value.split(',').map((part) => part.split('=', 2) as [string, string]));
  const offset = numberIn(parts.get('offset'));
  const lagSeconds = numberIn(parts.get('lag'));
  if (parts.get('state') !== 'online' || offset === undefined || lagSeconds === undefined) return [];
  return [{ ip: parts.get('ip') ?? '', lagSeconds, lagBytes: Math.max(masterOffset - offset, 0) }];
}

/** Returns a number that is not negative; undefined for any other text. */
function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}
