import { externalResource } from '../../sdk/api/index.ts';
import { readResults, testNameOf, type ConfiguredTest, type TestResult } from '../bundle/index.ts';
import {
  lastWarning,
  podFixes,
  podProblems,
  readLog,
  type PodLike,
  type PodProblem,
} from '../../cluster/index.ts';
import { isOpSdkError, type Finding } from '../../base/errors/index.ts';
import { Pod } from '../../sdk/k8s/generated/core/v1.ts';
import { isNotFound, type CreateObject, type KubeClient, type ObjectKey } from '../../sdk/kube/index.ts';
import { poll } from '../../sdk/net/index.ts';
import { durationText } from '../../base/util/duration-text.ts';
import { testContainer } from './test-pod.ts';

interface TestPodRun {
  readonly client: KubeClient;
  readonly spec: ConfiguredTest;
  readonly pod: CreateObject<Pod>;
  /** Milliseconds that the Pod may take, counted from its creation. */
  readonly waitTime: number;
  readonly signal: AbortSignal;
}

/** The resource Pod, with objects of the type that the functions for Pod problems expect. */
const TestPod = externalResource<PodLike>({ ...Pod, scope: 'Namespaced' });

/** Maximum size of a log shown with an error: `shownLines` lines, and `shownCharacters` characters in total. */
const shownLines = 20;
const shownCharacters = 8000;

/**
 * Creates the Pod of a test, waits until it ends, and reads the results. If the Pod has a problem, the returned result has the state
 * `error` and a message.
 *
 * @throws the abort reason of the signal
 */
export async function runTestPod(run: TestPodRun): Promise<readonly TestResult[]> {
  const { client, spec, pod, waitTime, signal } = run;
  signal.throwIfAborted();
  try {
    // The request has no signal. If it were cancelled, it would be unknown if a Pod was created and must be deleted.
    await client.create(Pod, pod);
  } catch (error) {
    return [failure(spec, ['the Pod was not created', ...messagesOf(error)])];
  }
  const key = { name: String(pod.metadata.name), namespace: pod.metadata.namespace };
  const seen: { pod?: PodLike; problem?: readonly string[] } = {};
  const look = async (): Promise<PodLike | 'deleted' | undefined> => {
    try {
      const live = await client.get(TestPod, key, { signal });
      seen.pod = live;
      delete seen.problem;
      return hasEnded(live) || neverStarts(live) ? live : undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (isNotFound(error)) return 'deleted';
      seen.problem = messagesOf(error);
      return undefined;
    }
  };
  const end = await poll(look, { timeout: waitTime, interval: 1000, signal });
  if (end === 'deleted') return [failure(spec, [`somebody deleted the Pod ${key.name} before it ended`])];
  if (end === undefined) return [await lateResult(run, key, seen)];
  return resultsOf(run, key, end);
}

async function lateResult(
  { client, spec, waitTime, signal }: TestPodRun,
  key: ObjectKey,
  { pod, problem = [] }: { readonly pod?: PodLike; readonly problem?: readonly string[] },
): Promise<TestResult> {
  const late = `the test did not end within ${durationText(waitTime)}`;
  const why = pod === undefined ? [] : problemsOf(pod);
  const warning = pod === undefined ? [] : await warningOf(client, pod, signal);
  return failure(spec, [late, ...problem, ...why, ...warning], {
    log: await tailOf(client, key, startedContainer(pod), signal),
    suggestions: suggestionsFor(pod),
  });
}

/**
 * Returns suggestions for a test that did not end in time: the fixes of lasting problems of its Pod or, without such problems, more time.
 */
function suggestionsFor(pod: PodLike | undefined): readonly string[] {
  const fixes = pod === undefined ? [] : causeFixes(pod);
  return fixes.length > 0 ? fixes : ['give the test more time: --wait-time 2m'];
}

/** Returns the fixes for problems of a Pod that do not disappear with more time. */
function causeFixes(pod: PodLike): readonly string[] {
  const problems = podProblems(pod).filter(({ kind }) => lasting.has(kind));
  return [...new Set(problems.flatMap((problem) => podFixes(problem)))];
}

const lasting: ReadonlySet<PodProblem['kind']> = new Set(['image', 'config', 'unschedulable']);

async function resultsOf(
  { client, spec, signal }: TestPodRun,
  key: ObjectKey,
  pod: PodLike,
): Promise<readonly TestResult[]> {
  const ended = stateOf(pod, testContainer)?.terminated;
  if (ended === undefined) {
    const warning = await warningOf(client, pod, signal);
    const log = await tailOf(client, key, startedContainer(pod), signal);
    return [failure(spec, [...problemsOf(pod), ...warning], { log, suggestions: causeFixes(pod) })];
  }
  const exit =
    ended.exitCode === 0
      ? []
      : [`container ${testContainer} ended with exit code ${ended.exitCode ?? '?'}: ${ended.reason ?? ''}`];
  let log: string;
  try {
    log = await readLog(client, key, { container: testContainer, limitBytes: mostOfLog }, signal);
  } catch (error) {
    signal.throwIfAborted();
    return [
      failure(spec, [...exit, `the log of container ${testContainer} cannot be read`, ...messagesOf(error)]),
    ];
  }
  const isCut = Buffer.byteLength(log) >= mostOfLog;
  const read = isCut ? { problem: `has more than ${mostOfLog} bytes` } : readResults(log, testNameOf(spec));
  // As in operator-sdk, results are valid regardless of the exit code.
  if ('results' in read) return read.results;
  const problem = `the log of container ${testContainer} ${read.problem}`;
  return [failure(spec, [...exit, problem], { log: lastLines(log), suggestions: [protocol] })];
}

const protocol =
  'print one JSON document and nothing else, also to standard error: {"results": [{"name": "x", "state": "pass"}]}';

function failure(
  spec: ConfiguredTest,
  errors: readonly string[],
  more: Partial<Pick<TestResult, 'log' | 'suggestions'>> = {},
): TestResult {
  return { name: testNameOf(spec), state: 'error', log: '', suggestions: [], ...more, errors };
}

function hasEnded(pod: PodLike): boolean {
  const { phase } = pod.status ?? {};
  return phase === 'Succeeded' || phase === 'Failed' || stateOf(pod, testContainer)?.terminated !== undefined;
}

/**
 * Reasons of a waiting container for which kubelet does not try again to start it, or always fails in the same way. Source:
 * pkg/kubelet/images/types.go
 */
const finalReasons: ReadonlySet<string | undefined> = new Set(['InvalidImageName', 'ErrImageNeverPull']);

function neverStarts(pod: PodLike): boolean {
  return statusesOf(pod).some(({ state }) => finalReasons.has(state?.waiting?.reason));
}

type ContainerStatus = NonNullable<NonNullable<PodLike['status']>['containerStatuses']>[number];

function statusesOf({ status }: PodLike): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

function stateOf(pod: PodLike, container: string): ContainerStatus['state'] {
  return statusesOf(pod).find(({ name }) => name === container)?.state;
}

/** Returns the name of the container that was started last and therefore has a log. */
function startedContainer(pod: PodLike | undefined): string | undefined {
  const started = pod === undefined ? [] : statusesOf(pod).filter(({ state }) => hasLog(state));
  return started.at(-1)?.name;
}

function hasLog(state: ContainerStatus['state']): boolean {
  return state?.running !== undefined || (state?.terminated?.exitCode ?? 0) !== 0;
}

/** Returns the reasons why a Pod has failed, from its containers and from the Pod itself, for instance after an eviction. */
function problemsOf(pod: PodLike): readonly string[] {
  const { status } = pod;
  const containers = statusesOf(pod).flatMap(({ name, image, state }) => {
    if (state?.running !== undefined) return [`container ${name} is still running`];
    const { terminated, waiting } = state ?? {};
    if (terminated !== undefined)
      return terminated.exitCode === 0
        ? []
        : [
            `container ${name} ended with exit code ${terminated.exitCode ?? '?'}: ${terminated.reason ?? ''}`,
          ];
    const { reason = 'waiting', message } = waiting ?? {};
    if (reason === 'PodInitializing') return [];
    return [`container ${name} (${image ?? '?'}): ${[reason, message].filter(Boolean).join(': ')}`];
  });
  if (containers.length > 0 && status?.reason === undefined) return containers;
  return [...podProblems(pod).map(({ message }) => `Pod ${pod.metadata.name}: ${message}`), ...containers];
}

/**
 * Returns the last warning event about a Pod, as a list. Returns an empty list if the request fails, because other problems of the Pod are
 * already known.
 */
async function warningOf(client: KubeClient, pod: PodLike, signal: AbortSignal): Promise<readonly string[]> {
  return unlessLost(lastWarning(client, pod, signal), [], signal);
}

async function tailOf(
  client: KubeClient,
  key: ObjectKey,
  container: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (container === undefined) return '';
  const log = readLog(client, key, { container, tailLines: shownLines, limitBytes: mostOfLog }, signal);
  return lastLines(await unlessLost(log, '', signal));
}

/** Returns the result of a request, or `otherwise` if the request fails. @throws the abort reason of the signal */
async function unlessLost<T>(request: Promise<T>, otherwise: T, signal: AbortSignal): Promise<T> {
  try {
    return await request;
  } catch (error) {
    signal.throwIfAborted();
    if (isOpSdkError(error)) return otherwise;
    throw error;
  }
}

function lastLines(log: string): string {
  const text = log.replace(/\n$/, '').split('\n').slice(-shownLines).join('\n').slice(-shownCharacters);
  return text === '' ? '' : `${text}\n`;
}

/**
 * Returns the messages of an expected error.
 * @throws the error itself if it is a defect
 */
function messagesOf(error: unknown): readonly string[] {
  if (!isOpSdkError(error)) throw error;
  return error.findings.map((finding: Finding) => finding.message);
}

/** Maximum size of a container's log in bytes. Logs with results are far smaller. */
const mostOfLog = 4 * 1024 * 1024;
