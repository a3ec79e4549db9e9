import { externalResource, type KubeObject } from '../../sdk/api/index.ts';
import { ApiError, isForbidden, resourcePath, type KubeClient } from '../../sdk/kube/index.ts';
import {
  formatLabelSelector,
  labelRequirements,
  type ObjectLabelSelector,
} from '../../base/util/label-selector.ts';
import { podProblems, type PodLike, type PodProblem } from './pod-problems.ts';

/** Description of why a Pod of a workload is not ready, with excerpts of logs and events. */
export interface PodReport {
  readonly pod: string;
  readonly problem: PodProblem;
  /** Last warning Event about the Pod, and last lines of the container's log, one line each. */
  readonly details: readonly string[];
}

interface Event extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTimestamp?: string;
}

interface Call {
  readonly signal?: AbortSignal | undefined;
}

const pods = externalResource<PodLike>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
});
const events = externalResource<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

const logLines = 10;
/** Maximum number of Pods that are described in full. Further Pods usually have the same problem. */
const podsInFull = 3;

/** Returns the Pods of a workload that are not being deleted, the newest first. The result is empty if the user may not read Pods. */
export async function podsOf(
  client: KubeClient,
  workload: KubeObject,
  { signal }: Call,
): Promise<readonly PodLike[]> {
  const { selector } = (workload as KubeObject & { spec?: { selector?: ObjectLabelSelector } }).spec ?? {};
  const { namespace } = workload.metadata;
  const list = await unlessRefused(
    client.list(pods, {
      namespace,
      labelSelector: formatLabelSelector(labelRequirements(selector ?? {})),
      signal,
    }),
  );
  const alive = (list?.items ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return alive.sort((a, b) =>
    (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''),
  );
}

/** Returns the problems of the Pods of a workload. Problems of newer Pods come first. The result is empty if the user may not read Pods. */
export async function problemsOf(
  client: KubeClient,
  workload: KubeObject,
  call: Call,
): Promise<readonly { readonly pod: PodLike; readonly problem: PodProblem }[]> {
  const newestFirst = await podsOf(client, workload, call);
  return newestFirst.flatMap((pod) => podProblems(pod).map((problem) => ({ pod, problem })));
}

/** Describes why the Pods of a workload are not ready, with logs and events. */
export async function describePods(
  client: KubeClient,
  workload: KubeObject,
  { signal }: Call,
): Promise<readonly PodReport[]> {
  const problems = await problemsOf(client, workload, { signal });
  return Promise.all(
    problems.slice(0, podsInFull).map(async ({ pod, problem }) => ({
      pod: pod.metadata.name,
      problem,
      details: [
        ...(await lastWarning(client, pod, signal)),
        ...(problem.logs === undefined ? [] : await lastLogLines(client, pod.metadata, problem.logs, signal)),
      ],
    })),
  );
}

/** Selects a container's log and its part. Source: Kubernetes `PodLogOptions`. */
interface LogQuery {
  readonly container: string;
  readonly previous?: boolean;
  /** Number of lines at the end. Default: all lines. */
  readonly tailLines?: number;
  /** Maximum number of bytes. Default: no limit. */
  readonly limitBytes?: number;
}

/**
 * Returns a container's log as one text, standard output and standard error together, as `kubectl logs` does.
 * @throws ApiError if the log may not or cannot be read
 */
export async function readLog(
  client: Pick<KubeClient, 'raw'>,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
  query: LogQuery,
  signal?: AbortSignal,
): Promise<string> {
  const path = resourcePath(pods, { namespace, name, subresource: 'log' });
  const answer = await client.raw.request({ path, query: { ...query }, signal });
  return answer.text();
}

/**
 * Returns the last lines of a container's log, each prefixed with `log: `. If the user may not read the log, returns one line with the
 * reason.
 */
export async function lastLogLines(
  client: KubeClient,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
  { container, previous }: NonNullable<PodProblem['logs']>,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const read = (ofPrevious: boolean): Promise<string> =>
    readLog(client, { name, namespace }, { container, previous: ofPrevious, tailLines: logLines }, signal);
  try {
    // The node may have removed the terminated container. If so, read the log of the current container instead.
    const text = (previous ? await unlessRefused(read(true), isForbidden) : undefined) ?? (await read(false));
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `log: ${line}`);
  } catch (error) {
    if (isForbidden(error)) return [`log: it may not be read: ${error.message}`];
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/**
 * Returns the newest warning Event about a Pod as one line. The result is empty if the Pod has no warnings, or if the user may not read
 * Events.
 */
export async function lastWarning(
  client: KubeClient,
  { metadata }: PodLike,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const fieldSelector = `involvedObject.name=${metadata.name},type=Warning`;
  const list = await unlessRefused(
    client.list(events, { namespace: metadata.namespace, fieldSelector, signal }),
  );
  const newest = [...(list?.items ?? [])].sort((a, b) =>
    (b.lastTimestamp ?? '').localeCompare(a.lastTimestamp ?? ''),
  )[0];
  return newest === undefined ? [] : [`event: ${newest.reason ?? ''}: ${newest.message ?? ''}`];
}

/** Returns the reasons of the Events about a Pod. The result is empty if the user may not read Events. */
export async function eventReasons(
  client: KubeClient,
  { metadata }: PodLike,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const fieldSelector = `involvedObject.name=${metadata.name}`;
  const list = await unlessRefused(
    client.list(events, { namespace: metadata.namespace, fieldSelector, signal }),
  );
  return (list?.items ?? []).flatMap(({ reason }) => reason ?? []);
}

/**
 * Returns undefined if the request is refused, so that the report only lacks a part. A user who may deploy is not necessarily allowed to
 * read Pods, and a node may be unable to provide logs.
 */
async function unlessRefused<T>(
  answer: Promise<T>,
  isFatal: (error: unknown) => boolean = () => false,
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && !isFatal(error)) return undefined;
    throw error;
  }
}
