import { isOpSdkError, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { Secret } from '../../sdk/k8s/generated/core/v1.ts';
import { createRestMapper } from '../../sdk/kube/index.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/index.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { resolveObjects } from '../objects/resolve-objects.ts';
import { applySetId } from './apply-set.ts';
import { contentsOf, unionOf } from './contents.ts';
import type { InventoryRequest } from './inventory.ts';
import { leftoversOf, type Leftovers } from './leftovers.ts';
import { findMembers, othersMembers, type OthersMembers } from './members.ts';
import { contentsOfParent, parentRefusal, readParent } from './parent-secret.ts';

/** Plan for the removal of an operator, made from its inventory. */
interface Removal {
  /** The objects of the manifest, without objects that belong to other ApplySets. */
  readonly objects: readonly PlacedObject[];
  /** One warning for each object of the manifest that belongs to another ApplySet. */
  readonly warnings: readonly Finding[];
  readonly leftovers: Leftovers;
  /** Kinds whose members could not be listed, each with the reason. */
  readonly unread: ReadonlyMap<string, string>;
  /** The Secret of the inventory, as an object to delete; undefined if it does not exist. */
  readonly secret: PlacedObject | undefined;
  /** Reason why the inventory cannot be used. The leftovers are then unknown. */
  readonly refused: OpSdkError | undefined;
}

/** Codes of errors that make the inventory unusable, but do not prevent the removal of the manifest's objects. */
const refusals: ReadonlySet<string> = new Set(['cluster/inventory-forbidden', 'cluster/inventory-of-others']);

/**
 * Plans the removal of an operator from its inventory, without writing anything to the cluster. Objects that belong to other ApplySets are
 * found even if the operator has no inventory.
 *
 * @throws OpSdkError
 */
export async function openRemoval(request: Omit<InventoryRequest, 'takeOver'>): Promise<Removal> {
  const { client, parent, signal } = request;
  // Copy each `where`, because the code below identifies objects by the identity of their `where`.
  const objects = request.objects.map(({ object, where }) => ({ object, where: { ...where } }));
  const id = applySetId(parent);
  const mapper = createRestMapper(client.connection);
  const namespace = request.namespace ?? client.connection.cluster.namespace;
  const resolved = await resolveObjects(objects, { mapper, namespace, purpose: 'delete', signal });
  const others = await othersMembers(client, resolved, { id, signal });
  const places = new Set(others.flatMap((each) => each.objects.map(({ where }) => where)));

  const own = {
    objects: objects.filter(({ where }) => !places.has(where)),
    warnings: others.flatMap((each) => each.objects.map((object) => keptByOthers(object, each))),
  };

  const secret = await readSecret(request);
  if (isOpSdkError(secret)) {
    const leftovers = { prunable: [], kept: [] };
    return { ...own, leftovers, unread: new Map(), secret: undefined, refused: secret };
  }
  const contents = unionOf(contentsOfParent(secret, parent), contentsOf(resolved, parent.namespace));
  const directory = await mapper.directory({ signal });
  const { members, unread } = await findMembers(client, contents, { id, parent, directory, signal });
  const named = resolved.map((object) => ({ object, live: undefined }));
  return {
    ...own,
    leftovers: leftoversOf(members, parent, named),
    unread,
    secret: secret === undefined ? undefined : asPlaced(secret),
    refused: undefined,
  };
}

function keptByOthers({ title, where }: ClusterObject, { id, parent }: OthersMembers): Finding {
  const owner = parent === undefined ? id : `that of the Secret ${parent}`;
  return {
    code: 'cluster/other-applyset',
    message: `${title} is kept: it belongs to another ApplySet, ${owner}`,
    where,
  };
}

/** @returns the Secret of the inventory; undefined if it does not exist; an error if the Secret cannot be used */
async function readSecret({
  client,
  parent,
  ...options
}: InventoryRequest): Promise<Secret | OpSdkError | undefined> {
  try {
    return await readParent(client, parent, options);
  } catch (error) {
    const refused = new OpSdkError(parentRefusal(error, parent), { cause: error });
    if (refusals.has(refused.code)) return refused;
    throw refused;
  }
}

function asPlaced({ metadata }: Secret): PlacedObject {
  const { apiVersion, kind } = Secret;
  const object = { apiVersion, kind, metadata } as unknown as ManifestObject;
  return { object, where: { object: `secret/${metadata.name}` } };
}
