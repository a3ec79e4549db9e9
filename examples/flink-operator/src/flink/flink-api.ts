/** What the operator asks of a JobManager. The methods throw if it does not answer. */
export interface FlinkApi {
  /** Slots of all TaskManagers that have registered. */
  slots(): Promise<number>;
  /** Flink's state of a job, such as `RUNNING`; undefined for a job that the JobManager does not know. */
  jobState(jobId: string): Promise<string | undefined>;
  /** Ids of the jars that can be run. */
  jars(): Promise<readonly string[]>;
  run(jarId: string, job: JobToRun): Promise<void>;
  cancel(jobId: string): Promise<void>;
}

export interface JobToRun {
  readonly jobId: string;
  readonly entryClass: string | undefined;
  readonly programArgsList: readonly string[];
  readonly parallelism: number;
}

/** Connects to a JobManager. */
export type ConnectFlink = (address: string, signal: AbortSignal) => FlinkApi;

/**
 * Calls the REST API of a JobManager.
 * @see https://nightlies.apache.org/flink/flink-docs-stable/docs/ops/rest_api/
 */
export const httpFlink: ConnectFlink = (address, signal) => {
  const call = async (method: string, path: string, body?: object): Promise<Response> => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.ok || response.status === 404) return response;
    throw new Error(`${method} ${path}: expected success, got ${response.status} ${await response.text()}`);
  };
  const found = async <T>(path: string): Promise<T | undefined> => {
    const response = await call('GET', path);
    return response.status === 404 ? undefined : ((await response.json()) as T);
  };
  return {
    slots: async () => (await found<{ 'slots-total': number }>('/overview'))?.['slots-total'] ?? 0,
    jobState: async (jobId) => (await found<{ state: string }>(`/jobs/${jobId}`))?.state,
    jars: async () => (await found<{ files: { id: string }[] }>('/jars'))?.files.map(({ id }) => id) ?? [],
    run: async (jarId, job) => {
      const { status } = await call('POST', `/jars/${encodeURIComponent(jarId)}/run`, job);
      if (status === 404) throw new Error(`The JobManager has no jar ${jarId}`);
    },
    cancel: async (jobId) => void (await call('PATCH', `/jobs/${jobId}?mode=cancel`)),
  };
};
