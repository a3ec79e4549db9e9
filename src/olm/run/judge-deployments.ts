import { rolloutStatus, type PodLike } from '../../cluster/index.ts';
import type { KubeObject } from '../../sdk/api/index.ts';
import { labelRequirements, labelsMatch, type ObjectLabelSelector } from '../../base/util/label-selector.ts';
import { trueCondition, type Conditioned } from './condition.ts';
import { done, failedBy, waitingFor, type Judgement } from './judgement.ts';
import type { Observed } from './observed.ts';
import { logOfPods, operatorPods, podCause, podProgress } from './workload-causes.ts';

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
  if (deployment === undefined) return waitingFor('rollout', `Deployment ${name}: it does not exist yet`);
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
  return waitingFor(
    'rollout',
    [`Deployment ${name}: ${status.message}`, podProgress(pods)].filter(Boolean).join('; '),
  );
}

/** The Pods of the template that the Deployment has now: those of a former one may still fail. */
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
