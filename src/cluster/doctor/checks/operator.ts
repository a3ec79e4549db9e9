import { Deployment } from '../../../sdk/k8s/generated/apps/v1.ts';
import type { ErrorCode } from '../../../base/errors/index.ts';
import { describePods, type PodReport } from '../../rollout/describe-pods.ts';
import { rolloutStatus } from '../../rollout/rollout-status.ts';
import { defineCheck, ok, problem, skipped, warning, type Verdict } from '../check.ts';
import { deploymentsOf } from '../operator-deployment.ts';

/** Checks that the operator is deployed and runs; if not, what its Pods say. */
export const operator = defineCheck({
  name: 'operator',
  needs: ['project', 'objects', 'cluster'],
  async run({ objects, cluster: { client } }, { signal }) {
    const deployments = deploymentsOf(objects);
    if (deployments.length === 0) return skipped('config/default has no Deployment');
    const verdicts: Verdict[] = [];
    for (const { metadata } of deployments) {
      const { name, namespace = client.connection.cluster.namespace } = metadata;
      const live = await client.find(Deployment, { name, namespace }, { signal });
      const title = `Deployment ${namespace}/${name}`;
      if (live === undefined) {
        const fix =
          'make docker-build docker-push deploy IMG=<registry>/<name>:<tag>, or run it here: op-sdk run';
        verdicts.push(warning('cluster/not-deployed', `${title} does not exist`, fix));
        continue;
      }
      const status = rolloutStatus(live);
      if (status.state === 'done') verdicts.push(ok(`${title} is ready`));
      else {
        const [report] = await describePods(client, live, { signal });
        verdicts.push(unready(title, namespace, status.message, report));
      }
    }
    return verdicts.find(({ status }) => status !== 'ok') ?? verdicts[0] ?? skipped('nothing to look at');
  },
});

const codes: Readonly<Partial<Record<PodReport['problem']['kind'], ErrorCode>>> = {
  image: 'cluster/image-not-pulled',
  crash: 'cluster/operator-crashes',
};

function unready(title: string, namespace: string, message: string, report: PodReport | undefined): Verdict {
  if (report === undefined)
    return problem(
      'cluster/operator-not-ready',
      `${title} is not ready: ${message}`,
      `kubectl describe -n ${namespace} ${title.replace(`${namespace}/`, '')}`,
    );
  const { pod, problem: found, details } = report;
  const said = details.length === 0 ? '' : `; ${details.join('; ')}`;
  return problem(
    codes[found.kind] ?? 'cluster/operator-not-ready',
    `${title}, Pod ${pod}: ${found.message}${said}`,
    ...fixesFor(found.kind, namespace, pod),
  );
}

function fixesFor(kind: PodReport['problem']['kind'], namespace: string, pod: string): readonly string[] {
  if (kind === 'image') {
    return [
      'push the image under this name, or deploy the name that was pushed: make docker-push deploy IMG=<registry>/<name>:<tag>',
      'for a private registry, add a pull secret to the ServiceAccount controller-manager (imagePullSecrets)',
    ];
  }
  if (kind === 'crash') return [`kubectl logs -n ${namespace} ${pod} --previous`];
  return [`kubectl describe pod -n ${namespace} ${pod}`];
}
