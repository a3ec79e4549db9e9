import { rolloutStatus, type PodLike, podFixes, podProblems, type PodProblem } from '../../cluster/index.ts';
import type { KubeObject } from '../../sdk/api/index.ts';
import { labelRequirements, labelsMatch, type ObjectLabelSelector } from '../../base/util/label-selector.ts';
import type { OlmRunCode } from './codes.ts';
import { type Observed, trueCondition, type Conditioned } from './observed.ts';
import { done, failedBy, pendingStep, type Judgement, type CauseLog } from './judgement.ts';

/** Judges the progress of an operator's Deployments: `done` if all of them are rolled out. */
export function judgeDeployments(
  observed: Observed,
  { names, namespace }: { readonly names: readonly string[]; readonly namespace: string },
): Judgement {
  const all = names.map((name) => judgeDeployment(observed, name, namespace));
  return all.find(({ state }) => state === 'failed') ?? all.find(({ state }) => state === 'waiting') ?? done;
}

function judgeDeployment(observed: Observed, name: string, namespace: string): Judgement {
  const deployment = observed.get<Conditioned>('Deployment', name, namespace);
  if (deployment === undefined) return pendingStep('rollout', `Deployment ${name}: it does not exist yet`);
  const status = rolloutStatus(deployment);
  if (status.state === 'done') return done;
  const pods = newestPods(observed, deployment);
  const cause = podCause(pods, operatorPods);
  if (cause !== undefined) return cause;
  const refused = trueCondition(deployment, 'ReplicaFailure');
  if (refused !== undefined)
    return failedBy({
      code: 'olm/operator-pods',
      message: `Deployment ${name} cannot create its Pods: ${refused.message ?? refused.reason ?? ''}`,
      object: deployment,
      fix: ['allow its Pods in the namespace (quota, pod security), or correct the Deployment in the bundle'],
    });
  if (status.state === 'failed')
    return failedBy({
      code: 'olm/operator-failing',
      message: [`Deployment ${name} is not available: ${status.message}`, podProgress(pods)]
        .filter(Boolean)
        .join('; '),
      object: deployment,
      log: logOfPods(pods),
      fix: ['check what /readyz of the operator returns, and its log'],
    });
  return pendingStep(
    'rollout',
    [`Deployment ${name}: ${status.message}`, podProgress(pods)].filter(Boolean).join('; '),
  );
}

/** Returns the Pods of the Deployment's newest Pod template. Pods of a former template are excluded, because they may still fail. */
export function newestPods(observed: Observed, deployment: KubeObject): readonly PodLike[] {
  const { selector } = (deployment as KubeObject & { spec?: { selector?: ObjectLabelSelector } }).spec ?? {};
  if (selector === undefined) return [];
  const requirements = labelRequirements(selector);
  const pods = observed
    .list<PodLike>('Pod', deployment.metadata.namespace)
    .filter(({ metadata }) => labelsMatch(requirements, metadata.labels));
  const hash = pods.at(-1)?.metadata.labels?.['pod-template-hash'];
  return pods.filter(({ metadata }) => metadata.labels?.['pod-template-hash'] === hash);
}

interface Words {
  readonly code: OlmRunCode;
  /** Description of the part of the installation that fails. It is put before the message of the Pod. */
  readonly message: string;
  readonly fix: readonly string[];
}

/** Messages for failures of the Pods of one part of an installation, such as the catalogue or the operator. */
interface Workload {
  readonly image: Words;
  readonly crash: Words;
  /**
   * Minimum number of terminations of a container that counts as a failure. The number is higher for long-running Pods, which may need
   * another attempt.
   */
  readonly restarts: number;
}

const nodesPull = [
  'push the image, and check its name and that the nodes may pull it: a private registry needs imagePullSecrets',
  'or load it into a local cluster: kind load docker-image REF',
];

export const catalogPods: Workload = {
  image: { code: 'olm/catalog-image', message: 'an image of the catalogue cannot be pulled', fix: nodesPull },
  crash: {
    code: 'olm/catalog-not-served',
    message: 'the catalogue does not start',
    fix: ['check the catalogue: op-sdk catalog validate', 'build its image again, and push it'],
  },
  restarts: 1,
};

/** Messages for the Pod that serves the catalogue of `--index-image`. Flags set the images of this Pod. */
export const registryPods: Workload = {
  image: {
    code: 'olm/catalog-image',
    message: 'an image of the Pod that serves the catalogue cannot be pulled',
    fix: [
      'name images that the nodes can pull: --index-image IMAGE, --decompression-image IMAGE',
      'a private registry needs --pull-secret-name, or a Secret in the ServiceAccount of the Pod',
    ],
  },
  crash: {
    code: 'olm/catalog-not-served',
    message: 'the Pod that serves the catalogue does not start',
    fix: ['name an --index-image with sh and opm, and a --decompression-image with sh, cat and gzip'],
  },
  restarts: 1,
};

export const unpackPods: Workload = {
  image: { code: 'olm/bundle-image', message: 'an image of the bundle cannot be pulled', fix: nodesPull },
  crash: {
    code: 'olm/bundle-unpack-failed',
    message: 'the bundle cannot be unpacked',
    fix: ['check the bundle: op-sdk bundle validate', 'build its image again, and push it'],
  },
  restarts: 0,
};

export const operatorPods: Workload = {
  image: {
    code: 'olm/operator-image',
    message: 'an image of the operator cannot be pulled',
    fix: [
      'push the image of the operator, and build the bundle with the same name: op-sdk generate bundle',
      ...nodesPull,
    ],
  },
  crash: {
    code: 'olm/operator-failing',
    message: 'the operator does not start',
    fix: ['correct the error in the log of the operator, then push its image and the bundle again'],
  },
  restarts: 1,
};

/** Returns the cause why Pods do not work, if it is certain. Returns undefined if the Pods may only need more time. */
export function podCause(pods: readonly PodLike[], workload: Workload): Judgement | undefined {
  for (const pod of alive(pods)) {
    for (const problem of podProblems(pod)) {
      const { image, crash, restarts } = workload;
      const said = `Pod ${pod.metadata.name}: ${problem.message}`;
      if (problem.kind === 'image')
        return failedBy({
          ...image,
          message: `${image.message}: ${said}`,
          object: pod,
          terminal: problem.message.includes('InvalidImageName'),
        });
      if (problem.kind === 'config')
        return failedBy({
          ...crash,
          message: `${crash.message}: ${said}`,
          object: pod,
          fix: podFixes(problem),
        });
      if (isLasting(pod, problem, restarts))
        return failedBy({
          ...crash,
          message: `${crash.message}: ${said}`,
          object: pod,
          log: logOf(pod, problem),
        });
    }
  }
  return undefined;
}

/** Describes the state of a Pod that is still starting, as a progress message. Returns undefined if no Pod is starting. */
export function podProgress(pods: readonly PodLike[]): string | undefined {
  for (const pod of alive(pods)) {
    const { name } = pod.metadata;
    const { phase, initContainerStatuses = [] } = pod.status ?? {};
    if (phase === 'Succeeded') continue;
    const init = initContainerStatuses.find(({ state }) => state?.running !== undefined);
    if (init !== undefined) return `Pod ${name} runs its init container ${init.name}`;
    const problems = podProblems(pod);
    const worst = problems.find(({ kind }) => kind !== 'starting' && kind !== 'not-ready');
    if (worst !== undefined) return `Pod ${name}: ${worst.message}`;
    if (problems.some(({ kind }) => kind === 'starting')) return `Pod ${name} is starting`;
    if (problems.length > 0) return `Pod ${name} runs, but is not ready yet`;
  }
  return undefined;
}

function alive(pods: readonly PodLike[]): readonly PodLike[] {
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** Returns the container whose log explains a problem of a Pod. */
function logOf({ metadata: { name, namespace } }: PodLike, { logs }: PodProblem): CauseLog | undefined {
  return logs && { pod: name, namespace, ...logs };
}

/** Returns the first container whose log may explain a failure. Used if the status of the Pods does not show the cause. */
function logOfPods(pods: readonly PodLike[]): CauseLog | undefined {
  for (const pod of alive(pods))
    for (const problem of podProblems(pod)) if (problem.logs !== undefined) return logOf(pod, problem);
  return undefined;
}

function isLasting({ status }: PodLike, { kind, logs }: PodProblem, restarts: number): boolean {
  if (kind !== 'crash') return false;
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return containers
    .filter(({ name }) => logs === undefined || name === logs.container)
    .some(
      ({ restartCount = 0, state }) =>
        restartCount >= restarts &&
        (state?.waiting?.reason === 'CrashLoopBackOff' || (state?.terminated?.exitCode ?? 0) !== 0),
    );
}
