import type { KubeObject } from '../../../sdk/api/index.ts';
import { rolloutStatus } from '../../../cluster/rollout/rollout-status.ts';
import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';

/** The state of an object of a release. */
export type ObjectHealth =
  { readonly status: 'Installed' | 'Missing' } | { readonly status: 'Unhealthy'; readonly reason: string };

const installed: ObjectHealth = { status: 'Installed' };
const unhealthy = (reason: string): ObjectHealth => ({ status: 'Unhealthy', reason });

/**
 * Judges an object of OLM by its kind and its status.
 *
 * @param live undefined if it is not on the cluster
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

/** Returns the state of a CSV as OLM reports it: its phase, and why it is not further. */
export function csvState(live: KubeObject): string {
  const status = jsonMapOf((live as KubeObject & { readonly status?: unknown }).status);
  const phase = jsonTextOf(status['phase']);
  if (phase === '') return 'OLM has not seen it yet';
  const reason = jsonTextOf(status['reason']);
  const message = jsonTextOf(status['message']);
  // Of a CSV whose requirements are not met, only this says which.
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

/** Objects of cert-manager, APIServices and the like; what has no condition is as it should be. */
function conditionHealth(status: JsonMap): ObjectHealth {
  for (const type of ['Ready', 'Available']) {
    const condition = statusCondition(status, type);
    if (condition?.['status'] !== 'False') continue;
    const said = [condition['reason'], condition['message']].map(jsonTextOf).filter(Boolean).join(': ');
    return unhealthy(`its condition ${type} is False${said === '' ? '' : `: ${said}`}`);
  }
  return installed;
}

/** A condition of a status, by its type. */
export function statusCondition(status: JsonMap, type: string): JsonMap | undefined {
  return jsonListOf(status['conditions'])
    .map(jsonMapOf)
    .find((condition) => condition['type'] === type);
}
