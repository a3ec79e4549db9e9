import { OpSdkError, type Finding } from '../../errors/index.ts';
import { Secret } from '../../k8s/generated/core/v1.ts';
import { createRestMapper } from '../../kube/index.ts';
import type { ManifestObject, PlacedObject } from '../../yaml/manifest-object.ts';
import { resolveObjects } from '../objects/resolve-objects.ts';
import { applySetId } from './apply-set.ts';
import { contentsOf, unionOf } from './contents.ts';
import type { InventoryRequest } from './inventory.ts';
import { leftoversOf, type Leftovers } from './leftovers.ts';
import { findMembers } from './members.ts';
import { othersMembers } from './memberships.ts';
import { contentsOfParent, parentRefusal, readParent } from './parent-secret.ts';

/** What the inventory says when an operator is removed. */
export interface Removal {
  /** The objects of the manifest without those of other ApplySets. */
  readonly objects: readonly PlacedObject[];
  /** One for each object that belongs to another ApplySet. */
  readonly warnings: readonly Finding[];
  readonly leftovers: Leftovers;
  /** Kinds of which members could not be listed: with the reason. */
  readonly unread: ReadonlyMap<string, string>;
  /** The Secret itself, as an object to delete; undefined if there is none. */
  readonly secret: PlacedObject | undefined;
}

/**
 * Looks at the inventory of an operator that is about to be removed, and writes nothing.
 *
 * @throws OpSdkError `cluster/inventory-forbidden`, `cluster/inventory-of-others`, …
 */
export async function openRemoval(request: Omit<InventoryRequest, 'takeOver'>): Promise<Removal> {
  const { client, parent, signal } = request;
  // Objects are known by their place below.
  const objects = request.objects.map(({ object, where }) => ({ object, where: { ...where } }));
  const id = applySetId(parent);
  const mapper = createRestMapper(client.connection);
  const namespace = request.namespace ?? client.connection.cluster.namespace;
  const resolved = await resolveObjects(objects, { mapper, namespace, purpose: 'delete', signal });
  const others = await othersMembers(client, resolved, { id, signal });
  const places = new Set(others.flatMap((each) => each.objects.map(({ where }) => where)));

  const secret = await readSecret(request);
  const contents = unionOf(contentsOfParent(secret, parent), contentsOf(resolved, parent.namespace));
  const directory = await mapper.directory({ signal });
  const { members, unread } = await findMembers(client, contents, { id, parent, directory, signal });
  return {
    objects: objects.filter(({ where }) => !places.has(where)),
    warnings: others.flatMap((each) =>
      each.objects.map(({ title, where }): Finding => ({
        code: 'cluster/other-applyset',
        message: `${title} is kept: it belongs to another ApplySet, ${each.parent === undefined ? each.id : `that of the Secret ${each.parent}`}`,
        where,
      })),
    ),
    leftovers: leftoversOf(
      members,
      parent,
      resolved.map((object) => ({ object, live: undefined })),
    ),
    unread,
    secret: secret === undefined ? undefined : asPlaced(secret),
  };
}

async function readSecret({ client, parent, ...options }: InventoryRequest): Promise<Secret | undefined> {
  try {
    return await readParent(client, parent, options);
  } catch (error) {
    throw new OpSdkError(parentRefusal(error, parent), { cause: error });
  }
}

function asPlaced({ metadata }: Secret): PlacedObject {
  const { apiVersion, kind } = Secret;
  const object = { apiVersion, kind, metadata } as unknown as ManifestObject;
  return { object, where: { object: `secret/${metadata.name}` } };
}
