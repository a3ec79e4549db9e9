import { setTimeout as sleep } from 'node:timers/promises';
import { httpEtcd } from '../../../../examples/etcd-operator/src/etcd/http-etcd.ts';
import type { AuditEvent, AuditPolicy } from '../../../../src/testing/index.ts';
import { operatorUser } from '../chaos/chaos-operator.ts';
import type { DrillCluster } from '../start-drill.ts';
import { podsOf } from './etcd-health.ts';

/** Members of a cluster at a moment, by the names of their Pods. */
export interface QuorumSample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly voters: readonly string[];
  /** Voters that can read by a quorum. */
  readonly healthy: readonly string[];
}

/** A Pod that the operator has deleted or evicted. */
export interface Deletion {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly member: string;
}

/** Age in milliseconds of what an operator may decide by: it has looked before it acts, and the samples are not at the same times. */
const window = 3000;

/** Returns the deletions of healthy members that left fewer healthy ones than a quorum, by all samples shortly before. */
export function costlyDeletions(
  samples: readonly QuorumSample[],
  deletions: readonly Deletion[],
): readonly Deletion[] {
  return deletions.filter(({ at, member }) => {
    const recent = samples.filter((sample) => sample.at <= at && sample.at > at - window);
    return (
      recent.some(({ healthy }) => healthy.includes(member)) &&
      recent.every(({ voters, healthy }) => {
        // A member leaves etcd before its Pod goes.
        const others = voters.filter((name) => name !== member);
        return healthy.filter((name) => name !== member).length < Math.floor(others.length / 2) + 1;
      })
    );
  });
}

/** Audit policy by which {@link deletionsOf} finds what the operator deletes. */
export const deletionAudit: AuditPolicy = {
  rules: [
    {
      level: 'Metadata',
      users: [operatorUser],
      resources: [{ group: '', resources: ['pods', 'pods/eviction'] }],
      omitStages: ['ResponseStarted', 'ResponseComplete'],
    },
    { level: 'None' },
  ],
};

export function deletionsOf(events: readonly AuditEvent[]): readonly Deletion[] {
  return events
    .filter(
      ({ verb, objectRef }) =>
        (verb === 'delete' && objectRef?.subresource === undefined) || objectRef?.subresource === 'eviction',
    )
    .map(({ requestReceivedTimestamp, objectRef }) => ({
      at: Date.parse(requestReceivedTimestamp),
      member: objectRef?.name ?? '',
    }));
}

interface ClusterKey {
  readonly name: string;
  readonly namespace: string;
}

/** Milliseconds between two samples. */
const interval = 300;

/** Takes samples of a cluster until it is disposed of. While the API server is away there are none. */
export class QuorumWatch implements AsyncDisposable {
  readonly samples: QuorumSample[] = [];
  readonly #end = new AbortController();
  readonly #ended: Promise<void>;

  constructor(cluster: DrillCluster, key: ClusterKey) {
    this.#ended = this.#run(cluster, key, this.#end.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#ended;
  }

  async #run(cluster: DrillCluster, key: ClusterKey, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        this.samples.push(await sampleOf(cluster, key, signal));
      } catch {
        // Nobody answers.
      }
      await sleep(interval, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function sampleOf(cluster: DrillCluster, key: ClusterKey, signal: AbortSignal): Promise<QuorumSample> {
  const at = Date.now();
  const endpoints = (await podsOf(cluster, key)).map(({ metadata: { name = '' }, status }) => ({
    url: `http://${status?.podIP}:2379`,
    serverName: name,
  }));
  const connection = { signal };
  const reports = await Promise.all(
    endpoints.map(async (endpoint) => ({ endpoint, report: await httpEtcd.report(endpoint, connection) })),
  );
  const healthy = reports.flatMap(({ endpoint, report }) =>
    report?.isHealthy === true && !report.isLearner ? [endpoint] : [],
  );
  const members = await httpEtcd.members(healthy, connection).listLocally();
  const voters = members.filter(({ isLearner }) => isLearner !== true).map(({ name = '' }) => name);
  return { at, voters, healthy: healthy.map(({ serverName }) => serverName) };
}
