import type { KubeObject } from '../../sdk/api/index.ts';

/** Reason why a Pod is not ready. */
export interface PodProblem {
  readonly kind: 'image' | 'crash' | 'unschedulable' | 'config' | 'not-ready' | 'starting';
  /** Message about the problem, without the name of the Pod. */
  readonly message: string;
  /**
   * The container whose logs explain the problem further. If `previous` is true, read the logs of the container before its last restart.
   */
  readonly logs?: { readonly container: string; readonly previous: boolean };
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: {
    readonly reason?: string;
    readonly message?: string;
    readonly exitCode?: number;
    readonly startedAt?: string;
    readonly finishedAt?: string;
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly image?: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

/** A Pod with the fields that this code reads. */
export interface PodLike extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly { readonly name: string; readonly image?: string }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

// Reasons why an image cannot be pulled. Source: pkg/kubelet/images/types.go
const imageReasons = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ErrImageInspect',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

// Reasons why a container cannot be created or started. Source: pkg/kubelet/kuberuntime/kuberuntime_container.go
const configReasons = new Set(['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError']);

/** Finds the reasons why a Pod is not ready; returns none if the Pod is ready. */
export function podProblems({ status }: PodLike): readonly PodProblem[] {
  const conditions = status?.conditions ?? [];
  if (conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True')) return [];
  const unschedulable = conditions.find(
    ({ type, status, reason }) => type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable',
  );
  if (unschedulable !== undefined) {
    return [
      {
        kind: 'unschedulable',
        message: `no node accepts it: ${unschedulable.message ?? 'Unschedulable'}`,
      },
    ];
  }
  // The Pod was evicted, or has exceeded its deadline. If instead its containers failed, `status.reason` is not set.
  if (status?.phase === 'Failed' && status.reason !== undefined)
    return [{ kind: 'crash', message: [status.reason, status.message].filter(Boolean).join(': ') }];
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  if (containers.length === 0) {
    return [{ kind: 'starting', message: 'waits to be scheduled on a node' }];
  }
  const problems = containers.flatMap((container) => problemOf(container) ?? []);
  return problems.length === 0 && status?.phase === 'Failed'
    ? [{ kind: 'crash', message: status.message ?? 'Failed' }]
    : problems;
}

function problemOf({
  name,
  image,
  ready,
  state,
  lastState,
  restartCount = 0,
}: ContainerStatus): PodProblem | undefined {
  const { waiting, terminated } = state ?? {};
  const reason = waiting?.reason ?? '';
  const details = waiting?.message === undefined ? '' : `: ${waiting.message}`;
  if (imageReasons.has(reason))
    return { kind: 'image', message: `container ${name}: ${reason} of ${image ?? 'its image'}${details}` };
  if (configReasons.has(reason)) return { kind: 'config', message: `container ${name}: ${reason}${details}` };
  const last = lastState?.terminated;
  if (reason === 'CrashLoopBackOff') {
    const code = last?.exitCode === undefined ? '' : `, it ended with exit code ${last.exitCode}`;
    const killed = last?.reason === 'OOMKilled' ? ' (OOMKilled: it used more memory than its limit)' : '';
    // Text of the container's termination message. It is empty if the container did not write a message.
    const words = (last?.message ?? '').trim();
    const said = words === '' ? '' : `: ${words}`;
    const message = `container ${name}: CrashLoopBackOff${code}${killed}${said}`;
    return { kind: 'crash', message, logs: { container: name, previous: true } };
  }
  if (terminated !== undefined) {
    // Exit code 0 is the regular end of an init container, and not a problem.
    if (terminated.exitCode === 0) return undefined;
    const words = (terminated.message ?? '').trim() || (terminated.reason ?? '');
    const message = `container ${name} ended with exit code ${terminated.exitCode ?? '?'}: ${words}`;
    return { kind: 'crash', message, logs: { container: name, previous: false } };
  }
  if (waiting !== undefined)
    return { kind: 'starting', message: `container ${name}: ${reason || 'waiting'}${details}` };
  if (ready === true) return undefined;
  const restarts = restartCount === 0 ? '' : ` and has been restarted ${restartCount} times`;
  const message = `container ${name} runs${restarts}, but is not ready: its readiness probe does not succeed`;
  return { kind: 'not-ready', message, logs: { container: name, previous: false } };
}

/** Fixes for a Pod whose image cannot be pulled, independent of what created the Pod. */
export const imageFixes: readonly string[] = [
  'push the image, and check its name',
  'or give the nodes access to a private registry by imagePullSecrets of the ServiceAccount',
  'or load it into a local cluster: kind load docker-image REF',
];

const fixes: Readonly<Record<Exclude<PodProblem['kind'], 'config'>, readonly string[]>> = {
  image: imageFixes,
  crash: ['read the whole log: kubectl logs'],
  unschedulable: ['add a node that fits, or ask for less in resources, nodeSelector and tolerations'],
  'not-ready': ['check what /readyz returns, and the log of the container'],
  starting: [],
};

/**
 * Patterns of kubelet messages about a container that cannot be created, each with its fix. Source: pkg/kubelet/kuberuntime,
 * pkg/kubelet/kubelet_pods.go
 */
const configCauses: readonly (readonly [RegExp, string])[] = [
  [
    /runAsNonRoot/,
    'let the image have a numeric USER other than 0, or set runAsUser in the securityContext of the container',
  ],
  [
    /couldn't find key|references non-existent (?:config|secret) key/,
    'add the key to the ConfigMap or Secret that the container refers to',
  ],
  [/(?:configmap|secret) "[^"]*" not found/i, 'create the ConfigMap or Secret that the container refers to'],
  [
    /executable file not found|no such file or directory|permission denied|no command specified|exec format error/,
    'correct command and args of the container, or build the image for the platform of the nodes with this program',
  ],
];

/** Returns fixes for the problem that keeps a Pod from being ready. */
export function podFixes({ kind, message }: PodProblem): readonly string[] {
  if (kind !== 'config') return fixes[kind];
  const known = configCauses.find(([pattern]) => pattern.test(message));
  return [known?.[1] ?? 'correct what the message says, in the manifest of the container'];
}
