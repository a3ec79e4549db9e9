import {
  metadataOnly,
  type KubeObject,
  type ManagedFieldsEntry,
  type Resource,
} from '../../sdk/api/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import {
  isConflict,
  isExpired,
  isForbidden,
  isNotFound,
  keyText,
  type KubeClient,
  type ObjectKey,
} from '../../sdk/kube/index.ts';
import { refusal, refusalAfter } from '../apply/installable-crds.ts';
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
import { takeOverPatch } from './take-over-fields.ts';

/** Operations that the migration sends for objects. */
export type OwnershipClient = Pick<KubeClient, 'pages' | 'find' | 'patch'>;

/** A kind whose objects are migrated. */
export interface OwnershipTarget {
  readonly resource: Resource<KubeObject>;
  readonly to: Takers;
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

/** An object of which fields move to another manager. */
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
}

/** Everything that a migration would do. */
export interface OwnershipSurvey {
  /** Objects of which fields move, by kind, in the order of the API server. */
  readonly objects: readonly PlannedObject[];
  /** Number of objects that were read. */
  readonly read: number;
  /** Managers that own fields by update, with the number of their objects. */
  readonly updaters: ReadonlyMap<string, number>;
  /** Former owners of fields that do not move, as {@link leftOwners} describes them, with the number of their objects. */
  readonly left: ReadonlyMap<string, number>;
  /** Lists that were refused, and objects whose managed fields have an unknown form. */
  readonly findings: readonly Finding[];
}

/**
 * Reads all objects, and computes which fields move to another manager. Changes nothing.
 *
 * @returns findings `cluster/forbidden`, `cluster/unknown-managed-fields` and those of {@link refusal}
 * @throws ApiError, TransportError, the signal's reason
 */
export async function surveyOwnership(request: OwnershipRequest): Promise<OwnershipSurvey> {
  const objects: PlannedObject[] = [];
  const findings: Finding[] = [];
  const updaters = new Map<string, number>();
  const left = new Map<string, number>();
  let read = 0;
  for (const target of request.targets) {
    const { resource } = target;
    try {
      for (const object of await listTarget(request, target)) {
        read += 1;
        const { managedFields: entries = [] } = object.metadata;
        for (const name of updatersOf(entries)) updaters.set(name, (updaters.get(name) ?? 0) + 1);
        for (const owner of leftOwners(entries, request.from, target.to))
          left.set(owner, (left.get(owner) ?? 0) + 1);
        const planned = planObject(request, target, object);
        if ('code' in planned) findings.push(planned);
        else if (planned.moves.length > 0) objects.push(planned);
      }
    } catch (error) {
      if (isForbidden(error)) findings.push(forbidden(resource, request.namespace, error));
      else {
        const title = kindText(resource);
        findings.push(...refusalAfter(findings, error, { title, where: { object: title } }));
      }
    }
  }
  return { objects, read, updaters, left, findings };
}

type ReadObject = Pick<KubeObject, 'metadata'>;

/** Lists the objects of a kind that have managed fields to look at. Starts again if the list expires before its last page. */
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
          const { name, namespace: space, resourceVersion, managedFields } = metadata;
          found.push({ metadata: { name, namespace: space, resourceVersion, managedFields } });
        }
        onProgress?.(resource, found.length);
      }
      return found;
    } catch (error) {
      // The server no longer has the state of the objects from which the pages are read.
      if (!isExpired(error)) throw error;
      signal?.throwIfAborted();
    }
  }
}

function planObject(
  { from }: Pick<OwnershipRequest, 'from'>,
  { resource, to }: OwnershipTarget,
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
    ? planOwnership(entries, from, to)
    : { managedFields: entries, moves: [] };
  return { resource, key, to, resourceVersion, ...plan };
}

/** Result for one object. */
export type OwnershipResult =
  /** The fields have moved. `moves` differs from the plan if the object changed after it was read. */
  | (OwnedObject & { readonly action: 'moved' })
  /** The object was deleted, or somebody else has moved the fields meanwhile. */
  | (OwnedObject & { readonly action: 'gone' | 'unchanged' })
  | (OwnedObject & { readonly action: 'failed'; readonly findings: readonly Finding[] });

/** Maximum number of attempts to write an object that others write at the same time. */
const mostAttempts = 5;

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
  const { resource, key, to } = planned;
  const token = metadataOnly(resource);
  const title = objectText(planned);
  let current: PlannedObject = planned;
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
        const again = planObject({ from }, { resource, to }, found);
        if ('code' in again) return failed(again);
        current = again;
        if (again.moves.length === 0) return end('unchanged');
      }
      const body = takeOverPatch(current.managedFields, current.resourceVersion);
      const { metadata } = await client.patch(token, key, { type: 'json', body }, { signal });
      const { moves } = planOwnership(metadata.managedFields ?? [], from, to);
      // The server keeps its managed fields if it cannot read the new ones, and reports success.
      if (moves.length > 0) return failed(notMoved(title, 'the API server has kept the former managers'));
      return end('moved');
    } catch (error) {
      if (isNotFound(error)) return end('gone');
      if (isForbidden(error)) return failed(forbidden(resource, key.namespace, error));
      if (!isConflict(error)) return failed(...refusal(error, { title, where: { object: title } }));
      if (attempt === mostAttempts)
        return failed(notMoved(title, `it changed at each of ${mostAttempts} attempts`));
    }
  }
}

function notMoved(title: string, why: string): Finding {
  return {
    code: 'cluster/ownership-not-moved',
    message: `${title}: the fields stay with their former manager: ${why}`,
    where: { object: title },
    fix: ['run the command again'],
  };
}

function objectText({ resource, key }: Pick<OwnedObject, 'resource' | 'key'>): string {
  return `${resource.kind} ${keyText(key)}`;
}
