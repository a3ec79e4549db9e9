import type { KubeObject } from '../../api/index.ts';
import { FindingList, isOpSdkError, type Finding } from '../../errors/index.ts';
import { createRestMapper, type KubeClient } from '../../kube/index.ts';
import type { PlacedObject } from '../../yaml/manifest-object.ts';
import { inParallel } from '../../util/in-parallel.ts';
import { outcomeOf, type ClusterObject, type ObjectOutcome } from '../objects/cluster-object.ts';
import { isCrd } from '../objects/crd-types.ts';
import { applyOrder, isFoundation } from '../objects/order-objects.ts';
import { resolveObjects } from '../objects/resolve-objects.ts';
import { checkObjects, type CheckedObject } from './check-objects.ts';
import { poll } from '../../net/index.ts';
import { refusalAfter } from './refusal.ts';
import { sameContent } from './same-content.ts';
import { waitEstablished } from './wait-established.ts';
import { writeObject } from './write-object.ts';

export interface ApplyRequest {
  readonly client: KubeClient;
  readonly objects: readonly PlacedObject[];
  /** Send every request as a server-side dry run; change nothing. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for a CustomResourceDefinition to be served. Default: 30 s. */
  readonly establishTimeout?: number | undefined;
  /** Milliseconds until the API server uses the new version of a CustomResourceDefinition. Default: 5 s. */
  readonly schemaTimeout?: number | undefined;
  /** Called before each object is written: what it throws ends the whole. */
  readonly beforeWrite?: ((object: ClusterObject) => Promise<void>) | undefined;
  /** Called as it happens, also when the command fails later. */
  readonly onOutcome?: ((outcome: ObjectOutcome, object: ClusterObject) => void) | undefined;
  readonly onWarning?: ((warning: Finding) => void) | undefined;
  /** Called when the API server stops answering during a wait, and when it answers again. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** An object that was applied, and what it is on the cluster now; undefined in a dry run that could not ask. */
export interface AppliedObject {
  readonly object: ClusterObject;
  readonly live: KubeObject | undefined;
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
  const { client, objects, signal } = request;
  const mapper = createRestMapper(client.connection);
  const namespace = client.connection.cluster.namespace;
  const resolved = applyOrder(await resolveObjects(objects, { mapper, namespace, purpose: 'apply', signal }));
  const foundation = await checkObjects(client, resolved.filter(isFoundation), { signal });
  const changed = new Set(foundation.filter(isChangedCrd(client)).map(({ object }) => object.key.name));
  // They could be checked by the definition that is there, but that is not the one they are written for.
  const waits = ({ resource }: ClusterObject): boolean => changed.has(`${resource.plural}.${resource.group}`);
  const others = resolved.filter((each) => !isFoundation(each));
  const rest = await checkObjects(client, others, { signal, waits, madeBy: resolved });
  tellChecks(request, [...foundation, ...rest]);
  if (request.dryRun === true) return [...foundation, ...rest].map((each) => tellPlan(request, each));

  const written = await writeAll(request, foundation);
  await establish(request, written);
  // What needed a definition of this manifest can be checked only now.
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
    (before === undefined || after === undefined || !sameContent(before, after, fieldManager));
}

/**
 * Checks objects whose definition has just been written. For a moment the API server may still go by the former one, and
 * nothing tells when it has changed over: so an objection counts only if it stays.
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

/** @throws OpSdkError with the findings of all of them */
function tellChecks({ onWarning }: ApplyRequest, checked: readonly CheckedObject[]): void {
  const findings = new FindingList();
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
  const unchanged =
    before !== undefined && after !== undefined && sameContent(before, after, client.fieldManager);
  const action = before === undefined ? 'created' : unchanged ? 'unchanged' : 'configured';
  onOutcome?.(outcomeOf(object, action), object);
  return { object, live: after };
}

async function writeAll(
  { client, signal, beforeWrite, onOutcome }: ApplyRequest,
  checked: readonly CheckedObject[],
): Promise<readonly AppliedObject[]> {
  const findings = new FindingList();
  const applied: AppliedObject[] = [];
  // One after the other: the order is a promise.
  for (const { object, before } of checked) {
    try {
      await beforeWrite?.(object);
      const { live, created } = await writeObject(client, object, { signal, force: true });
      const unchanged = before !== undefined && sameContent(before, live, client.fieldManager);
      // Others may have written since it was checked: the answer knows.
      const action = created ? 'created' : unchanged ? 'unchanged' : 'configured';
      onOutcome?.(outcomeOf(object, action), object);
      applied.push({ object, live });
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
