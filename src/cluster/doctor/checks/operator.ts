import { Deployment } from '../../../sdk/k8s/generated/apps/v1.ts';
import type { ErrorCode } from '../../../base/errors/index.ts';
import { describePods, type PodReport } from '../../rollout/describe-pods.ts';
import { rolloutStatus } from '../../rollout/rollout-status.ts';
import { defineCheck, ok, problem, skipped, warning, type Verdict, deploymentsOf } from '../check.ts';
import { ownAccess, type KubeClient, type ApiDirectory } from '../../../sdk/kube/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';

/** Checks that the operator is deployed and running. If it is not, reports the problems of its Pods. */
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

/** Kinds of objects that the deploy of any operator writes. */
const always: readonly Target[] = [
  { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' },
  { group: 'rbac.authorization.k8s.io', plural: 'clusterroles' },
];

interface Target {
  readonly group: string;
  readonly plural: string;
  readonly namespace?: string;
}

/** Checks that the user may install CRDs and cluster roles, and may write all other kinds of objects in config/default. */
export const permissions = defineCheck({
  name: 'permissions',
  needs: ['cluster'],
  async run({ cluster: { client, directory } }, { signal }, attempt) {
    const objects = await attempt('objects');
    const targets = unique([...always, ...('value' in objects ? targetsOf(objects.value, directory) : [])]);
    const denied: string[] = [];
    for (const target of targets) {
      // Server-side apply is a patch; a new object also needs `create`.
      for (const verb of ['create', 'patch']) {
        if (!(await isAllowed(client, target, verb, signal))) denied.push(`${verb} ${describe(target)}`);
      }
    }
    if (denied.length === 0) return ok(`${targets.map(({ plural }) => plural).join(', ')} may be written`);
    return problem(
      'cluster/not-permitted',
      `you may not ${denied.join(', ')}`,
      'ask an administrator of the cluster for the permission',
      'or choose another context: op-sdk doctor --context <name>',
    );
  },
});

function targetsOf(objects: readonly PlacedObject[], { types }: ApiDirectory): readonly Target[] {
  return objects.flatMap(({ object: { apiVersion, kind, metadata } }) => {
    const type = types.find(({ resource }) => resource.apiVersion === apiVersion && resource.kind === kind);
    if (type === undefined) return [];
    const { group, plural } = type.resource;
    return [
      { group, plural, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }) },
    ];
  });
}

function unique(targets: readonly Target[]): readonly Target[] {
  return [...new Map(targets.map((target) => [describe(target), target])).values()];
}

function describe({ group, plural, namespace }: Target): string {
  const type = group === '' ? plural : `${plural}.${group}`;
  return namespace === undefined ? type : `${type} in ${namespace}`;
}

function isAllowed(
  { connection }: KubeClient,
  { plural, ...target }: Target,
  verb: string,
  signal: AbortSignal,
): Promise<boolean> {
  return ownAccess(connection, { ...target, resource: plural, verb }, { signal });
}
