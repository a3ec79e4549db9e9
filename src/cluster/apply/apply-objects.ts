import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ManagedFieldsEntry } from '../../sdk/api/index.ts';
import { FindingList, isOpSdkError, type Finding } from '../../base/errors/index.ts';
import { createRestMapper, type KubeClient } from '../../sdk/kube/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { compareObjects } from '../changes/compare-objects.ts';
import {
  outcomeOf,
  type ClusterObject,
  type ObjectOutcome,
  isCrd,
  applyOrder,
  isFoundation,
} from '../objects/cluster-object.ts';
import { locateObjects } from '../objects/resolve-objects.ts';
import { poll } from '../../sdk/net/index.ts';
import { FieldSet, memberAt } from '../../kubernetes/objects/index.ts';
import { checkObjects, type CheckedObject } from './check-objects.ts';
import { clientSideManagers, takeOverClientSideFields } from './client-side-apply.ts';
import { refusalAfter } from './installable-crds.ts';
import { writeObject, waitEstablished } from './write-object.ts';

export interface ApplyRequest {
  readonly client: KubeClient;
  readonly objects: readonly PlacedObject[];
  /**
   * Namespace for namespaced objects without a namespace in the manifest. If given, other objects must not name another namespace. Default:
   * the namespace of the kubeconfig's context; objects may then name any namespace.
   */
  readonly namespace?: string | undefined;
  /** True to send every request as a server-side dry run, which changes nothing. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Maximum time in milliseconds until the API server serves a new CustomResourceDefinition. Default: 30 s. */
  readonly establishTimeout?: number | undefined;
  /** Maximum time in milliseconds until the API server uses the new version of a changed CustomResourceDefinition. Default: 5 s. */
  readonly schemaTimeout?: number | undefined;
  /** Called before each object is written. If it throws an error, applying ends with this error. */
  readonly beforeWrite?: ((object: ClusterObject) => Promise<void>) | undefined;
  /** Called with the outcome of each object directly after the object is written, even if the command fails later. */
  readonly onOutcome?: ((outcome: ObjectOutcome, object: ClusterObject) => void) | undefined;
  readonly onWarning?: ((warning: Finding) => void) | undefined;
  /** Called with a progress message when the API server stops answering during a wait, and when it answers again. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * An applied object and its state on the cluster after the apply. In a dry run, `live` is undefined if the server could not check the
 * object.
 */
export interface AppliedObject {
  readonly object: ClusterObject;
  /** State of the object before the apply; undefined if the object did not exist. */
  readonly before: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  readonly outcome: ObjectOutcome;
}

/**
 * Writes objects to a cluster by server-side apply with force, under the client's field manager. Before the first write, everything is
 * checked that can be checked without writing. Namespaces and CustomResourceDefinitions are written first. Once the API server serves the
 * definitions, all other objects are written in a fixed order. Applying the same objects again changes nothing.
 *
 * If the API server refuses an object, the other objects are still written. All findings are thrown at the end.
 *
 * @throws OpSdkError with all findings: `cluster/unknown-kind`, `cluster/invalid-object`, `cluster/forbidden`, …
 */
export async function applyObjects(request: ApplyRequest): Promise<readonly AppliedObject[]> {
  const { client, objects, namespace, signal } = request;
  const mapper = createRestMapper(client.connection);
  const { objects: known, findings } = await locateObjects(objects, {
    mapper,
    namespace: namespace ?? client.connection.cluster.namespace,
    onlyNamespace: namespace !== undefined,
    purpose: 'apply',
    signal,
  });
  const resolved = applyOrder(known);
  const foundation = await checkObjects(client, resolved.filter(isFoundation), { signal });
  const changed = new Set(foundation.filter(isChangedCrd(client)).map(({ object }) => object.key.name));
  // Objects are not checked against a definition that this manifest changes, because they are written for the new definition.
  const waits = ({ resource }: ClusterObject): boolean => changed.has(`${resource.plural}.${resource.group}`);
  const others = resolved.filter((each) => !isFoundation(each));
  const rest = await checkObjects(client, others, { signal, waits, madeBy: resolved });
  tellChecks(request, [...foundation, ...rest], findings);
  if (request.dryRun === true) return [...foundation, ...rest].map((each) => tellPlan(request, each));

  const written = await writeAll(request, foundation);
  await establish(request, written);
  // Objects whose definition is part of this manifest can be checked only now, after the definition has been written.
  const late = await checkLate(
    request,
    rest.map(({ object }) => object).filter((each) => !each.served || waits(each)),
  );
  tellChecks(request, late);
  const complete = rest.map((each) => late.find(({ object }) => object.key === each.object.key) ?? each);
  return [...written, ...(await writeAll(request, complete))];
}

function isChangedCrd({ fieldManager }: KubeClient): (checked: CheckedObject) => boolean {
  return ({ object, before, after }) =>
    isCrd(object.object) &&
    (before === undefined ||
      after === undefined ||
      // If only the field owners of a definition change, objects of its kind are not affected.
      (!sameContent(before, after, fieldManager) && compareObjects(before, after).changes.length > 0));
}

/**
 * Checks objects whose definition has just been written. For a moment, the API server may still validate the objects by the former
 * definition, and does not indicate when it switches to the new one. Therefore a rejection counts only if it persists until the timeout.
 */
async function checkLate(
  { client, signal, schemaTimeout = 5_000 }: ApplyRequest,
  objects: readonly ClusterObject[],
): Promise<readonly CheckedObject[]> {
  const served = objects.map((object) => ({ ...object, served: true }));
  let checked: readonly CheckedObject[] = [];
  const look = async (): Promise<true | undefined> => {
    checked = await checkObjects(client, served, { signal });
    return checked.some(({ findings }) => findings.length > 0) ? undefined : true;
  };
  await poll(look, { timeout: schemaTimeout, interval: 250, signal });
  return checked;
}

/**
 * Reports the warnings of checked objects. @throws OpSdkError with the findings `others` and the findings of all checked objects, if any
 */
function tellChecks(
  { onWarning }: ApplyRequest,
  checked: readonly CheckedObject[],
  others: readonly Finding[] = [],
): void {
  const findings = new FindingList();
  findings.add(...others);
  for (const each of checked) {
    findings.add(...each.findings);
    for (const warning of each.warnings) onWarning?.(warning);
  }
  findings.throwIfAny();
}

function tellPlan(
  { client, onOutcome }: ApplyRequest,
  { object, before, after }: CheckedObject,
): AppliedObject {
  const takesOver = before === undefined ? [] : clientSideManagers(before);
  const unchanged =
    before !== undefined &&
    after !== undefined &&
    takesOver.length === 0 &&
    sameContent(before, after, client.fieldManager);
  const action = before === undefined ? 'created' : unchanged ? 'unchanged' : 'configured';
  const isComparable = action === 'configured' && after !== undefined;
  const outcome = outcomeOf(object, action, {
    ...(isComparable ? { changes: compareObjects(before, after).changes } : {}),
    takesOver,
  });
  onOutcome?.(outcome, object);
  return { object, before, live: after, outcome };
}

async function writeAll(
  { client, signal, beforeWrite, onOutcome }: ApplyRequest,
  checked: readonly CheckedObject[],
): Promise<readonly AppliedObject[]> {
  const findings = new FindingList();
  const applied: AppliedObject[] = [];
  // The objects are written one after the other, because their order is guaranteed.
  for (const { object, before } of checked) {
    try {
      await beforeWrite?.(object);
      const takesOver = before === undefined ? [] : clientSideManagers(before);
      if (before !== undefined) await takeOverClientSideFields(client, object, before, signal);
      const { live, created } = await writeObject(client, object, { signal, force: true });
      const same =
        before !== undefined && takesOver.length === 0 && sameContent(before, live, client.fieldManager);
      // Somebody else may have created the object since the check, so the API server's response determines the reported action.
      const action = created ? 'created' : same ? 'unchanged' : 'configured';
      const outcome = outcomeOf(object, action, { takesOver });
      onOutcome?.(outcome, object);
      applied.push({ object, before, live, outcome });
    } catch (error) {
      findings.add(...refusalAfter(findings.all, error, object));
    }
  }
  findings.throwIfAny();
  return applied;
}

async function establish(
  { client, signal, establishTimeout, onProgress }: ApplyRequest,
  applied: readonly AppliedObject[],
): Promise<void> {
  const findings = new FindingList();
  const crds = applied.filter(({ object }) => isCrd(object.object));
  await inParallel(crds, async ({ object }) => {
    try {
      await waitEstablished(client, object, { signal, timeout: establishTimeout, onProgress });
    } catch (error) {
      if (!isOpSdkError(error) || !error.code.startsWith('cluster/')) throw error;
      findings.add(...error.findings);
    }
  });
  findings.throwIfAny();
}

/**
 * Returns true if an apply by `manager` changed nothing: it owns the same fields as before, with the same values. Fields of other managers
 * are ignored, because they may change at any time. For example, the controller of Deployments adds an annotation to each new Deployment.
 * The resource version is ignored for the same reason, and because a dry run does not raise it.
 */
export function sameContent(before: KubeObject, after: KubeObject, manager: string): boolean {
  const owned = ownedBy(after, manager);
  // Ownership cannot be used in two cases: an aggregated API server may not record it, and the API server never returns the `stringData` of
  // a Secret, but only the resulting `data`. In these cases, the contents of the objects are compared.
  if (owned.length === 0 || owned.some(({ fieldsV1 }) => !isVisible(FieldSet.fromJson(fieldsV1), after)))
    return isDeepStrictEqual(unownedContent(before), unownedContent(after));
  return (
    isDeepStrictEqual(ownedBy(before, manager), owned) &&
    owned.every(({ fieldsV1 }) => sameFields(FieldSet.fromJson(fieldsV1), before, after))
  );
}

/**
 * Returns the entries of managed fields that `manager` owns by apply. The time is removed, because the API server also renews it when it
 * only reorders the entries of two managers.
 */
function ownedBy({ metadata }: KubeObject, manager: string): readonly Omit<ManagedFieldsEntry, 'time'>[] {
  return (metadata.managedFields ?? [])
    .filter(
      (entry) => entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === '',
    )
    .map(({ time: _time, ...entry }) => entry);
}

function unownedContent(object: KubeObject): unknown {
  const { status: _status, metadata, ...content } = object as KubeObject & { readonly status?: unknown };
  const { resourceVersion: _resourceVersion, managedFields: _managedFields, ...meta } = metadata;
  return { ...content, metadata: meta };
}

function isVisible(fields: FieldSet, value: unknown): boolean {
  return fields.steps.every(([step, below]) => {
    const member = memberAt(value, step);
    return member !== undefined && isVisible(below, member);
  });
}

function sameFields(fields: FieldSet, before: unknown, after: unknown): boolean {
  const { steps } = fields;
  if (steps.length === 0) return isDeepStrictEqual(before, after);
  return steps.every(([step, below]) => sameFields(below, memberAt(before, step), memberAt(after, step)));
}
