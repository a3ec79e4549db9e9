import { podFixes, podProblems, type PodLike, type PodProblem } from '../../cluster/index.ts';
import type { OlmRunCode } from '../../base/errors/index.ts';
import { failedBy, type CauseLog, type Judgement } from './judgement.ts';

interface Words {
  readonly code: OlmRunCode;
  /** Failing part, put before the Pod's own message. */
  readonly message: string;
  readonly fix: readonly string[];
}

/** Failures of the Pods of one part of an installation. */
interface Workload {
  readonly image: Words;
  readonly crash: Words;
  /** Number of ends of a container after which it is the cause: those of long-running Pods may need another attempt. */
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

/** The Pod of `--index-image`, whose images are chosen by flags. */
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
    fix: ['correct what the log of the operator says, then push its image and the bundle again'],
  },
  restarts: 1,
};

/** Returns the certain cause why Pods do not work; undefined if they only need time. */
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

/** Describes the state of a Pod, for a line of progress; undefined if there is none that needs time. */
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

/** The log that shows more of a problem. */
export function logOf(
  { metadata: { name, namespace } }: PodLike,
  { logs }: PodProblem,
): CauseLog | undefined {
  return logs && { pod: name, namespace, ...logs };
}

/** The first container of Pods that is at work and has a log, for causes that no Pod names. */
export function logOfPods(pods: readonly PodLike[]): CauseLog | undefined {
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
