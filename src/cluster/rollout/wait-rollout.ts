import type { KubeObject } from '../../api/index.ts';
import { FindingList, type Finding } from '../../errors/index.ts';
import { isNotFound, type KubeClient } from '../../kube/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { pollCluster } from '../poll-cluster.ts';
import { durationText } from '../../util/duration-text.ts';
import { describePods, problemsOf, type PodReport } from './describe-pods.ts';
import { hasRollout, rolloutStatus, type RolloutStatus } from './rollout-status.ts';
import type { PodProblem } from './pod-problems.ts';

export interface RolloutRequest {
  readonly client: KubeClient;
  /** Those without a rollout are passed over. */
  readonly objects: readonly ClusterObject[];
  /** Milliseconds for all of them together. */
  readonly timeout: number;
  /** Milliseconds between two looks. Default: 500. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with what is being waited for, whenever it changes. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * Waits until the Deployments, DaemonSets and StatefulSets among the objects are rolled out, all at the same time.
 *
 * @throws OpSdkError `cluster/rollout-failed` when a controller gives up, `cluster/rollout-timeout`, with what the Pods say;
 *   one finding for each workload
 */
export async function waitRollout(request: RolloutRequest): Promise<void> {
  const workloads = request.objects.filter(({ resource }) => hasRollout(resource));
  const results = await Promise.all(workloads.map((workload) => waitFor(request, workload)));
  const findings = new FindingList();
  for (const finding of results) if (finding !== undefined) findings.add(finding);
  findings.throwIfAny();
}

async function waitFor(
  { client, timeout, interval, signal, onProgress }: RolloutRequest,
  object: ClusterObject,
): Promise<Finding | undefined> {
  const { resource, key, title, where } = object;
  const seen: { live?: KubeObject; line?: string } = {};
  const tell = (line: string): void => {
    if (line !== seen.line) onProgress?.(line);
    seen.line = line;
  };
  const look = async (): Promise<RolloutStatus | undefined> => {
    const live = await client.get(resource, key, { signal });
    seen.live = live;
    const status = rolloutStatus(live);
    if (status.state !== 'waiting') return status;
    const [first] = await problemsOf(client, live, { signal });
    const pod = first === undefined ? '' : `; Pod ${first.pod.metadata.name}: ${first.problem.message}`;
    tell(`waiting for ${title}: ${status.message}${pod}`);
    return undefined;
  };
  let end: RolloutStatus | undefined;
  try {
    end = await pollCluster(look, { timeout, interval, signal, onProgress });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { code: 'cluster/rollout-failed', message: `${title} was deleted during the wait`, where };
  }
  if (end?.state === 'done') {
    tell(`${title} is rolled out`);
    return undefined;
  }
  const { live } = seen;
  const reports = live === undefined ? [] : await describePods(client, live, { signal });
  const failed = end !== undefined;
  const last = end ?? (live === undefined ? undefined : rolloutStatus(live));
  const message = last === undefined || last.state === 'done' ? '' : `: ${last.message}`;
  const text = failed ? 'cannot be rolled out' : `is not rolled out after ${durationText(timeout)}`;
  return {
    code: failed ? 'cluster/rollout-failed' : 'cluster/rollout-timeout',
    message: [`${title} ${text}${message}`, ...reports.flatMap(reportLines)].join('\n'),
    where,
    fix: [
      ...new Set(reports.flatMap(({ problem }) => fixes[problem.kind])),
      ...(failed ? [] : waitLonger(title, key)),
    ],
  };
}

function reportLines({ pod, problem, details }: PodReport): readonly string[] {
  return [`Pod ${pod}: ${problem.message}`, ...details.map((line) => `  ${line}`)];
}

const fixes: Readonly<Record<PodProblem['kind'], readonly string[]>> = {
  image: [
    'push the image, and check its name: op-sdk deploy --image REF',
    'or give the nodes access to a private registry by imagePullSecrets of the ServiceAccount',
    'or load it into a local cluster: kind load docker-image REF',
  ],
  crash: ['read the whole log: kubectl logs'],
  unschedulable: ['add a node that fits, or ask for less in resources, nodeSelector and tolerations'],
  config: ['create the ConfigMap or Secret that the container refers to'],
  'not-ready': ['check what /readyz returns, and the log of the container'],
  starting: [],
};

function waitLonger(title: string, { namespace }: ClusterObject['key']): readonly string[] {
  const [type = '', name = ''] = title.split('/');
  const place = namespace === undefined ? '' : ` -n ${namespace}`;
  return [
    `wait longer with --timeout, or not at all with --no-wait`,
    `see kubectl describe ${type}/${name}${place}`,
  ];
}
