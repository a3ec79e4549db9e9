import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ManagedFieldsEntry } from '../../sdk/api/index.ts';
import { isConflict, type KubeClient } from '../../sdk/kube/index.ts';
import { comparableObject, lastApplied } from '../changes/compare-objects.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { isJsonMap, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import { FieldSet, withoutFields } from '../../kubernetes/objects/index.ts';
import { isApplyOf, isUpdate, takeOverPatch, withFieldsTakenOver } from '../ownership/take-over-fields.ts';

/** Field manager of `kubectl apply`, unless the user has set another name. */
const clientSideManager = 'kubectl-client-side-apply';

/**
 * Returns the field managers that wrote an object by client-side apply. A manager is included if it is that of `kubectl apply`, or if it
 * owns the annotation of client-side apply, which `kubectl edit` also writes. Server-side apply never removes fields that such a manager
 * owns.
 *
 * Source: kubectl `pkg/cmd/apply` `migrateToSSAIfNecessary`
 */
export function clientSideManagers({ metadata }: Pick<KubeObject, 'metadata'>): readonly string[] {
  const managers = (metadata.managedFields ?? [])
    .filter((entry) => isUpdate(entry))
    .filter(({ manager, fieldsV1 }) => manager === clientSideManager || ownsAnnotation(fieldsV1))
    .flatMap(({ manager }) => manager ?? []);
  return [...new Set(managers)];
}

function ownsAnnotation(fieldsV1: unknown): boolean {
  const metadata = jsonMapOf(jsonMapOf(fieldsV1)['f:metadata']);
  return Object.hasOwn(jsonMapOf(metadata['f:annotations']), `f:${lastApplied}`);
}

/** Maximum number of attempts to take over the fields, as in kubectl. */
const attempts = 5;

/**
 * Makes the client the owner of the fields that were set by client-side apply, including the annotation of client-side apply. The next
 * apply then removes those that the manifest no longer contains. Nothing else changes. After a conflict, the object is read again and the
 * change is repeated.
 *
 * @param live the object as last read
 * @throws ApiError
 */
export async function takeOverClientSideFields(
  client: KubeClient,
  { resource, key }: ClusterObject,
  live: KubeObject,
  signal: AbortSignal | undefined,
): Promise<void> {
  let current: KubeObject | undefined = live;
  for (let attempt = 1; current !== undefined; attempt++) {
    const { managedFields = [], resourceVersion } = current.metadata;
    const former = clientSideManagers(current);
    if (former.length === 0) return;
    try {
      const body = takeOverPatch(
        withFieldsTakenOver(managedFields, former, client.fieldManager),
        resourceVersion,
      );
      await client.patch(resource, key, { type: 'json', body }, { signal });
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
      current = await client.find(resource, key, { signal });
    }
  }
}

/**
 * Returns the object as it would be without the fields of client-side apply that the manifest no longer contains. A dry run of apply does
 * not show this result, because it cannot take over fields. Therefore the object without these fields is sent to the server in a second dry
 * run, which adds defaults.
 *
 * @param applied the response to the dry run of an apply
 * @throws ApiError
 */
export async function dryRunTakeOver(
  client: KubeClient,
  { resource, key }: ClusterObject,
  state: {
    readonly before: KubeObject;
    readonly applied: KubeObject;
    readonly former: readonly string[];
    readonly signal: AbortSignal | undefined;
  },
): Promise<KubeObject> {
  const { before, applied, former, signal } = state;
  const left = comparableObject(withoutFormerFields(applied, former, client.fieldManager));
  if (isDeepStrictEqual(left, comparableObject(applied))) return applied;
  const body = mergePatchFor(comparableObject(before), left);
  return client.patch(resource, key, { type: 'merge', body }, { dryRun: true, signal });
}

function withoutFormerFields(applied: KubeObject, former: readonly string[], applier: string): KubeObject {
  const entries = applied.metadata.managedFields ?? [];
  const isFormer = (entry: ManagedFieldsEntry): boolean =>
    isUpdate(entry) && former.includes(entry.manager ?? '');
  const secret = secretRules(applied, entries.find((entry) => isApplyOf(entry, applier))?.fieldsV1);
  const kept = entries
    .filter((entry) => !isFormer(entry))
    .map((entry) => {
      const fields = jsonMapOf(entry.fieldsV1);
      return FieldSet.fromJson(isApplyOf(entry, applier) ? secret.written(fields) : fields);
    });
  const left = entries
    .filter(isFormer)
    .reduce<unknown>(
      (value, { fieldsV1 }) =>
        withoutFields(value, FieldSet.fromJson(secret.removed(jsonMapOf(fieldsV1))), kept),
      applied,
    );
  return left as KubeObject;
}

/**
 * Returns functions that adjust the owned fields of a Secret. They are needed because the API server moves `stringData` to `data`, where
 * the resulting keys have no owner. If an applier owned some keys of `data` and no longer applies any, the API server removes all of
 * `data`, and then writes the keys of `stringData`. Keys that other managers once wrote by `stringData` are lost. The fields of other
 * objects are not adjusted.
 *
 * @param fieldsV1 the fields that the applier owns
 */
function secretRules(applied: KubeObject, fieldsV1: unknown) {
  const isSecret = applied.apiVersion === 'v1' && applied.kind === 'Secret';
  const appliesData = Object.hasOwn(jsonMapOf(fieldsV1), 'f:data');
  const keys = Object.keys(jsonMapOf((applied as { readonly data?: unknown }).data));
  const all = { '.': {}, ...Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) };
  return {
    removed: (fields: JsonMap): JsonMap =>
      isSecret && !appliesData && Object.hasOwn(fields, 'f:data') ? { ...fields, 'f:data': all } : fields,
    written: (fields: JsonMap): JsonMap =>
      isSecret && isJsonMap(fields['f:stringData'])
        ? {
            ...fields,
            'f:data': FieldSet.fromJson(fields['f:data'])
              .union(FieldSet.fromJson(fields['f:stringData']))
              .toJson(),
          }
        : fields,
  };
}

/** Returns a merge patch that changes `before` to `after`. A null in the patch removes a field. */
function mergePatchFor(before: JsonMap, after: JsonMap): JsonMap {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(
    changed.map((name) => {
      const [old, fresh] = [before[name], after[name]];
      return [name, isJsonMap(old) && isJsonMap(fresh) ? mergePatchFor(old, fresh) : (fresh ?? null)];
    }),
  );
}
