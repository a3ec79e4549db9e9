import type { KubeObject, ManagedFieldsEntry, Resource } from '../api/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { currentTime } from './conditions.ts';
import { ApiError, isInvalid, type ApplyOptions, type Client, type ObjectKey } from '../kube/index.ts';

/** For each client, the kinds whose `status.conditions` is a list map or is being checked. */
const mapsOf = new WeakMap<object, Map<string, Promise<boolean>>>();

/** Methods of a client that {@link assertConditionsAreAMap} needs. */
type StatusApplier = Pick<Client, 'applyStatus'>;

/**
 * Refuses conditions for a kind whose `conditions` list is atomic instead of a map by type, because server-side apply of an atomic list
 * would delete the conditions of all other controllers. Determines the list type by a dry run of the same write: in the returned
 * `managedFields`, a map has an entry for each item. The dry run is made once for each kind and client, and repeated after a refusal, since
 * a new CRD may correct the type. A status without conditions needs no request.
 *
 * If an admission webhook does not support dry runs, the list type stays unknown and the write is not refused.
 *
 * @param client of the API server; the result is cached for each client
 * @param status the status to apply
 * @param options of the write
 * @throws OpSdkError `runtime/conditions-not-a-map`; ApiError if the API server would refuse the write itself
 */
export async function assertConditionsAreAMap(
  client: StatusApplier,
  resource: Resource,
  key: ObjectKey,
  status: object,
  options: ApplyOptions = {},
): Promise<void> {
  const { conditions } = status as { readonly conditions?: unknown };
  if (!Array.isArray(conditions)) return;
  const maps = mapsOf.get(client) ?? new Map<string, Promise<boolean>>();
  mapsOf.set(client, maps);
  const kind = `${resource.apiVersion} ${resource.kind}`;
  // Concurrent calls wait for the same dry run. If that dry run does not show the list type, each call repeats it.
  if ((await maps.get(kind)?.catch(() => false)) === true) return;
  const asked = isMapOnServer(client, resource, key, { ...status, conditions }, options);
  maps.set(kind, asked);
  await asked;
}

/** Returns true if the server keeps the conditions of the kind as a list map; false if the answer does not show the list type. */
async function isMapOnServer(
  client: StatusApplier,
  resource: Resource,
  key: ObjectKey,
  status: { readonly conditions: readonly unknown[] },
  options: ApplyOptions,
): Promise<boolean> {
  const { conditions } = status;
  const isEmpty = conditions.length === 0;
  // An empty list has the same managed fields for a map and an atomic list, so one condition is sent in its place.
  const probe = isEmpty ? { ...status, conditions: [someCondition()] } : status;
  let answer: KubeObject;
  try {
    // The cast is safe because the caller has checked the status against the type of the kind.
    answer = await client.applyStatus(resource, key, probe as never, { ...options, dryRun: true });
  } catch (error) {
    if (isDryRunUnsupported(error) || (isEmpty && isInvalid(error))) return false;
    throw error;
  }
  const entry = answer.metadata.managedFields?.find((each) => isOf(each, options.fieldManager));
  if (entry !== undefined && !isMap(entry)) throw notAMap(resource, key);
  return entry !== undefined;
}

function notAMap({ kind }: Resource, { name, namespace }: ObjectKey): OpSdkError {
  return new OpSdkError({
    code: 'runtime/conditions-not-a-map',
    message: `applyStatus ${kind}: status.conditions: expected a list map by type, got a list that is replaced as a whole: the conditions of other controllers would be deleted`,
    where: { object: `${kind} ${[namespace, name].filter(Boolean).join('/')}`, path: '.status.conditions' },
    fix: [
      "declare `conditions?: ListMap<Condition, 'type'>`, run `op-sdk generate manifests` and install the CRD",
      "if the CRD belongs to others: write the whole list by client.patch with { subresource: 'status' }",
    ],
  });
}

/**
 * Returns true if an admission webhook does not support dry runs. Source: apiserver `NewDryRunUnsupportedErr` of the admission webhooks.
 */
function isDryRunUnsupported(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400 && /does not support dry run/.test(error.message);
}

/** Returns true for the entry that records the conditions applied by a field manager. Source: apimachinery `metav1.ManagedFieldsEntry`. */
function isOf(
  { manager, operation, subresource, fieldsV1 }: ManagedFieldsEntry,
  fieldManager: string | undefined,
): boolean {
  return (
    (fieldManager === undefined || manager === fieldManager) &&
    operation === 'Apply' &&
    subresource === 'status' &&
    conditionFields(fieldsV1) !== undefined
  );
}

/**
 * Returns true if the conditions in an entry of `managedFields` are a map: a map has items such as `k:{"type":"Ready"}`, a set has `v:…`,
 * an atomic list has none. Source: structured-merge-diff `fieldpath`.
 */
function isMap({ fieldsV1 }: ManagedFieldsEntry): boolean {
  return Object.keys(conditionFields(fieldsV1) ?? {}).some((item) => item.startsWith('k:'));
}

function conditionFields(fieldsV1: Record<string, unknown> | undefined): object | undefined {
  const status = fieldsV1?.['f:status'] as Record<string, unknown> | undefined;
  return status?.['f:conditions'] as object | undefined;
}

function someCondition(): object {
  return {
    type: 'Ready',
    status: 'Unknown',
    reason: 'DryRun',
    message: '',
    lastTransitionTime: currentTime(),
  };
}
