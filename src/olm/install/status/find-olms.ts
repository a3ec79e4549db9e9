import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import { olmVersions, type OlmVersion } from '../../catalog/index.ts';
import { Deployment } from '../../../sdk/k8s/generated/apps/v1.ts';
import { isCopiedByOlm, rolloutStatus } from '../../../cluster/index.ts';
import {
  createRestMapper,
  isForbidden,
  isNotFound,
  isTypeNotServed,
  type KubeClient,
} from '../../../sdk/kube/index.ts';
import { ClusterServiceVersion } from '../../run/index.ts';
import { olmVersionIn, olmFacts } from '../release/check-release.ts';
import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';

/** An installation of OLM found on a cluster. */
export interface InstalledOlm {
  readonly olm: OlmVersion;
  /** Version of OLM without the prefix `v`; undefined if neither the package server's CSV nor the operator's labels or image contain it. */
  readonly version: string | undefined;
  /** Namespace of OLM's operators; undefined if the operators do not exist, or the user may not read them. */
  readonly namespace: string | undefined;
}

interface Call {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the versions of OLM (`v0`, `v1`) whose kinds the API server serves.
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
 * Returns the installations of OLM on the cluster (v0, v1, or both), each with its version and namespace.
 *
 * @throws ApiError, TransportError; facts that the user may not read are undefined in the result
 */
export async function findOlms(client: KubeClient, { signal }: Call = {}): Promise<readonly InstalledOlm[]> {
  const found: InstalledOlm[] = [];
  for (const olm of await servedOlms(client, { signal })) {
    const operators = await named(client, Deployment, olmFacts[olm].deployments[0], signal);
    const csvs = olm === 'v0' ? await named(client, ClusterServiceVersion, 'packageserver', signal) : [];
    const originals = csvs.filter((csv) => !isCopiedByOlm(csv));
    // The API server omits the field `kind` in the items of a list, so it is added.
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

/** Health of an object of an OLM release on the cluster. */
export type ObjectHealth =
  | { readonly status: 'Installed' }
  /** With a reason if the server does not even serve the kind. */
  | { readonly status: 'Missing'; readonly reason?: string }
  | { readonly status: 'Unhealthy'; readonly reason: string };

const installed: ObjectHealth = { status: 'Installed' };
const unhealthy = (reason: string): ObjectHealth => ({ status: 'Unhealthy', reason });

/**
 * Returns the health of an object of OLM, derived from the status of the object in the way that its kind requires.
 * @param live the object on the cluster; undefined if it does not exist
 */
export function objectHealth(kind: string, live: KubeObject | undefined): ObjectHealth {
  if (live === undefined) return { status: 'Missing' };
  if (live.metadata.deletionTimestamp !== undefined) return unhealthy('it is being deleted');
  const status = jsonMapOf((live as KubeObject & { readonly status?: unknown }).status);
  switch (kind) {
    case 'Deployment': {
      const rollout = rolloutStatus({ ...live, kind });
      return rollout.state === 'done' ? installed : unhealthy(rollout.message);
    }
    case 'CustomResourceDefinition':
      return definitionHealth(status);
    case 'ClusterServiceVersion':
      return status['phase'] === 'Succeeded' ? installed : unhealthy(csvState(live));
    default:
      return conditionHealth(status);
  }
}

/** Describes the state of a CSV as reported by OLM: its phase and, if it has not succeeded, the reason. */
export function csvState(live: KubeObject): string {
  const status = jsonMapOf((live as KubeObject & { readonly status?: unknown }).status);
  const phase = jsonTextOf(status['phase']);
  if (phase === '') return 'OLM has not seen it yet';
  const reason = jsonTextOf(status['reason']);
  const message = jsonTextOf(status['message']);
  // If a CSV has unmet requirements, only the field `requirementStatus` names them.
  const unmet = jsonListOf(status['requirementStatus'])
    .map(jsonMapOf)
    .filter((each) => !['Present', 'Satisfied'].includes(jsonTextOf(each['status'])))
    .map((each) => `${jsonTextOf(each['kind'])} ${jsonTextOf(each['name'])}: ${jsonTextOf(each['message'])}`);
  const state =
    reason === '' || reason === phase ? `its phase is ${phase}` : `its phase is ${phase} (${reason})`;
  return [[state, message].filter(Boolean).join(': '), ...(phase === 'Succeeded' ? [] : unmet)].join('; ');
}

function definitionHealth(status: JsonMap): ObjectHealth {
  const established = statusCondition(status, 'Established');
  if (established?.['status'] === 'True') return installed;
  const refused = statusCondition(status, 'NamesAccepted');
  const message = jsonTextOf(refused?.['status'] === 'False' ? refused['message'] : established?.['message']);
  return unhealthy(message === '' ? 'it is not established' : `it is not established: ${message}`);
}

/**
 * Returns the health of an object by its conditions, for example of a cert-manager object or an APIService. An object without conditions is
 * healthy.
 */
function conditionHealth(status: JsonMap): ObjectHealth {
  for (const type of ['Ready', 'Available']) {
    const condition = statusCondition(status, type);
    if (condition?.['status'] !== 'False') continue;
    const said = [condition['reason'], condition['message']].map(jsonTextOf).filter(Boolean).join(': ');
    return unhealthy(`its condition ${type} is False${said === '' ? '' : `: ${said}`}`);
  }
  return installed;
}

export function statusCondition(status: JsonMap, type: string): JsonMap | undefined {
  return jsonListOf(status['conditions'])
    .map(jsonMapOf)
    .find((condition) => condition['type'] === type);
}
