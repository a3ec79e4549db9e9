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
   * Namespace of namespaced objects without one. If given, objects must not name another. Default: that of the context, and objects may
   * name any.
   */
  readonly namespace?: string | undefined;
  /** Send every request as a server-side dry run; change nothing. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for a CustomResourceDefinition to be served. Default: 30 s. */
  readonly establishTimeout?: number | undefined;
  /** Milliseconds until the API server uses the new version of a CustomResourceDefinition. Default: 5 s. */
  readonly schemaTimeout?: number | undefined;
  /** Called before each object is written; an error that it throws ends the apply. */
  readonly beforeWrite?: ((object: ClusterObject) => Promise<void>) | undefined;
  /** Called with each outcome as it happens, also if the command fails later. */
  readonly onOutcome?: ((outcome: ObjectOutcome, object: ClusterObject) => void) | undefined;
  readonly onWarning?: ((warning: Finding) => void) | undefined;
  /** Called when the API server stops answering during a wait, and when it answers again. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** An applied object and its state on the cluster; `live` is undefined in a dry run if the server could not check the object. */
export interface AppliedObject {
  readonly object: ClusterObject;
  /** Its state before; undefined if it did not exist. */
  readonly before: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  readonly outcome: ObjectOutcome;
}

/**
 * Puts objects on a cluster by server-side apply with force, under the client's field manager. Everything that can be
 * checked is checked before the first write. Namespaces and CustomResourceDefinitions go first, and the rest follows once
 * the definitions are served, in a fixed order. Applying the same objects again changes nothing.
 *
 * An object that is refused while writing does not keep the others from being written; the findings come at the end.
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
  // Do not check objects against a definition that this manifest changes: they are written for the new one.
  const waits = ({ resource }: ClusterObject): boolean => changed.has(`${resource.plural}.${resource.group}`);
  const others = resolved.filter((each) => !isFoundation(each));
  const rest = await checkObjects(client, others, { signal, waits, madeBy: resolved });
  tellChecks(request, [...foundation, ...rest], findings);
  if (request.dryRun === true) return [...foundation, ...rest].map((each) => tellPlan(request, each));

  const written = await writeAll(request, foundation);
  await establish(request, written);
  // Objects that need a definition of this manifest can only be checked now.
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
      // A change of field ownership alone does not affect the objects of a definition.
      (!sameContent(before, after, fieldManager) && compareObjects(before, after).changes.length > 0));
}

/**
 * Checks objects whose definition has just been written. For a moment the API server may still validate against the former definition, with
 * no indication of the switch: so a rejection counts only if it persists.
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

/** @throws OpSdkError with `others` and the findings of all checked objects */
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
  // Sequential, as the order is guaranteed.
  for (const { object, before } of checked) {
    try {
      await beforeWrite?.(object);
      const takesOver = before === undefined ? [] : clientSideManagers(before);
      if (before !== undefined) await takeOverClientSideFields(client, object, before, signal);
      const { live, created } = await writeObject(client, object, { signal, force: true });
      const same =
        before !== undefined && takesOver.length === 0 && sameContent(before, live, client.fieldManager);
      // Others may have created the object since the check: trust the response.
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
 * Returns true if an apply of `manager` changed nothing: it owns the same fields as before, with the same values. Fields of other managers
 * do not count, since they change at any time: the controller of Deployments adds an annotation to each new one. For the same reason the
 * resource version does not tell either: a dry run does not raise it.
 */
export function sameContent(before: KubeObject, after: KubeObject, manager: string): boolean {
  const owned = ownedBy(after, manager);
  // An aggregated API server may not record field ownership, and `stringData` of a Secret is never returned, only the resulting `data`.
  if (owned.length === 0 || owned.some(({ fieldsV1 }) => !isVisible(FieldSet.fromJson(fieldsV1), after)))
    return isDeepStrictEqual(unownedContent(before), unownedContent(after));
  return (
    isDeepStrictEqual(ownedBy(before, manager), owned) &&
    owned.every(({ fieldsV1 }) => sameFields(FieldSet.fromJson(fieldsV1), before, after))
  );
}

/** Returns the entries without their time: the API server renews it, and nothing else, when it reorders the entries of two managers. */
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
