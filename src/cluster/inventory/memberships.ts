import { metadataOnly } from '../../sdk/api/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { Secret } from '../../sdk/k8s/generated/core/v1.ts';
import { ApiError, isForbidden, isNotFound, isTypeNotServed, type KubeClient } from '../../sdk/kube/index.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { refusal } from '../apply/refusal.ts';
import type { ClusterObject } from '../objects/cluster-object.ts';
import { idLabel } from './apply-set.ts';
import { applySetOf } from './part-of.ts';

/** Objects of a manifest that belong to another ApplySet on the cluster. */
export interface OthersMembers {
  readonly id: string;
  /** The parent as `namespace/name`; undefined if it is not known. */
  readonly parent: string | undefined;
  readonly objects: readonly ClusterObject[];
}

/**
 * Which of the objects are members of other ApplySets than `id` on the cluster. What may not be read counts as nobody's: whoever writes
 * it finds out.
 *
 * @throws OpSdkError with the place of the object, TransportError
 */
export async function othersMembers(
  client: KubeClient,
  objects: readonly ClusterObject[],
  { id, signal }: { readonly id: string; readonly signal?: AbortSignal | undefined },
): Promise<readonly OthersMembers[]> {
  const owners = await inParallel(objects, async (object) => {
    if (!object.served) return undefined;
    try {
      const live = await client.find(object.resource, object.key, { signal });
      return live === undefined ? undefined : applySetOf(live);
    } catch (error) {
      if (isForbidden(error) || isNotFound(error) || isTypeNotServed(error)) return undefined;
      throw new OpSdkError(refusal(error, object), { cause: error });
    }
  });
  const others = [...new Set(owners)].filter((owner) => owner !== undefined && owner !== id);
  return inParallel(others as readonly string[], async (other) => ({
    id: other,
    parent: await parentOfSet(client, other, signal),
    objects: objects.filter((_, index) => owners[index] === other),
  }));
}

/** For messages: who may not list Secrets gets the label alone. */
async function parentOfSet(
  client: KubeClient,
  id: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const { items } = await client.list(metadataOnly(Secret), { labelSelector: `${idLabel}=${id}`, signal });
    const [first] = items;
    return first === undefined ? undefined : `${first.metadata.namespace ?? ''}/${first.metadata.name}`;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Reports objects that belong to another ApplySet and are not taken from it. */
export function othersFindings(others: readonly OthersMembers[]): readonly Finding[] {
  return others.flatMap(({ id, parent, objects }) =>
    objects.map(({ title, where }) => ({
      code: 'cluster/other-applyset' as const,
      message: `${title} belongs to another ApplySet: ${parent === undefined ? id : `that of the Secret ${parent}`}`,
      where,
      fix: [
        'give it another name, or leave it out, if another operator needs it',
        'if the operator was moved or renamed, pass --take-over',
      ],
    })),
  );
}
