import type { KubeObject } from '../../sdk/api/index.ts';
import { pollCluster, describePods, problemsOf } from '../../cluster/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { Deployment } from '../../sdk/k8s/generated/apps/v1.ts';
import { durationText } from '../../base/util/duration-text.ts';
import { jsonMapOf } from '../../base/util/json-map.ts';
import { ClusterServiceVersion } from '../run/index.ts';
import { csvState } from './status/find-olms.ts';
import type { InstallRequest } from './apply-catalogues.ts';

/** The name of its CSV, and of the Deployment in it. */
const packageServer = 'packageserver';
const succeeded = 'Succeeded';

/**
 * Waits until the operators of OLM v0 have installed the package server: the first CSV that they see. Failed is not an end:
 * OLM tries again.
 *
 * @param left milliseconds
 * @param timeout milliseconds, for the message
 * @throws OpSdkError `olm/package-server-timeout` with what OLM and the Pods say
 */
export async function waitPackageServer(
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
      'wait longer with --timeout: a second run goes on where this one ended',
    ],
  });
}
