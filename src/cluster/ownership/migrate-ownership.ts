import {
  metadataOnly,
  type KubeObject,
  type ManagedFieldsEntry,
  type Resource,
} from '../../sdk/api/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import {
  type ApiError,
  isConflict,
  isExpired,
  isForbidden,
  isNotFound,
  keyText,
  namedRight,
  type KubeClient,
  type ObjectKey,
} from '../../sdk/kube/index.ts';
import { Backoff, pause, systemClock } from '../../sdk/net/index.ts';
import { refusal, refusalAfter } from '../apply/installable-crds.ts';
import { ListedUids, type OwnerKind } from './controlled-objects.ts';
import { forbidden, kindText } from './ownership-access.ts';
import {
  leftOwners,
  ownershipFault,
  planOwnership,
  updatersOf,
  type OwnershipMove,
  type OwnershipPlan,
  type Takers,
} from './plan-ownership.ts';
import { isApplyOf, takeOverPatch } from './take-over-fields.ts';
import { readWrittenVersion, sameVersion, type WrittenVersion } from './written-versions.ts';

/** Operations that the migration sends for objects. */
export type OwnershipClient = Pick<KubeClient, 'pages' | 'find' | 'patch'>;

/** A kind whose objects are migrated. */
export interface OwnershipTarget {
  readonly resource: Resource<KubeObject>;
  readonly to: Takers;
  /** Kinds of the owners that control the objects. An object with another controller, or without one, is left out. Default: all objects. */
  readonly owners?: readonly OwnerKind[] | undefined;
}

export interface OwnershipRequest {
  readonly client: OwnershipClient;
  readonly targets: readonly OwnershipTarget[];
  /** Names of the former field managers. */
  readonly from: readonly string[];
  /** Namespace of the objects; undefined for all. Objects of cluster-scoped kinds are included in both cases. */
  readonly namespace?: string | undefined;
  /** Label selector of the objects. Default: every object. */
  readonly labelSelector?: string | undefined;
  /** Maximum number of objects that one list request returns. Default: 500. */
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each page of a list with the number of objects of the kind that have been read. */
  readonly onProgress?: ((resource: Resource<KubeObject>, done: number) => void) | undefined;
}

/** An object with fields that move to another manager. */
export interface OwnedObject {
  readonly resource: Resource<KubeObject>;
  readonly key: ObjectKey;
  readonly moves: readonly OwnershipMove[];
}

/** An object whose managed fields can be replaced. */
export interface PlannedObject extends OwnedObject {
  readonly managedFields: readonly ManagedFieldsEntry[];
  /** Version of the object for which the plan holds. */
  readonly resourceVersion: string | undefined;
  readonly to: Takers;
  readonly written: WrittenVersion;
}

/** Changes that a migration would make, and objects that it would leave out. */
export interface OwnershipSurvey {
  /** Objects with fields that move, by kind, in the order of the API server. */
  readonly objects: readonly PlannedObject[];
  /** Number of objects that were read. */
  readonly read: number;
  /** Managers that own fields by update, with the number of their objects. */
  readonly updaters: ReadonlyMap<string, number>;
  /** Former managers of fields that do not move, as {@link leftOwners} describes them, with the number of their objects. */
  readonly left: ReadonlyMap<string, { readonly manager: string; readonly count: number }>;
  /**
   * For each kind, the number of objects with fields that would move, but that `owners` of the target leaves out. Kinds without such
   * objects are omitted.
   */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Number of objects without managed fields. */
  readonly unmanaged: number;
  /** Findings about refused lists, and about objects whose managed fields have an unknown form. */
  readonly findings: readonly Finding[];
}

/**
 * Reads all objects, and determines which fields move to another manager. Changes nothing.
 *
 * @returns findings `cluster/forbidden`, `cluster/unknown-managed-fields` and those of {@link refusal}
 * @throws ApiError, TransportError, the signal's reason
 */
export async function surveyOwnership(request: OwnershipRequest): Promise<OwnershipSurvey> {
  const objects: PlannedObject[] = [];
  const findings: Finding[] = [];
  const updaters = new Map<string, number>();
  const left = new Map<string, { readonly manager: string; readonly count: number }>();
  const leftOut = new Map<string, number>();
  let read = 0;
  let unmanaged = 0;
  const uids = new ListedUids();
  // All kinds are listed first, because any of them may contain the owners of the others.
  for (const { target, found, written } of await listTargets(request, uids, findings)) {
    for (const object of found) {
      read += 1;
      const { managedFields: entries = [] } = object.metadata;
      for (const name of updatersOf(entries)) updaters.set(name, (updaters.get(name) ?? 0) + 1);
      const planned = planObject(request, { ...target, written }, object);
      if (target.owners !== undefined && !uids.isControlled(object, target.owners)) {
        const title = kindText(target.resource);
        if ('moves' in planned && planned.moves.length > 0) leftOut.set(title, (leftOut.get(title) ?? 0) + 1);
        continue;
      }
      if (entries.length === 0) unmanaged += 1;
      for (const { manager, text } of leftOwners(entries, request.from, target.to))
        left.set(text, { manager, count: (left.get(text)?.count ?? 0) + 1 });
      if ('code' in planned) findings.push(planned);
      else if (planned.moves.length > 0) objects.push(planned);
    }
  }
  return { objects, read, updaters, left, leftOut, unmanaged, findings };
}

interface ListedTarget {
  readonly target: OwnershipTarget;
  readonly found: readonly ReadObject[];
  readonly written: WrittenVersion;
}

/** Lists the objects of all kinds. Adds a finding for each kind that cannot be read. */
async function listTargets(
  request: OwnershipRequest,
  uids: ListedUids,
  findings: Finding[],
): Promise<readonly ListedTarget[]> {
  const listed: ListedTarget[] = [];
  for (const target of request.targets) {
    const { resource } = target;
    try {
      const found = await listTarget(request, target);
      for (const object of found) uids.add(resource, object);
      const written = found.some((object) => isOfOtherVersion(request, target, object))
        ? await readWrittenVersion(request.client, resource, request.signal)
        : sameVersion;
      listed.push({ target, found, written });
    } catch (error) {
      if (isForbidden(error)) findings.push(forbidden(resource, request.namespace, error));
      else {
        const title = kindText(resource);
        findings.push(...refusalAfter(findings, error, { title, where: { object: title } }));
      }
    }
  }
  return listed;
}

/** Returns true if an entry whose fields move, or the entry that gets the fields, has another version than the kind. */
function isOfOtherVersion(
  { from }: Pick<OwnershipRequest, 'from'>,
  { resource, to }: OwnershipTarget,
  { metadata }: ReadObject,
): boolean {
  const entries = metadata.managedFields ?? [];
  if (!updatersOf(entries).some((name) => from.includes(name))) return false;
  const takers = [to.object, to.status].filter((name) => name !== undefined);
  return entries.some(
    (entry) =>
      entry.apiVersion !== resource.apiVersion &&
      (from.includes(entry.manager ?? '') ||
        takers.some((name) => isApplyOf(entry, name, entry.subresource))),
  );
}

type ReadObject = Pick<KubeObject, 'metadata'>;

/** Lists the objects of a kind that have managed fields. Starts again if the list expires before its last page. */
async function listTarget(
  { client, namespace, labelSelector, pageSize, signal, onProgress }: OwnershipRequest,
  { resource }: OwnershipTarget,
): Promise<readonly ReadObject[]> {
  const options = { namespace: resource.namespaced ? namespace : undefined, labelSelector, signal };
  for (;;) {
    const found: ReadObject[] = [];
    try {
      for await (const page of client.pages(metadataOnly(resource), { ...options, limit: pageSize })) {
        for (const { metadata } of page.items) {
          const { name, namespace: space, uid, resourceVersion, managedFields, ownerReferences } = metadata;
          found.push({
            metadata: { name, namespace: space, uid, resourceVersion, managedFields, ownerReferences },
          });
        }
        onProgress?.(resource, found.length);
      }
      return found;
    } catch (error) {
      // The server no longer has the state from which the pages are read.
      if (!isExpired(error)) throw error;
      signal?.throwIfAborted();
    }
  }
}

function planObject(
  { from }: Pick<OwnershipRequest, 'from'>,
  { resource, to, written }: Pick<PlannedObject, 'resource' | 'to' | 'written'>,
  { metadata }: ReadObject,
): PlannedObject | Finding {
  const { name, namespace, resourceVersion, managedFields: entries = [] } = metadata;
  const key = { name, namespace };
  const isConcerned = updatersOf(entries).some((each) => from.includes(each));
  const fault = isConcerned ? ownershipFault(entries) : undefined;
  if (fault !== undefined) {
    const title = objectText({ resource, key });
    return {
      code: 'cluster/unknown-managed-fields',
      message: `${title}: ${fault}`,
      where: { object: title, path: '.metadata.managedFields' },
      fix: ['select the other objects by --kind, --namespace or --selector'],
    };
  }
  const plan: OwnershipPlan = isConcerned
    ? planOwnership(entries, from, to, written)
    : { managedFields: entries, moves: [] };
  return { resource, key, to, written, resourceVersion, ...plan };
}

/** Result for one object. */
export type OwnershipResult =
  /** The fields have moved. `moves` differs from the plan if the object changed after it was read. */
  | (OwnedObject & { readonly action: 'moved' })
  /** The object was deleted, or another client has moved the fields meanwhile. */
  | (OwnedObject & { readonly action: 'gone' | 'unchanged' })
  | (OwnedObject & { readonly action: 'failed'; readonly findings: readonly Finding[] });

/** Maximum number of attempts to write an object that others write at the same time. */
const mostAttempts = 5;

/** Delays between the attempts, in milliseconds. */
const conflictWaits = { initial: 50, factor: 3, maximum: 1000, jitter: 1 };

/**
 * Moves the fields of an object to the managers of its plan, by a patch that fails if the object has changed since it was read. After such
 * a conflict, reads the object again and repeats the change. Only `metadata.managedFields` changes.
 *
 * Source: client-go `util/csaupgrade`.
 *
 * @throws TransportError, the signal's reason, ApiError if the user is not authenticated
 */
export async function moveOwnership(
  { client, from, signal }: Pick<OwnershipRequest, 'client' | 'from' | 'signal'>,
  planned: PlannedObject,
): Promise<OwnershipResult> {
  const { resource, key, to, written } = planned;
  const token = metadataOnly(resource);
  const title = objectText(planned);
  let current: PlannedObject = planned;
  const backoff = new Backoff(conflictWaits);
  const end = (action: 'moved' | 'gone' | 'unchanged'): OwnershipResult => ({
    resource,
    key,
    moves: current.moves,
    action,
  });
  const failed = (...findings: readonly Finding[]): OwnershipResult => ({
    resource,
    key,
    moves: current.moves,
    action: 'failed',
    findings,
  });
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      if (attempt > 1) {
        const found = await client.find(token, key, { signal });
        if (found === undefined) return end('gone');
        const again = planObject({ from }, planned, found);
        if ('code' in again) return failed(again);
        current = again;
        if (again.moves.length === 0) return end('unchanged');
      }
      const body = takeOverPatch(current.managedFields, current.resourceVersion);
      // The signal is not passed, so that the outcome of the patch is known even after an interruption.
      const { metadata } = await client.patch(token, key, { type: 'json', body });
      const { managedFields: entries = [] } = metadata;
      const { moves } = planOwnership(entries, from, to, written);
      // If the server cannot read the new managed fields, it keeps the former ones and still reports success.
      if (moves.length > 0) return failed(kept(title, entries, from));
      return end('moved');
    } catch (error) {
      if (isNotFound(error)) return end('gone');
      if (!isConflict(error)) return failed(...refusedPatch(error, planned));
      if (attempt === mostAttempts)
        return failed(
          notMoved(title, `it changed at each of ${mostAttempts} attempts`, 'run the command again'),
        );
      await pause(systemClock, backoff.next(), signal ?? new AbortController().signal);
    }
  }
}

/** Converts the refusal of a patch to findings. A 403 may come from any check of the API server, not only from RBAC. */
function refusedPatch(error: unknown, { resource, key }: PlannedObject): readonly Finding[] {
  const title = objectText({ resource, key });
  return refusal(error, { title, where: { object: title } }).map((finding) => {
    if (finding.code !== 'cluster/forbidden' && finding.code !== 'cluster/denied') return finding;
    return finding.code === 'cluster/forbidden' && namedRight.test(finding.message)
      ? forbidden(resource, key.namespace, error as ApiError)
      : {
          ...finding,
          code: 'cluster/denied',
          fix: [
            'exempt your user from this policy or webhook until the fields have moved: the patch changes only metadata.managedFields',
          ],
        };
  });
}

function kept(title: string, entries: readonly ManagedFieldsEntry[], from: readonly string[]): Finding {
  const former = entries.filter(({ manager = '' }) => from.includes(manager));
  const versions = [...new Set(former.flatMap(({ apiVersion = [] }) => apiVersion))].join(' and ');
  return notMoved(
    title,
    `the API server has kept the former managers, whose entries are of ${versions}`,
    `if it no longer serves this version, an apply fails as well: remove all managed fields by \`kubectl patch --type=json -p '[{"op":"replace","path":"/metadata/managedFields","value":[{}]}]'\``,
    'else see which webhook restores them, and exempt your user from it',
  );
}

function notMoved(title: string, why: string, ...fix: readonly string[]): Finding {
  return {
    code: 'cluster/ownership-not-moved',
    message: `${title}: the fields stay with their former manager: ${why}`,
    where: { object: title },
    fix,
  };
}

function objectText({ resource, key }: Pick<OwnedObject, 'resource' | 'key'>): string {
  return `${resource.kind} ${keyText(key)}`;
}
