import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import { olmVersions, type OlmVersion } from '../../catalog/index.ts';
import { Deployment } from '../../../sdk/k8s/generated/apps/v1.ts';
import { isCopiedByOlm } from '../../../cluster/index.ts';
import {
  createRestMapper,
  isForbidden,
  isNotFound,
  isTypeNotServed,
  type KubeClient,
} from '../../../sdk/kube/index.ts';
import { ClusterServiceVersion } from '../../run/olm-kinds.ts';
import { olmVersionIn } from '../release/check-release.ts';
import { olmFacts } from '../release/olm-facts.ts';

/** An OLM that a cluster has. */
export interface InstalledOlm {
  readonly olm: OlmVersion;
  /** Without `v`; undefined where neither the package server's CSV nor the image of the operator tells it. */
  readonly version: string | undefined;
  /** Where its operators are; undefined if they are not on the cluster, or may not be read. */
  readonly namespace: string | undefined;
}

interface Call {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Which OLMs a cluster has: those whose kinds the API server serves.
 *
 * @throws ApiError, TransportError
 */
export async function servedOlms(client: KubeClient, { signal }: Call = {}): Promise<readonly OlmVersion[]> {
  const mapper = createRestMapper(client.connection);
  const served: OlmVersion[] = [];
  for (const olm of olmVersions) {
    const { apiVersion, kind } = olmFacts[olm].marker;
    if ((await mapper.find(apiVersion, kind, { signal })) !== undefined) served.push(olm);
  }
  return served;
}

/**
 * Which OLMs a cluster has, and what is known of them. Their versions are read from the cluster.
 *
 * @throws ApiError, TransportError; what may not be read is undefined in the result
 */
export async function findOlms(client: KubeClient, { signal }: Call = {}): Promise<readonly InstalledOlm[]> {
  const found: InstalledOlm[] = [];
  for (const olm of await servedOlms(client, { signal })) {
    const operators = await named(client, Deployment, olmFacts[olm].deployments[0], signal);
    const csvs = olm === 'v0' ? await named(client, ClusterServiceVersion, 'packageserver', signal) : [];
    const originals = csvs.filter((csv) => !isCopiedByOlm(csv));
    // Items of lists do not say their kind.
    const versions = [
      ...originals.map((each) => olmVersionIn(olm, { ...each, kind: 'ClusterServiceVersion' })),
      ...operators.map((each) => olmVersionIn(olm, { ...each, kind: 'Deployment' })),
    ];
    found.push({
      olm,
      version: versions.find((version) => version !== undefined),
      namespace: (operators[0] ?? originals[0])?.metadata.namespace,
    });
  }
  return found;
}

async function named(
  client: KubeClient,
  type: Resource<KubeObject>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(type, { fieldSelector: `metadata.name=${name}`, signal })).items;
  } catch (error) {
    if (isForbidden(error) || isTypeNotServed(error) || isNotFound(error)) return [];
    throw error;
  }
}
