import { externalResource, type KubeObject } from '../../sdk/api/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { ApiError, isAlreadyExists, isConflict, isForbidden, type KubeClient } from '../../sdk/kube/index.ts';
import { leftConversion, restoringCommand } from '../../testing/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { keptInSet } from '../inventory/contents.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { clientSideManagers, dryRunTakeOver } from './client-side-apply.ts';
import { refusal } from './installable-crds.ts';
import { checkNewObject, writeObject } from './write-object.ts';

/** An object, and the API server's response to a dry run of its apply. */
export interface CheckedObject {
  readonly object: ClusterObject;
  /** State of the object on the cluster; undefined if the object does not exist. */
  readonly before: KubeObject | undefined;
  /** State that the object would have after an apply; undefined if the API server could not check it. */
  readonly after: KubeObject | undefined;
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

interface CheckOptions extends CallOptions {
  /**
   * Returns true for objects that are only read and not checked, because their CustomResourceDefinition has not been created or updated
   * yet.
   */
  readonly waits?: ((object: ClusterObject) => boolean) | undefined;
  /** All objects of the manifest. Their Namespaces will exist when the checked objects are written. Default: the checked objects. */
  readonly madeBy?: readonly ClusterObject[] | undefined;
}

const namespaces = externalResource({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
});

/**
 * Checks all objects of served types on the server without writing: if they are valid, if the user may write them, and who owns fields that
 * an apply would take over. Objects that depend on other objects of the manifest are checked as far as possible. For example, if the
 * manifest creates an object's namespace, only the fields of the object are checked, in the namespace `default`.
 *
 * @throws TransportError, ApiError `kube/unauthorized`; errors of single objects are returned as findings in the result
 */
export async function checkObjects(
  client: KubeClient,
  objects: readonly ClusterObject[],
  options: CheckOptions,
): Promise<readonly CheckedObject[]> {
  const missing = await missingNamespaces(client, objects, options);
  const created = new Set(
    (options.madeBy ?? objects)
      .filter(({ resource }) => resource.group === '' && resource.kind === 'Namespace')
      .map(({ key }) => key.name),
  );
  const reported = new Set<string>();
  return inParallel(objects, async (object): Promise<CheckedObject> => {
    const namespace = object.key.namespace;
    if (namespace === undefined || !missing.has(namespace)) return checkInPlace(client, object, options);
    const unchecked = { object, before: undefined, after: undefined, warnings: [] };
    if (created.has(namespace)) {
      const findings = isCheckable(object, options)
        ? await checkFields(client, object, { signal: options.signal, namespace: 'default' })
        : [];
      return { ...unchecked, findings };
    }
    // A missing namespace is reported only for the first object in it.
    if (reported.has(namespace)) return { ...unchecked, findings: [] };
    reported.add(namespace);
    return { ...unchecked, findings: [namespaceMissing(object, namespace)] };
  });
}

function isCheckable(object: ClusterObject, { waits }: Pick<CheckOptions, 'waits'>): boolean {
  return object.served && waits?.(object) !== true;
}

async function missingNamespaces(
  client: KubeClient,
  objects: readonly ClusterObject[],
  { signal }: CheckOptions,
): Promise<ReadonlySet<string>> {
  const names = [
    ...new Set(objects.flatMap(({ key }) => (key.namespace === undefined ? [] : [key.namespace]))),
  ];
  const found = await inParallel(names, async (name) => {
    try {
      return (await client.find(namespaces, { name }, { signal })) !== undefined;
    } catch (error) {
      // If the user may not read namespaces, the namespace is assumed to exist. The check of the object then reports any problem.
      if (isForbidden(error)) return true;
      throw error;
    }
  });
  return new Set(names.filter((_, index) => found[index] === false));
}

function namespaceMissing({ title, where }: ClusterObject, namespace: string): Finding {
  return {
    code: 'cluster/namespace-missing',
    message: `${title}: the namespace ${namespace} does not exist`,
    where,
    fix: [`create it: kubectl create namespace ${namespace}`, 'or put the Namespace into the manifest'],
  };
}

async function checkInPlace(
  client: KubeClient,
  given: ClusterObject,
  { signal, waits }: CheckOptions,
): Promise<CheckedObject> {
  let object = given;
  let nothing = { object, before: undefined, after: undefined, findings: [], warnings: [] };
  // An object cannot be checked before its CustomResourceDefinition exists.
  if (!object.served) return nothing;
  let before: KubeObject | undefined;
  try {
    before = await client.find(object.resource, object.key, { signal });
    if (before?.metadata.deletionTimestamp !== undefined)
      return { ...nothing, before, findings: [beingDeleted(object)] };
    object = keptInSet(object, before, client.fieldManager);
    nothing = { ...nothing, object };
    if (!isCheckable(object, { waits })) return { ...nothing, before };
    // Only a new object is checked by a simulated creation. The creation of an existing object would conflict with the object itself, for
    // example in its address or ports.
    const findings = before === undefined ? await checkFields(client, object, { signal }) : [];
    if (findings.length > 0) return { ...nothing, before, findings };
    return { ...nothing, before, ...(await dryRun(client, object, before, signal)) };
  } catch (error) {
    if (isUndecided(error)) return { ...nothing, before };
    const findings = refusal(error, object).map((finding) => withTakenConversion(finding, before));
    // Server-side apply reports only the first unknown field, so a strict check of the fields determines all unknown fields.
    const all = error instanceof ApiError && error.message.includes('not declared in schema');
    return { ...nothing, findings: all ? await allFindings(client, object, findings, signal) : findings };
  }
}

/**
 * Adds fixes to a finding if the API server refuses an object because a killed `op-sdk run` or `dev` has left its own conversion on the
 * definition. The URL of that conversion remains, because no manifest sets this field.
 */
function withTakenConversion(finding: Finding, before: KubeObject | undefined): Finding {
  if (finding.code !== 'cluster/invalid-object' || !finding.message.includes('spec.conversion'))
    return finding;
  const live = before as CustomResourceDefinition | undefined;
  const taken = live && leftConversion(live);
  if (live === undefined || taken === undefined) return finding;
  return {
    ...finding,
    fix: [
      'end the `op-sdk run` or `dev` that has taken the conversion',
      'if it was killed, start `op-sdk run` of its project on the same machine: it undoes the changes of the killed one',
      `if that machine is gone, or was restarted: ${restoringCommand(live, taken)}`,
    ],
  };
}

async function allFindings(
  client: KubeClient,
  object: ClusterObject,
  known: readonly Finding[],
  signal: AbortSignal | undefined,
): Promise<readonly Finding[]> {
  const findings = await checkFields(client, object, { signal });
  return findings.length > 0 ? findings : known;
}

function beingDeleted({ title, where }: ClusterObject): Finding {
  return {
    code: 'cluster/being-deleted',
    message: `${title} is being deleted`,
    where,
    fix: [
      'wait until the object is gone, then run the command again',
      'if the object stays, look at its metadata.finalizers and its status',
    ],
  };
}

/** Returns the findings of strict decoding and field validation. Ignores all other reasons for which the API server refuses the object. */
async function checkFields(
  client: KubeClient,
  object: ClusterObject,
  options: CallOptions & { readonly namespace?: string },
): Promise<readonly Finding[]> {
  try {
    await checkNewObject(client, object, options);
    return [];
  } catch (error) {
    if (isAlreadyExists(error)) return [];
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    // Refusals by policies of the namespace used for the check are ignored, because the object will be written to another namespace.
    if (error.status !== 422 && error.status !== 400) return [];
    return refusal(error, object).filter(({ code }) => code === 'cluster/invalid-object');
  }
}

/**
 * Applies an object as a dry run, first without force. If this conflicts, the error names the owners of the fields that would be taken
 * over, and the dry run is repeated with force.
 */
async function dryRun(
  client: KubeClient,
  object: ClusterObject,
  before: KubeObject | undefined,
  signal: AbortSignal | undefined,
): Promise<Pick<CheckedObject, 'after' | 'warnings'>> {
  // Managers of client-side apply. Their fields may be overwritten, because the manifest has newer values.
  const former = before === undefined ? [] : clientSideManagers(before);
  const finish = async (live: KubeObject): Promise<KubeObject> =>
    before === undefined || former.length === 0
      ? live
      : dryRunTakeOver(client, object, { before, applied: live, former, signal });
  try {
    const { live } = await writeObject(client, object, { signal, dryRun: true, force: false });
    return { after: await finish(live), warnings: [] };
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { live } = await writeObject(client, object, { signal, dryRun: true, force: true });
    return { after: await finish(live), warnings: takenOver(error, object, former) };
  }
}

function takenOver(
  conflict: ApiError,
  { title, where }: ClusterObject,
  former: readonly string[],
): readonly Finding[] {
  const fields = (conflict.details?.causes ?? []).flatMap(({ reason, field = '', message = '' }) => {
    const owner = /conflict with "([^"]*)"/.exec(message)?.[1];
    if (reason !== 'FieldManagerConflict' || (owner !== undefined && former.includes(owner))) return [];
    return [owner === undefined ? field : `${field} from ${owner}`];
  });
  if (fields.length === 0) return [];
  return [
    {
      code: 'cluster/field-taken-over',
      message: `${title}: the manifest overwrites values that others have set: ${fields.join(', ')}`,
      where,
      fix: ['remove from the manifest each of these fields that others should set'],
    },
  ];
}

/** Returns true if the reason why a dry run was refused does not concern the object itself. */
function isUndecided(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  // Status 404 may mean that another object of the manifest must be created first, such as a namespace, or the role of a binding.
  return error.status === 404 || error.message.includes('does not support dry run');
}
