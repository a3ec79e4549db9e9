import type { PodProblem } from './pod-problems.ts';

/** Fixes of a Pod whose image cannot be pulled, whatever created it. */
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

/** Reasons for which a kubelet cannot create a container, by its words. Source: pkg/kubelet/kuberuntime, pkg/kubelet/kubelet_pods.go */
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

/** Advice for what keeps a Pod from being ready, by its cause. */
export function podFixes({ kind, message }: PodProblem): readonly string[] {
  if (kind !== 'config') return fixes[kind];
  const known = configCauses.find(([pattern]) => pattern.test(message));
  return [known?.[1] ?? 'correct what the message says, in the manifest of the container'];
}
