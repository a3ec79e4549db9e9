import { FindingList, isOpSdkError, type Finding } from '../../errors/index.ts';
import {
  createRestMapper,
  isNotFound,
  isTypeNotServed,
  resourcePath,
  type KubeClient,
} from '../../kube/index.ts';
import { groupOf, type PlacedObject } from '../../util/manifest-object.ts';
import { refusal } from '../apply/refusal.ts';
import { outcomeOf, titleOf, type ClusterObject, type ObjectOutcome } from '../objects/cluster-object.ts';
import { isCrd } from '../objects/crd-types.ts';
import { deleteOrder } from '../objects/order-objects.ts';
import { resolveObjects } from '../objects/resolve-objects.ts';
import { heldFinding, lossOf, type Loss } from './custom-objects.ts';
import { waitGone, type Deleted } from './wait-gone.ts';

export interface RemoveRequest {
  readonly client: KubeClient;
  readonly objects: readonly PlacedObject[];
  /** Ask the server for everything, delete nothing. */
  readonly dryRun?: boolean | undefined;
  /** Go on although custom resources have finalizers. */
  readonly force?: boolean | undefined;
  /** Milliseconds to wait for each of the steps; undefined: do not wait. */
  readonly timeout: number | undefined;
  /** Milliseconds between two looks. Default: 500. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told before anything is deleted if custom resources go with their definitions; throws to end it. */
  readonly onLoss?: ((losses: readonly Loss[]) => Promise<void>) | undefined;
  readonly onOutcome?: ((outcome: ObjectOutcome, title: string) => void) | undefined;
}

/**
 * Deletes objects, their dependents in the background. Custom resources and their definitions go first and are waited for,
 * while the operator of the same manifest still runs to finish them; then the rest, in the reverse order of apply.
 * What is not there is told as `not-found`.
 *
 * @throws OpSdkError `cluster/finalizers` before anything is deleted; `cluster/forbidden`, `cluster/not-deleted`, …
 */
export async function removeObjects(request: RemoveRequest): Promise<void> {
  const { client, objects, signal, onOutcome } = request;
  const mapper = createRestMapper(client.connection);
  const namespace = client.connection.cluster.namespace;
  const resolved = deleteOrder(
    await resolveObjects(objects, { mapper, namespace, unknown: 'leave out', signal }),
  );
  const losses = await lossesOf(request, resolved);
  if (request.force !== true) {
    const held = losses.filter((loss) => loss.held.length > 0);
    const findings = new FindingList();
    findings.add(...held.map(heldFinding));
    findings.throwIfAny();
  }
  const lost = losses.filter((loss) => loss.objects.length > 0);
  if (lost.length > 0) await request.onLoss?.(lost);

  tellUnknown(objects, resolved, onOutcome);
  const isEarly = ({ object, resource }: ClusterObject): boolean =>
    isCrd(object) || resolved.some((crd) => isCrd(crd.object) && isDefinedBy(crd, resource));
  const findings = new FindingList();
  for (const step of [
    resolved.filter((each) => isEarly(each) && !isCrd(each.object)),
    resolved.filter(({ object }) => isCrd(object)),
    resolved.filter((each) => !isEarly(each)),
  ]) {
    findings.add(...(await removeStep(request, step)));
    // The operator is left alone: it may be about to remove the finalizers.
    if (request.force !== true) findings.throwIfAny();
  }
  findings.throwIfAny();
}

function isDefinedBy({ object }: ClusterObject, { group, kind }: ClusterObject['resource']): boolean {
  const { group: definedGroup, names } = (object['spec'] ?? {}) as {
    readonly group?: unknown;
    readonly names?: { readonly kind?: unknown };
  };
  return definedGroup === group && names?.kind === kind;
}

async function lossesOf(
  { client, signal }: RemoveRequest,
  objects: readonly ClusterObject[],
): Promise<readonly Loss[]> {
  const losses: Loss[] = [];
  for (const crd of objects.filter(({ object }) => isCrd(object))) {
    const live = await client.find(crd.resource, crd.key, { signal });
    if (live !== undefined) losses.push(await lossOf(client, crd, live, { apart: objects, signal }));
  }
  return losses;
}

/** Of kinds that the server does not know there are no objects. */
function tellUnknown(
  objects: readonly PlacedObject[],
  resolved: readonly ClusterObject[],
  tell: RemoveRequest['onOutcome'],
): void {
  const known = new Set(resolved.map(({ resource }) => `${resource.apiVersion} ${resource.kind}`));
  for (const { object } of objects) {
    const { apiVersion, kind, metadata } = object;
    if (known.has(`${apiVersion} ${kind}`)) continue;
    const { name } = metadata;
    tell?.(
      { apiVersion, kind, name, action: 'not-found' },
      titleOf({ kind, group: groupOf(apiVersion) }, name),
    );
  }
}

/** @returns what went wrong with single objects */
async function removeStep(
  request: RemoveRequest,
  step: readonly ClusterObject[],
): Promise<readonly Finding[]> {
  const { client, timeout, interval, signal, onOutcome } = request;
  const findings: Finding[] = [];
  const deleted: Deleted[] = [];
  for (const object of step) {
    try {
      const uid = await removeObject(request, object);
      onOutcome?.(outcomeOf(object, uid === undefined ? 'not-found' : 'deleted'), object.title);
      if (uid !== undefined) deleted.push({ object, uid });
    } catch (error) {
      findings.push(...refusal(error, object));
    }
  }
  if (timeout === undefined || request.dryRun === true) return findings;
  try {
    await waitGone(client, deleted, { timeout, interval, signal });
  } catch (error) {
    if (!isOpSdkError(error) || error.code !== 'cluster/not-deleted') throw error;
    findings.push(...error.findings);
  }
  return findings;
}

/** @returns the uid of what was deleted; undefined if it is not there */
async function removeObject(
  { client, dryRun, signal }: RemoveRequest,
  { resource, key, served }: ClusterObject,
): Promise<string | undefined> {
  if (!served) return undefined;
  try {
    const live = await client.find(resource, key, { signal });
    const uid = live?.metadata.uid;
    if (uid === undefined) return undefined;
    await client.connection.request({
      target: { verb: 'delete', resource, ...key },
      method: 'DELETE',
      path: resourcePath(resource, key),
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Background',
        preconditions: { uid },
        ...(dryRun === true ? { dryRun: ['All'] } : {}),
      },
      signal,
    });
    return uid;
  } catch (error) {
    if (isNotFound(error) || isTypeNotServed(error)) return undefined;
    throw error;
  }
}
