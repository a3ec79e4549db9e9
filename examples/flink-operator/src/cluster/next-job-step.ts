import { hashOf } from 'opsdk';
import type { FlinkCluster } from '../api/flink/v1beta1/flink-cluster.ts';

/** What is to be done about the job of a cluster. */
export type JobStep =
  | { readonly type: 'None' }
  | { readonly type: 'Cancel'; readonly jobId: string }
  | { readonly type: 'WaitForEnd'; readonly jobId: string }
  | { readonly type: 'Submit'; readonly jobId: string }
  | { readonly type: 'Watch'; readonly jobId: string; readonly state: string }
  | { readonly type: 'Ended'; readonly jobId: string; readonly state: string };

export interface ObservedJobs {
  /** The id of the job that the spec asks for. */
  readonly wanted: string | undefined;
  /** The last job that the operator has seen, by the status. */
  readonly last: { readonly jobId: string; readonly state: string | undefined } | undefined;
  /** States by the JobManager, which forgets its jobs when it restarts. */
  readonly states: Readonly<Record<string, string | undefined>>;
}

const ends: ReadonlySet<string> = new Set(['FINISHED', 'FAILED', 'CANCELED', 'SUSPENDED']);

/**
 * The id under which a job is submitted: 32 hexadecimal digits that follow from the object and what it asks for. A submission whose answer
 * was lost is found again by it, and is not repeated.
 */
export function jobIdOf({ metadata, spec }: FlinkCluster): string | undefined {
  if (spec.job === undefined) return undefined;
  const job = [metadata.uid, spec.job, spec.parallelism, spec.image];
  return hashOf([...job, 1]) + hashOf([...job, 2]);
}

export function nextJobStep({ wanted, last, states }: ObservedJobs): JobStep {
  if (last !== undefined && last.jobId !== wanted) {
    const state = states[last.jobId];
    // Of a job that the JobManager does not know nothing runs.
    if (state !== undefined && !ends.has(state))
      return { type: state === 'CANCELLING' ? 'WaitForEnd' : 'Cancel', jobId: last.jobId };
  }
  if (wanted === undefined) return { type: 'None' };
  const state = states[wanted];
  if (state !== undefined) return { type: ends.has(state) ? 'Ended' : 'Watch', jobId: wanted, state };
  // A job that had ended before the JobManager forgot it does not run a second time.
  if (last?.jobId === wanted && last.state !== undefined && ends.has(last.state))
    return { type: 'Ended', jobId: wanted, state: last.state };
  return { type: 'Submit', jobId: wanted };
}
