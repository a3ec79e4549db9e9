import {
  applyObjects,
  imageFixes,
  waitRollout,
  type AppliedObject,
  pollCluster,
  describePods,
  problemsOf,
} from '../../cluster/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { createRestMapper, type KubeClient } from '../../sdk/kube/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import type { PlacedObject, ManifestObject } from '../../kubernetes/yaml/index.ts';
import { findOlms, csvState } from './status/find-olms.ts';
import type { OlmRelease } from './release/check-release.ts';
import { applyCatalogues, type InstallRequest } from './apply-catalogues.ts';
import type { KubeObject } from '../../sdk/api/index.ts';
import { Deployment } from '../../sdk/k8s/generated/apps/v1.ts';
import { durationText } from '../../base/util/duration-text.ts';
import { jsonMapOf } from '../../base/util/json-map.ts';
import { ClusterServiceVersion, ClusterCatalog } from '../run/index.ts';

/**
 * Installs a release of OLM, and waits until it runs. This includes its Deployments, the package server of OLM v0, and the webhook of OLM
 * v1 that checks catalogues. Installing the same release again changes nothing.
 *
 * @throws OpSdkError `olm/other-version`, `olm/cert-manager-missing` before anything is applied; `olm/package-server-timeout`,
 * `cluster/rollout-timeout`, …
 */
export async function installOlm(request: InstallRequest): Promise<void> {
  const { client, release, dryRun, timeout, signal } = request;
  await checkCluster(client, release, signal);
  const end = performance.now() + timeout;
  const left = (): number => Math.max(end - performance.now(), 0);
  const apply = (objects: readonly PlacedObject[]): Promise<readonly AppliedObject[]> =>
    applyObjects({ ...request, objects, establishTimeout: timeout });
  if (dryRun === true) {
    await apply(release.objects);
    return;
  }
  // Apply the catalogues of OLM v1 later, because the webhook for catalogues refuses them until it runs.
  const isLate = ({ object }: PlacedObject): boolean => release.olm === 'v1' && isCatalogue(object);
  const applied = await apply(release.objects.filter((each) => !isLate(each)));
  await waitRollout({ ...request, advice, objects: applied.map(({ object }) => object), timeout: left() });
  if (release.olm === 'v0') await waitPackageServer(request, left(), timeout);
  await applyCatalogues({ ...request, objects: release.objects.filter(isLate) }, left(), timeout);
}

const advice = {
  image: ['name manifests whose images the nodes can pull: --manifests', ...imageFixes.slice(1)],
  wait: 'wait longer with --timeout: a second run continues where this one ended',
};

/** Throws an error for a cluster on which the release could not work, before anything is applied. */
async function checkCluster(
  client: KubeClient,
  release: OlmRelease,
  signal: AbortSignal | undefined,
): Promise<void> {
  const findings: Finding[] = [];
  const installed = (await findOlms(client, { signal })).find(({ olm }) => olm === release.olm);
  const { olm, version, namespace } = release;
  const differs = (there: string | undefined, wanted: string | undefined): boolean =>
    there !== undefined && wanted !== undefined && there !== wanted;
  if (differs(installed?.version, version))
    findings.push({
      code: 'olm/other-version',
      message: `the manifests do not fit the installed OLM ${olm}: expected version ${installed?.version ?? ''}, got ${version ?? ''}`,
      fix: [
        `keep the installed OLM, which this command shows: op-sdk olm status --olm ${olm}`,
        `or first remove the installed OLM, with what it has installed: op-sdk olm uninstall --olm ${olm}`,
      ],
    });
  else if (differs(installed?.namespace, namespace))
    findings.push({
      code: 'olm/other-version',
      message: `the manifests do not fit the installed OLM ${olm}: expected the namespace ${installed?.namespace ?? ''}, got ${namespace}`,
      fix: [`keep the installed OLM, which this command shows: op-sdk olm status --olm ${olm}`],
    });
  findings.push(...(await certManagerFindings(client, release, signal)));
  if (findings.length > 0) throw new OpSdkError(findings);
}

const certManagerGroup = 'cert-manager.io';

async function certManagerFindings(
  client: KubeClient,
  { olm, objects }: OlmRelease,
  signal: AbortSignal | undefined,
): Promise<readonly Finding[]> {
  const mapper = createRestMapper(client.connection);
  const missing = new Set<string>();
  for (const { object } of objects) {
    const { apiVersion, kind } = object;
    if (groupOf(apiVersion) !== certManagerGroup) continue;
    if ((await mapper.find(apiVersion, kind, { signal })) === undefined) missing.add(kind);
  }
  if (missing.size === 0) return [];
  return [
    {
      code: 'olm/cert-manager-missing',
      message: `OLM ${olm} needs cert-manager, whose kinds the cluster does not know: ${[...missing].join(', ')}`,
      fix: [
        'install cert-manager and wait until it runs: https://cert-manager.io/docs/installation/',
        'or install OLM v0, which does not need it: op-sdk olm install --olm v0',
      ],
    },
  ];
}

/** Name of the package server's CSV, and of the Deployment that this CSV creates. */
const packageServer = 'packageserver';
const succeeded = 'Succeeded';

/**
 * Waits until the operators of OLM v0 have installed the package server, which is the first CSV that they install. Continues to wait if the
 * phase of the CSV is Failed, because OLM retries.
 * @param left remaining milliseconds to wait
 * @param timeout total timeout in milliseconds, shown in the error message
 * @throws OpSdkError `olm/package-server-timeout` with the messages of OLM and the Pods
 */
async function waitPackageServer(
  { client, release, interval, signal, onProgress }: InstallRequest,
  left: number,
  timeout: number,
): Promise<void> {
  const placed = release.objects.find(
    ({ object }) => object.kind === ClusterServiceVersion.kind && object.metadata.name === packageServer,
  );
  if (placed === undefined) return;
  const key = { name: packageServer, namespace: release.namespace };
  const title = `${ClusterServiceVersion.kind} ${key.namespace}/${key.name}`;
  const seen = { state: 'it is not on the cluster', line: '' };
  const findServer = (): Promise<KubeObject | undefined> => client.find(Deployment, key, { signal });
  const look = async (): Promise<true | undefined> => {
    const live = await client.find(ClusterServiceVersion, key, { signal });
    if (live !== undefined) {
      const { phase } = jsonMapOf((live as KubeObject & { readonly status?: unknown }).status);
      if (phase === succeeded) return true;
      seen.state = csvState(live);
    }
    const server = await findServer();
    const [first] = server === undefined ? [] : await problemsOf(client, server, { signal });
    const pod = first === undefined ? '' : `; Pod ${first.pod.metadata.name}: ${first.problem.message}`;
    const line = `waiting for ${title}: ${seen.state}${pod}`;
    if (line !== seen.line) onProgress?.(line);
    seen.line = line;
    return undefined;
  };
  if ((await pollCluster(look, { timeout: left, interval, signal, onProgress })) === true) {
    onProgress?.(`${title} has succeeded`);
    return;
  }
  const server = await findServer();
  const reports = server === undefined ? [] : await describePods(client, server, { signal });
  const pods = reports.flatMap(({ pod, problem, details }) => [
    `Pod ${pod}: ${problem.message}`,
    ...details.map((line) => `  ${line}`),
  ]);
  throw new OpSdkError({
    code: 'olm/package-server-timeout',
    message: [`${title} has not succeeded after ${durationText(timeout)}: ${seen.state}`, ...pods].join('\n'),
    where: placed.where,
    fix: [
      `read the log of OLM: kubectl logs deployment/olm-operator -n ${key.namespace}`,
      'wait longer with --timeout: a second run continues where this one ended',
    ],
  });
}

/** Returns true for a ClusterCatalog. */
function isCatalogue({ apiVersion, kind }: ManifestObject): boolean {
  return kind === ClusterCatalog.kind && apiVersion === ClusterCatalog.apiVersion;
}
