import type { KubeObject } from '../../sdk/api/index.ts';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import { isNotFound, type KubeClient } from '../../sdk/kube/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { pollCluster } from '../clients.ts';
import { durationText } from '../../base/util/duration-text.ts';
import { describePods, podsOf, type PodReport } from './describe-pods.ts';
import { defaultPatience, LastingCauses, type LastingCause, type Patience } from './lasting-causes.ts';
import { hasRollout, isObserved, rolloutStatus, type RolloutStatus } from './rollout-status.ts';
import { podProblems, imageFixes, podFixes } from './pod-problems.ts';

export interface RolloutRequest {
  readonly client: KubeClient;
  /** Objects to wait for; those without a rollout are passed over. */
  readonly objects: readonly ClusterObject[];
  /** Milliseconds for all of them together. */
  readonly timeout: number;
  /** Milliseconds between two looks. Default: 500. */
  readonly interval?: number | undefined;
  /** Time that a cause must last to end the wait early. */
  readonly patience?: Patience | undefined;
  /** Default: that of `op-sdk deploy`. */
  readonly advice?: RolloutAdvice | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with what is being waited for, whenever it changes. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * Waits until the Deployments, DaemonSets and StatefulSets among the objects are rolled out, all at the same time.
 * The wait ends early for what does not pass by itself.
 *
 * @throws OpSdkError `cluster/rollout-failed` when a controller gives up, `cluster/image-not-pulled`, `cluster/no-nodes`,
 *   `cluster/rollout-timeout`, with what the Pods say; one finding for each workload
 */
export async function waitRollout(request: RolloutRequest): Promise<void> {
  const workloads = request.objects.filter(({ resource }) => hasRollout(resource));
  const results = await Promise.all(workloads.map((workload) => waitFor(request, workload)));
  const findings = new FindingList();
  for (const finding of results) if (finding !== undefined) findings.add(finding);
  findings.throwIfAny();
}

type End = Exclude<RolloutStatus, { readonly state: 'waiting' }> | { readonly cause: LastingCause };

async function waitFor(
  { client, timeout, interval, patience, advice = adviceOfDeploy, signal, onProgress }: RolloutRequest,
  object: ClusterObject,
): Promise<Finding | undefined> {
  const { resource, key, title, where } = object;
  const seen: { live?: KubeObject; line?: string } = {};
  const causes = new LastingCauses(client, patience ?? defaultPatience, signal);
  const tell = (line: string): void => {
    if (line !== seen.line) onProgress?.(line);
    seen.line = line;
  };
  const look = async (): Promise<End | undefined> => {
    const live = await client.get(resource, key, { signal });
    seen.live = live;
    const status = rolloutStatus(live);
    if (status.state !== 'waiting') return status;
    const pods = await podsOf(client, live, { signal });
    const [first] = pods.flatMap((pod) => podProblems(pod).map((problem) => ({ pod, problem })));
    const pod = first === undefined ? '' : `; Pod ${first.pod.metadata.name}: ${first.problem.message}`;
    tell(`waiting for ${title}: ${status.message}${pod}`);
    // Before its controller has seen a change, the Pods are those of the former template.
    const cause = isObserved(live) ? await causes.look(live, pods) : undefined;
    return cause && { cause };
  };
  const carefully = async (): Promise<End | undefined> => {
    try {
      return await look();
    } catch (error) {
      causes.forget();
      throw error;
    }
  };
  let end: End | undefined;
  try {
    end = await pollCluster(carefully, { timeout, interval, signal, onProgress });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { code: 'cluster/rollout-failed', message: `${title} was deleted during the wait`, where };
  }
  if (end !== undefined && 'state' in end && end.state === 'done') {
    tell(`${title} is rolled out`);
    return undefined;
  }
  const reports = seen.live === undefined ? [] : await describePods(client, seen.live, { signal });
  const lines = reports.flatMap(reportLines);
  const problemFixes = [
    ...new Set(
      reports.flatMap(({ problem }) => (problem.kind === 'image' ? advice.image : podFixes(problem))),
    ),
  ];
  if (end !== undefined && 'cause' in end) {
    const { code, message, fix = [] } = end.cause;
    const text = `${title} cannot be rolled out: ${message}`;
    // What the Pods say of a cluster without nodes follows from it.
    return {
      code,
      message: [text, ...lines].join('\n'),
      where,
      fix: fix.length > 0 ? fix : problemFixes,
    };
  }
  const failed = end !== undefined;
  const last = end ?? (seen.live === undefined ? undefined : rolloutStatus(seen.live));
  const state = last === undefined || last.state === 'done' ? '' : `: ${last.message}`;
  const cause = failed ? undefined : causes.present;
  const text = failed ? 'cannot be rolled out' : `is not rolled out after ${durationText(timeout)}`;
  return {
    code: failed ? 'cluster/rollout-failed' : 'cluster/rollout-timeout',
    message: [
      `${title} ${text}${state}`,
      ...(cause?.code === 'cluster/no-nodes' ? [cause.message] : []),
      ...lines,
    ].join('\n'),
    where,
    fix: [...(cause?.fix ?? []), ...problemFixes, ...(failed ? [] : waitLonger(title, key, advice))],
  };
}

function reportLines({ pod, problem, details }: PodReport): readonly string[] {
  return [`Pod ${pod}: ${problem.message}`, ...details.map((line) => `  ${line}`)];
}

/** The fixes that name flags of the command that waits. */
interface RolloutAdvice {
  /** For an image that cannot be pulled. */
  readonly image: readonly string[];
  /** For a rollout that needs more time. */
  readonly wait: string;
}

const adviceOfDeploy: RolloutAdvice = {
  image: ['push the image, and check its name: op-sdk deploy --image REF', ...imageFixes.slice(1)],
  wait: 'wait longer with --timeout, or not at all with --no-wait',
};

function waitLonger(
  title: string,
  { namespace }: ClusterObject['key'],
  advice: RolloutAdvice,
): readonly string[] {
  const [type = '', name = ''] = title.split('/');
  const place = namespace === undefined ? '' : ` -n ${namespace}`;
  return [advice.wait, `see kubectl describe ${type}/${name}${place}`];
}
