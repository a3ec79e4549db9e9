import { compareSemver, parseSemver } from '../catalog/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';

/**
 * Compares `spec.minKubeVersion` with the version of the API server, as OLM v0 does: OLM v1 installs the bundle whatever it says.
 *
 * @returns a warning; undefined if the server is new enough, or one of the versions is none
 */
export async function tooOldForBundle(
  client: KubeClient,
  { csv, minKubeVersion }: { readonly csv: string; readonly minKubeVersion: string },
  signal: AbortSignal,
): Promise<Finding | undefined> {
  const least = parseSemver(minKubeVersion.trim());
  if (least === undefined) return undefined;
  const answer = await client.raw.request({ method: 'GET', path: '/version', signal });
  const { gitVersion } = answer.json<{ readonly gitVersion: string }>();
  const version = parseSemver(releaseOf(gitVersion));
  if (version === undefined || compareSemver(version, least) >= 0) return undefined;
  return {
    code: 'olm/min-kube-version',
    message: `${csv} needs Kubernetes ${minKubeVersion.trim()}, the cluster has ${gitVersion}, and OLM v1 installs it all the same`,
    where: { object: csv },
    fix: ['update the cluster', 'or lower minKubeVersion of the base ClusterServiceVersion'],
  };
}

/** Without what providers and builds append: `v1.33.1-gke.100` is 1.33.1. */
function releaseOf(gitVersion: string): string {
  return /\d+\.\d+\.\d+/.exec(gitVersion)?.[0] ?? gitVersion;
}
