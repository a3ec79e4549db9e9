import { conditionsOf } from 'opsdk';
import type { FlinkCluster } from '../api/flink/v1beta1/flink-cluster.ts';
import type { JobStep } from './next-job-step.ts';

/** The status while processes are missing. What is known of the job stays as it is. */
export function missingStatus(cluster: FlinkCluster, taskManagers: number, message: string) {
  const conditions = conditionsOf(cluster, ['Ready']).false('Ready', 'ProcessesMissing', message);
  return { taskManagers, conditions: conditions.toJSON() };
}

/** The status of a cluster whose processes are all there. Null removes what is known of a job that there is no longer. */
export function jobStatus(cluster: FlinkCluster, taskManagers: number, step: JobStep) {
  const conditions = conditionsOf(cluster, ['Ready']);
  switch (step.type) {
    case 'None':
      conditions.true('Ready', 'SessionReady', 'Jobs can be submitted');
      break;
    case 'Cancel':
    case 'WaitForEnd':
      conditions.false('Ready', 'JobEnding', `Job ${step.jobId} is being cancelled`);
      break;
    case 'Submit':
      conditions.false('Ready', 'JobSubmitted', `Job ${step.jobId} was submitted`);
      break;
    case 'Watch':
      if (step.state === 'RUNNING') conditions.true('Ready', 'JobRunning', `Job ${step.jobId} is running`);
      else conditions.false('Ready', 'JobNotRunning', `Job ${step.jobId} is ${step.state}`);
      break;
    case 'Ended':
      if (step.state === 'FINISHED')
        conditions.true('Ready', 'JobFinished', `Job ${step.jobId} has finished`);
      else conditions.false('Ready', 'JobFailed', `Job ${step.jobId} is ${step.state}`);
  }
  return { taskManagers, ...jobOf(step), conditions: conditions.toJSON() };
}

function jobOf(step: JobStep): { readonly jobId: string | null; readonly jobState: string | null } {
  if (step.type === 'None') return { jobId: null, jobState: null };
  const states = { Cancel: 'CANCELLING', WaitForEnd: 'CANCELLING', Submit: 'INITIALIZING' };
  const jobState = step.type === 'Watch' || step.type === 'Ended' ? step.state : states[step.type];
  return { jobId: step.jobId, jobState };
}
