import { FindingList, isOpSdkError, OpSdkError, type Finding } from '../../base/errors/index.ts';
import {
  createRestMapper,
  isNotFound,
  isTypeNotServed,
  type ApiDirectory,
  type KubeClient,
} from '../../sdk/kube/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { refusal, refusalAfter } from '../apply/installable-crds.ts';
import { applySetOf } from '../inventory/contents.ts';
import {
  outcomeOf,
  titleOf,
  type ClusterObject,
  type ObjectOutcome,
  isCrd,
  deleteOrder,
  isFoundation,
} from '../objects/cluster-object.ts';
import { resolveObjects } from '../objects/resolve-objects.ts';
import type { KubeObject } from '../../sdk/api/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { pollCluster, type ClusterPollOptions } from '../clients.ts';
import { durationText } from '../../base/util/duration-text.ts';
import { namespaceObjects, deleteObject, customObjects } from './namespace-objects.ts';
import { blockedFinding, type BlockedByFinalizer, type DeletionImpact } from './deletion-impact.ts';
import { isDefinedBy, keepCrds } from './keep-crds.ts';

export interface RemoveRequest {
  readonly client: KubeClient;
  readonly objects: readonly PlacedObject[];
  /** Selects objects that are deleted after all others. They are kept if one of the other objects could not be deleted. */
  readonly isLast?: ((object: ClusterObject) => boolean) | undefined;
  /** Namespace of namespaced objects, as in `ApplyRequest`. */
  readonly namespace?: string | undefined;
  /** If true, all requests are sent as dry runs, so that nothing is deleted. */
  readonly dryRun?: boolean | undefined;
  /** If true, objects are deleted even if custom resources have finalizers that may block the deletion. */
  readonly force?: boolean | undefined;
  /**
   * If true, nothing is deleted that the manifest does not name: CustomResourceDefinitions, custom resources, and Namespaces that hold
   * further objects are reported as `kept`.
   */
  readonly keepCrds?: boolean | undefined;
  /** Maximum time to wait after each step until its objects are gone, in milliseconds; undefined: do not wait. */
  readonly timeout: number | undefined;
  /** Time between two checks while waiting, in milliseconds. Default: 500. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called before anything is deleted if the deletion also affects objects that the manifest does not name, because the contents of
   * definitions and namespaces are deleted with them. If the callback throws, nothing is deleted.
   */
  readonly onImpact: (impacts: readonly DeletionImpact[]) => Promise<void>;
  /** Called before anything is deleted with a warning about objects that {@link keepCrds} leaves on the cluster. */
  readonly onWarning?: ((warning: Finding) => void) | undefined;
  readonly onOutcome?: ((outcome: ObjectOutcome, title: string) => void) | undefined;
  /** Called with a message when the API server stops responding during a wait, and when it responds again. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * Deletes objects; their dependents are deleted in the background. Custom resources and their definitions are deleted first, and their
 * deletion is awaited, while the operator of the same manifest still runs and can finalize them. All other objects follow in the reverse
 * order of apply. Objects that do not exist are reported as `not-found`.
 *
 * @throws OpSdkError `cluster/finalizers` and `cluster/being-deleted` before anything is deleted; `cluster/forbidden`,
 * `cluster/not-deleted`, …
 */
export async function removeObjects(request: RemoveRequest): Promise<void> {
  const { client, objects, signal, onOutcome } = request;
  const mapper = createRestMapper(client.connection);
  const resolved = deleteOrder(
    await resolveObjects(objects, {
      mapper,
      namespace: request.namespace ?? client.connection.cluster.namespace,
      onlyNamespace: request.namespace !== undefined,
      purpose: 'delete',
      signal,
    }),
  );
  const directory = await mapper.directory({ signal });
  const kept =
    request.keepCrds === true ? await keepCrds(client, resolved, { directory, signal }) : undefined;
  const doomed = resolved.filter((each) => kept?.objects.has(each) !== true);
  const { impacts, blocked } =
    kept === undefined ? await impactsOf(request, doomed, directory) : { impacts: [], blocked: [] };
  if (request.force !== true) {
    const blocking = new FindingList();
    blocking.add(...blocked.map(blockedFinding));
    blocking.throwIfAny();
  }
  if (impacts.length > 0) await request.onImpact(impacts);

  for (const warning of kept?.warnings ?? []) request.onWarning?.(warning);
  tellUnknown(objects, resolved, onOutcome);
  for (const each of kept?.objects ?? []) {
    const live = each.served ? await client.find(each.resource, each.key, { signal }) : undefined;
    onOutcome?.(outcomeOf(each, live === undefined ? 'not-found' : 'kept'), each.title);
  }
  const isEarly = ({ object, resource }: ClusterObject): boolean =>
    isCrd(object) || doomed.some((crd) => isCrd(crd.object) && isDefinedBy(crd, resource));
  const isLast = (each: ClusterObject): boolean => request.isLast?.(each) === true;
  const findings = new FindingList();
  for (const step of [
    doomed.filter((each) => isEarly(each) && !isCrd(each.object)),
    doomed.filter(({ object }) => isCrd(object)),
    doomed.filter((each) => !isEarly(each) && !isLast(each)),
  ]) {
    findings.add(...(await removeStep(request, step)));
    // Keep the operator of the custom resources, because it may still be about to remove their finalizers.
    if (request.force !== true) findings.throwIfAny();
  }
  findings.throwIfAny();
  findings.add(...(await removeStep(request, doomed.filter(isLast))));
  findings.throwIfAny();
}

/** @throws OpSdkError if custom resources cannot be listed, unless `force` is set */
async function impactsOf(
  { client, timeout, force, signal }: RemoveRequest,
  objects: readonly ClusterObject[],
  directory: ApiDirectory,
): Promise<{
  readonly impacts: readonly DeletionImpact[];
  readonly blocked: readonly BlockedByFinalizer[];
}> {
  const findings = new FindingList();
  const impacts: DeletionImpact[] = [];
  const blocked: BlockedByFinalizer[] = [];
  for (const each of objects.filter(isFoundation)) {
    try {
      const live = await client.find(each.resource, each.key, { signal });
      if (live === undefined) continue;
      // If the definition or namespace is already being deleted, its contents are lost anyway, so they are not an impact of this command.
      const isDoomed = live.metadata.deletionTimestamp !== undefined;
      if (isCrd(each.object)) {
        const options = { apart: objects, waitsForApart: timeout !== undefined, signal };
        const custom = await customObjects(client, each, live, options);
        if (!isDoomed) impacts.push(custom.impact);
        blocked.push(custom.blocked);
      } else if (!isDoomed) {
        impacts.push(await namespaceObjects(client, each, { named: objects, directory, signal }));
      }
    } catch (error) {
      const refused = refusal(error, each);
      // If the contents of a namespace may not be read, the deletion of the namespace reports that, so nothing is added here.
      if (!isCrd(each.object)) continue;
      if (force !== true) findings.add(...refused.map(uncounted));
      else {
        const unread = refused.map(({ message }) => message);
        impacts.push({ cause: each, what: 'custom resource', objects: [], unread });
      }
    }
  }
  findings.throwIfAny();
  return {
    impacts: impacts.filter(({ objects, unread }) => objects.length + unread.length > 0),
    blocked: blocked.filter(({ objects }) => objects.length > 0),
  };
}

/**
 * Adds `--force` as a fix to a finding that the contents of a definition could not be listed. Nothing is deleted in this case, because it
 * is unknown what else would be lost.
 */
function uncounted({ fix = [], ...finding }: Finding): Finding {
  return { ...finding, fix: [...fix, 'or use --force to continue, whatever else this deletes'] };
}

/** Reports objects as `not-found` if the server does not serve their kinds. */
function tellUnknown(
  objects: readonly PlacedObject[],
  resolved: readonly ClusterObject[],
  tell: RemoveRequest['onOutcome'],
): void {
  // A resolved object may have another version in `resource` than in the manifest, so compare the version of the manifest.
  const known = new Set(resolved.map(({ object }) => `${object.apiVersion} ${object.kind}`));
  for (const { object } of objects) {
    const { apiVersion, kind, metadata } = object;
    if (known.has(`${apiVersion} ${kind}`)) continue;
    const { name, namespace } = metadata;
    tell?.(
      { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }), action: 'not-found' },
      titleOf({ kind, group: groupOf(apiVersion) }, name),
    );
  }
}

/** Deletes the objects of one step. @returns findings about objects that could not be deleted */
async function removeStep(
  request: RemoveRequest,
  step: readonly ClusterObject[],
): Promise<readonly Finding[]> {
  const { client, timeout, interval, signal, onOutcome, onProgress } = request;
  const findings: Finding[] = [];
  const deleted: Deleted[] = [];
  for (const object of step) {
    try {
      const uid = await removeObject(request, object);
      onOutcome?.(outcomeOf(object, uid === undefined ? 'not-found' : 'deleted'), object.title);
      if (uid !== undefined) deleted.push({ object, uid });
    } catch (error) {
      findings.push(...refusalAfter(findings, error, object));
    }
  }
  if (timeout === undefined || request.dryRun === true) return findings;
  try {
    await waitGone(client, deleted, { timeout, interval, signal, onProgress });
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    findings.push(...error.findings);
    // Errors with other codes concern the cluster, not single objects, so do not continue with the next step.
    if (error.code !== 'cluster/not-deleted') throw new OpSdkError(findings, { cause: error });
  }
  return findings;
}

/**
 * @param object object as given in the manifest, or as read from the cluster. An object from the cluster has a uid. In this case, the
 * object is kept if the cluster now has another object of the same name, or if another ApplySet has taken it over
 * @returns the uid of the deleted object; undefined if the object does not exist or was kept
 */
async function removeObject(
  { client, dryRun, signal }: RemoveRequest,
  { object, resource, key, served }: ClusterObject,
): Promise<string | undefined> {
  if (!served) return undefined;
  try {
    const live = await client.find(resource, key, { signal });
    const uid = live?.metadata.uid;
    if (live === undefined || uid === undefined) return undefined;
    const listed = object.metadata['uid'];
    const set = applySetOf(object);
    const wasTaken = set !== undefined && applySetOf(live) !== set;
    if (listed !== undefined && (listed !== uid || wasTaken)) return undefined;
    await deleteObject(client, { resource, key }, { preconditions: { uid }, dryRun, signal });
    return uid;
  } catch (error) {
    if (isNotFound(error) || isTypeNotServed(error)) return undefined;
    throw error;
  }
}

/** A deleted object. Its uid identifies it, because another object may get the same name. */
interface Deleted {
  readonly object: ClusterObject;
  readonly uid: string;
}

interface Conditioned extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
    }[];
  };
}

/**
 * Waits until all deleted objects are gone. Each check covers all of them.
 *
 * @throws OpSdkError `cluster/not-deleted` with one finding for each object that still exists, and the reasons why it is not deleted yet
 */
async function waitGone(
  client: KubeClient,
  deleted: readonly Deleted[],
  options: ClusterPollOptions,
): Promise<void> {
  const findings = new FindingList();
  const left = new Map(deleted.map((each) => [each, undefined as KubeObject | undefined]));
  const look = async (): Promise<true | undefined> => {
    await inParallel([...left.keys()], async (each) => {
      const { object, uid } = each;
      const live = await client.find(object.resource, object.key, { signal: options.signal });
      if (live === undefined || live.metadata.uid !== uid) left.delete(each);
      else left.set(each, live);
    });
    return left.size === 0 ? true : undefined;
  };
  await pollCluster(look, options);
  for (const [{ object }, live] of left)
    findings.add(notDeleted(object, live as Conditioned, options.timeout));
  findings.throwIfAny();
}

function notDeleted({ title, where }: ClusterObject, live: Conditioned, timeout: number): Finding {
  const finalizers = (live.metadata.finalizers ?? []).filter(
    // This finalizer belongs to the API server itself. The conditions of the definition give the reasons why it is still set.
    (each) => each !== 'customresourcecleanup.apiextensions.k8s.io',
  );
  const conditions = (live.status?.conditions ?? []).filter(
    ({ type, status }) => status === 'True' && /^(?:Namespace|Terminating)/.test(type),
  );
  const reasons = [
    ...(finalizers.length === 0 ? [] : [`it has the finalizers ${finalizers.join(', ')}`]),
    ...conditions.flatMap(({ message = '' }) => (message === '' ? [] : [message])),
  ];
  return {
    code: 'cluster/not-deleted',
    message: [`${title} is not gone after ${durationText(timeout)}`, ...reasons].join('; '),
    where,
    fix: ['start the operator that owns the finalizers, and run it again', 'or wait longer with --timeout'],
  };
}
