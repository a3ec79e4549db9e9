import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AuditEvent } from '../../../../../src/testing/index.ts';

/**
 * An operator that writes all the time: it stamps each ConfigMap of its namespace, again and again. SIGUSR2 blocks its event loop for
 * BLOCK milliseconds, in the middle of a reconcile that then writes. A ConfigMap with `breaks` throws where nobody catches it; one with `takes` is
 * reconciled for so many milliseconds.
 */
export const replicaSource = `
import { createManager, defineController, externalResource, operatorMain, requeueAfter } from './src/index.ts';
const ConfigMap = externalResource({ group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' });
let count = 0;
let block = false;
process.on('SIGUSR2', () => { block = true; });
const controller = defineController({
  for: ConfigMap,
  concurrency: 4,
  predicates: [({ type }) => type === 'create'],
  async reconcile(map, { client, key, attempt }) {
    if (map.data?.breaks !== undefined) setTimeout(() => { throw new Error('nobody caught this'); });
    if (map.data?.takes !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, Number(map.data.takes)));
    }
    if (block) {
      block = false;
      const end = performance.now() + Number(process.env.BLOCK);
      while (performance.now() < end);
    }
    count += 1;
    await client.patch(ConfigMap, key, { type: 'merge', body: { data: { writer: process.env.REPLICA, count: String(count) } } });
    if (map.data?.takes !== undefined) console.log(JSON.stringify({ msg: 'reconciled', at: Date.now() }));
    return requeueAfter(50);
  },
});
await operatorMain(async ({ flags, signal }) => {
  const [leaseDuration, renewDeadline, retryPeriod] = process.env.TIMES.split(',').map(Number);
  const manager = await createManager({
    name: 'replica',
    ...flags,
    leaderElection: flags.leaderElect && { id: process.env.LEASE, leaseDuration, renewDeadline, retryPeriod },
  });
  manager.add(controller);
  await manager.run({ signal });
});
`;

/** Milliseconds; see the options of leader election. */
export interface Times {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

export interface ReplicaOptions {
  /** Of \`bundleOperator\`. */
  readonly folder: string;
  /** Of a user of its own. */
  readonly kubeconfig: string;
  readonly user: string;
  readonly namespace: string;
  readonly lease: string;
  readonly times: Times;
  /** Milliseconds that SIGUSR2 blocks the event loop. */
  readonly block?: number;
}

export interface Replica extends AsyncDisposable {
  readonly user: string;
  readonly process: ChildProcess;
  /** Resolves with the exit code; null after a signal. */
  readonly ended: Promise<number | null>;
  readonly isRunning: boolean;
  readonly log: readonly Record<string, unknown>[];
  readonly output: string;
  has(message: string): boolean;
}

export function startReplica(options: ReplicaOptions): Replica {
  const { folder, kubeconfig, user, namespace, lease, times, block = 0 } = options;
  const { leaseDuration, renewDeadline, retryPeriod } = times;
  const args = [
    join(folder, 'main.mjs'),
    '--leader-elect',
    `--kubeconfig=${kubeconfig}`,
    `--namespace=${namespace}`,
    '--health-probe-bind-address=127.0.0.1:0',
  ];
  const env = {
    ...process.env,
    ...{ POD_NAMESPACE: namespace, REPLICA: user, LEASE: lease, BLOCK: String(block) },
    TIMES: `${leaseDuration},${renewDeadline},${retryPeriod}`,
  };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = (once(child, 'close') as Promise<[number | null]>).then(([code]) => code);
  const log = (): Record<string, unknown>[] =>
    output
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    ...{ user, process: child, ended },
    get isRunning() {
      return child.exitCode === null && child.signalCode === null;
    },
    get log() {
      return log();
    },
    get output() {
      return output;
    },
    has: (message) => log().some(({ msg }) => msg === message),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** One request that changed something, or tried to. */
export interface WriteRecord {
  readonly user: string;
  /** RFC 3339 with microseconds: when the API server received it. */
  readonly received: string;
  readonly what: string;
  /** A write of the Lease that succeeded. */
  readonly isLease: boolean;
}

/** The writes of users in the audit log, by when they were received; those of the Lease as far as they succeeded. */
export function writesOf(
  events: readonly AuditEvent[],
  users: ReadonlySet<string>,
  lease: string,
): readonly WriteRecord[] {
  const requests = new Map<string, AuditEvent>();
  for (const event of events) {
    if (!users.has(event.user.username) || ['get', 'list', 'watch'].includes(event.verb)) continue;
    // The later stage has the outcome.
    if (event.responseStatus !== undefined || !requests.has(event.auditID))
      requests.set(event.auditID, event);
  }
  return [...requests.values()]
    .filter(({ objectRef, responseStatus }) => {
      const isElection = objectRef?.resource === 'leases';
      return !isElection || (objectRef.name === lease && (responseStatus?.code ?? 500) < 300);
    })
    .map(({ user, requestReceivedTimestamp, verb, objectRef }) => ({
      user: user.username,
      received: requestReceivedTimestamp,
      what: `${verb} ${objectRef?.resource} ${objectRef?.name ?? ''}`,
      isLease: objectRef?.resource === 'leases',
    }))
    .sort((a, b) => (a.received < b.received ? -1 : a.received > b.received ? 1 : 0));
}

/** Writes of a replica that the API server received after the first Lease update of another one. */
export function violationsIn(writes: readonly WriteRecord[]): readonly string[] {
  let holder: string | undefined;
  return writes.flatMap((write) => {
    if (write.isLease) holder = write.user;
    if (write.isLease || write.user === holder) return [];
    return [`${write.received} ${write.user} ${write.what}, while ${holder ?? 'nobody'} leads`];
  });
}
