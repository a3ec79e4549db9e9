import { metadataOnly, type KubeObject, type MapContext, type ObjectKey } from 'opsdk';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';
import { Namespace } from 'opsdk/k8s/core/v1';
import { select } from './select.ts';

/** Reads the selectors of an object for one kind. */
export type SelectorsOf<T> = (object: T) => {
  readonly selector: LabelSelector | undefined;
  readonly namespaceSelector: LabelSelector | undefined;
};

/**
 * Returns the keys of the objects that select another one. Called for its old and for its new state, so one that no longer selects it is
 * among them.
 *
 * @param owners objects with selectors
 */
export async function thoseWhoSelect<T extends KubeObject>(
  object: KubeObject,
  owners: readonly T[],
  selectorsOf: SelectorsOf<T>,
  { client }: Pick<MapContext, 'client'>,
): Promise<readonly ObjectKey[]> {
  const namespace = await client.find(metadataOnly(Namespace), { name: object.metadata.namespace ?? '' });
  // One under deletion was selected until now.
  const candidate = { ...object, metadata: { ...object.metadata, deletionTimestamp: undefined } };
  return owners
    .filter((owner) => {
      const ownNamespace = owner.metadata.namespace ?? '';
      try {
        const selectors = { ...selectorsOf(owner), ownNamespace };
        return select([candidate], namespace === undefined ? [] : [namespace], selectors).length > 0;
      } catch {
        // Its own reconcile reports the invalid selector.
        return true;
      }
    })
    .map(({ metadata: { name = '', namespace: place = '' } }) => ({ name, namespace: place }));
}
