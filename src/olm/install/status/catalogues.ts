import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import { isForbidden, isTypeNotServed, type KubeClient } from '../../../sdk/kube/index.ts';
import { jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import { CatalogSource, ClusterCatalog } from '../../run/olm-kinds.ts';
import type { OlmVersion } from '../../catalog/index.ts';
import { statusCondition } from './object-health.ts';

/** A CatalogSource or a ClusterCatalog. */
export interface CatalogueState {
  readonly name: string;
  readonly namespace?: string;
  readonly serving: boolean;
  /** State as OLM reports it. */
  readonly state: string;
}

/** The catalogues of an OLM on a cluster; none if they may not be read. */
export async function listCatalogues(
  client: KubeClient,
  olm: OlmVersion,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<readonly CatalogueState[]> {
  const type: Resource<KubeObject> = olm === 'v0' ? CatalogSource : ClusterCatalog;
  try {
    return (await client.list(type, { signal })).items.map((object) => catalogueState(olm, object));
  } catch (error) {
    if (isForbidden(error) || isTypeNotServed(error)) return [];
    throw error;
  }
}

/** Returns the state of a catalogue: if OLM can install from it. */
export function catalogueState(olm: OlmVersion, object: KubeObject): CatalogueState {
  const { name, namespace } = object.metadata;
  const status = jsonMapOf((object as KubeObject & { readonly status?: unknown }).status);
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(olm === 'v0' ? sourceState(status) : clusterCatalogState(status)),
  };
}

/** gRPC connections that nobody uses become IDLE; those that work are READY. */
function sourceState(status: Readonly<Record<string, unknown>>): Pick<CatalogueState, 'serving' | 'state'> {
  const state = jsonTextOf(jsonMapOf(status['connectionState'])['lastObservedState']);
  const message = jsonTextOf(status['message']);
  const words = [state === '' ? 'not seen by OLM yet' : state, message].filter(Boolean).join(': ');
  return { serving: state === 'READY' || state === 'IDLE', state: words };
}

function clusterCatalogState(
  status: Readonly<Record<string, unknown>>,
): Pick<CatalogueState, 'serving' | 'state'> {
  const serving = statusCondition(status, 'Serving');
  if (serving?.['status'] === 'True') return { serving: true, state: 'Serving' };
  // Why it does not serve is in the other condition.
  const progressing = statusCondition(status, 'Progressing');
  const reason = jsonTextOf((progressing ?? serving)?.['reason']);
  const message = jsonTextOf((progressing ?? serving)?.['message']);
  const words = [reason, message].filter(Boolean).join(': ');
  return { serving: false, state: words === '' ? 'not seen by OLM yet' : words };
}
