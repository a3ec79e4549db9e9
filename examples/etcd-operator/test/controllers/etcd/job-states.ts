import { Job, type JobStatus } from 'opsdk/k8s/batch/v1';
import { Pod, type PodStatus } from 'opsdk/k8s/core/v1';
import type { TestApi } from 'opsdk/testing';
import { resultText, type Result } from '../../../src/backup/result.ts';

const namespace = 'default';

/** Plays the Job controller and the kubelet. */
export class JobStates {
  readonly #api: TestApi;
  #pods = 0;

  constructor(api: TestApi) {
    this.#api = api;
  }

  /** Returns the names of all Jobs. */
  async names(): Promise<string[]> {
    return (await this.#api.client.list(Job, { namespace })).items.map(({ metadata }) => metadata.name);
  }

  async onlyName(): Promise<string> {
    const names = await this.names();
    if (names.length !== 1) throw new Error(`expected one Job, got ${names.length}`);
    return names[0] ?? '';
  }

  /** Ends a Pod of a Job with a result. */
  async endPod(job: string, result: Result | undefined): Promise<void> {
    const name = `${job}-${(this.#pods += 1)}`;
    const labels = { 'batch.kubernetes.io/job-name': job };
    const containers = [{ name: 'backup', image: 'operator:1' }];
    await this.#api.client.create(Pod, { metadata: { name, namespace, labels }, spec: { containers } });
    const exitCode = result !== undefined && 'failed' in result ? 1 : 0;
    const message = result === undefined ? {} : { message: resultText(result) };
    const status: PodStatus = {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [
        {
          name: 'backup',
          image: 'operator:1',
          imageID: '',
          ready: false,
          restartCount: 0,
          state: { terminated: { exitCode, ...message } },
        },
      ],
    };
    await this.#api.client.patch(
      Pod,
      { name, namespace },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
  }

  async complete(job: string, result: Result | undefined): Promise<void> {
    if (result !== undefined) await this.endPod(job, result);
    const time = new Date(this.#api.now).toISOString().replace(/\.\d+Z/, 'Z');
    await this.#set(job, {
      startTime: time,
      completionTime: time,
      succeeded: 1,
      conditions: [condition('SuccessCriteriaMet', time), condition('Complete', time)],
    });
  }

  async fail(job: string, result: Result | undefined, reason = 'BackoffLimitExceeded'): Promise<void> {
    if (result !== undefined) await this.endPod(job, result);
    const time = new Date(this.#api.now).toISOString().replace(/\.\d+Z/, 'Z');
    const message = 'Job has reached a limit';
    await this.#set(job, {
      startTime: time,
      failed: 1,
      conditions: [
        { ...condition('FailureTarget', time), reason, message },
        { ...condition('Failed', time), reason, message },
      ],
    });
  }

  async delete(job: string): Promise<void> {
    await this.#api.client.delete(Job, { name: job, namespace }, { propagationPolicy: 'Background' });
    await this.#api.settle();
  }

  async #set(name: string, status: JobStatus): Promise<void> {
    const body = { status };
    await this.#api.client.patch(
      Job,
      { name, namespace },
      { type: 'merge', body },
      { subresource: 'status' },
    );
    await this.#api.settle();
  }
}

function condition(type: string, lastTransitionTime: string) {
  return {
    type,
    status: 'True',
    lastTransitionTime,
    lastProbeTime: lastTransitionTime,
    reason: '',
    message: '',
  };
}
