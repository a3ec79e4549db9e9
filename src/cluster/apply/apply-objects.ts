import type { KubeObject } from '../../api/index.ts';
import { FindingList, isOpSdkError, type Finding } from '../../errors/index.ts';
import { createRestMapper, type KubeClient } from '../../kube/index.ts';
import type { PlacedObject } from '../../util/manifest-object.ts';
import { inParallel } from '../in-parallel.ts';
import { outcomeOf, type ClusterObject, type ObjectOutcome } from '../objects/cluster-object.ts';
import { isCrd } from '../objects/crd-types.ts';
import { applyOrder, isFoundation } from '../objects/order-objects.ts';
import { resolveObjects } from '../objects/resolve-objects.ts';
import { checkObjects, type CheckedObject } from './check-objects.ts';
import { refusal } from './refusal.ts';
import { sameContent } from './same-content.ts';
import { waitEstablished } from './wait-established.ts';
import { writeObject } from './write-object.ts';

export interface ApplyRequest {
  readonly client: KubeClient;
  readonly objects: readonly PlacedObject[];
  /** Ask the server for everything, write nothing. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for a CustomResourceDefinition to be served. Default: 30 s. */
  readonly establishTimeout?: number | undefined;
  /** Told as it happens, also when the command fails later. */
  readonly onOutcome?: ((outcome: ObjectOutcome, object: ClusterObject) => void) | undefined;
  readonly onWarning?: ((warning: Finding) => void) | undefined;
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
  const resolved = applyOrder(
    await resolveObjects(objects, { mapper, namespace, unknown: 'refuse', signal }),
  );
  const checked = await check(request, resolved);
  if (request.dryRun === true) return checked.map((each) => tellPlan(request, each));

  const isFirst = ({ object }: CheckedObject): boolean => isFoundation(object);
  const foundation = await writeAll(request, checked.filter(isFirst));
  await establish(request, foundation);
  const rest = checked.filter((each) => !isFirst(each));
  // What needed a definition of this manifest can be checked only now.
  const late = await check(
    request,
    rest.filter(({ object }) => !object.served).map(({ object }) => ({ ...object, served: true })),
  );
  const complete = rest.map((each) => late.find(({ object }) => isSame(object, each.object)) ?? each);
  return [...foundation, ...(await writeAll(request, complete))];
}

function isSame(a: ClusterObject, b: ClusterObject): boolean {
  return a.resource === b.resource && a.key === b.key;
}

async function check(
  { client, signal, onWarning }: ApplyRequest,
  objects: readonly ClusterObject[],
): Promise<readonly CheckedObject[]> {
  const findings = new FindingList();
  const checked = await checkObjects(client, objects, { signal });
  for (const each of checked) {
    findings.add(...each.findings);
    for (const warning of each.warnings) onWarning?.(warning);
  }
  findings.throwIfAny();
  return checked;
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
  { client, signal, onOutcome }: ApplyRequest,
  checked: readonly CheckedObject[],
): Promise<readonly AppliedObject[]> {
  const findings = new FindingList();
  const applied: AppliedObject[] = [];
  // One after the other: the order is a promise.
  for (const { object, before } of checked) {
    try {
      const live = await writeObject(client, object, { signal, force: true });
      const unchanged = before !== undefined && sameContent(before, live, client.fieldManager);
      const action = before === undefined ? 'created' : unchanged ? 'unchanged' : 'configured';
      onOutcome?.(outcomeOf(object, action), object);
      applied.push({ object, live });
    } catch (error) {
      findings.add(...refusal(error, object));
    }
  }
  findings.throwIfAny();
  return applied;
}

async function establish(
  { client, signal, establishTimeout }: ApplyRequest,
  applied: readonly AppliedObject[],
): Promise<void> {
  const findings = new FindingList();
  const crds = applied.filter(({ object }) => isCrd(object.object));
  await inParallel(crds, async ({ object }) => {
    try {
      await waitEstablished(client, object, { signal, timeout: establishTimeout });
    } catch (error) {
      if (!isOpSdkError(error) || !error.code.startsWith('cluster/')) throw error;
      findings.add(...error.findings);
    }
  });
  findings.throwIfAny();
}
