import { matchesSelector, OpSdkError, terminalError, type KubeObject } from 'opsdk';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';

/** How objects are selected. */
export interface Selectors {
  /** Selects objects by their labels. An empty one selects all, a missing one none. */
  readonly selector: LabelSelector | undefined;
  /** Selects namespaces by their labels. An empty one selects all, a missing one the own namespace alone. */
  readonly namespaceSelector: LabelSelector | undefined;
  readonly ownNamespace: string;
}

/**
 * Returns the objects that are selected and not under deletion.
 *
 * @throws OpSdkError `runtime/invalid-selector` if a selector has an operator that does not exist
 */
export function select<T extends KubeObject>(
  objects: readonly T[],
  namespaces: readonly KubeObject[],
  { selector, namespaceSelector, ownNamespace }: Selectors,
): readonly T[] {
  if (selector === undefined) return [];
  const isSelected = new Set(
    namespaceSelector === undefined
      ? [ownNamespace]
      : namespaces
          .filter(({ metadata }) => matchesSelector(namespaceSelector, metadata.labels))
          .map(({ metadata }) => metadata.name),
  );
  return objects.filter(
    ({ metadata }) =>
      metadata.deletionTimestamp === undefined &&
      isSelected.has(metadata.namespace ?? '') &&
      matchesSelector(selector, metadata.labels),
  );
}

/**
 * Selects as select does, for a reconcile.
 *
 * @throws a terminal error for a selector with an operator that does not exist: only a change of it helps
 */
export function selectOrRefuse<T extends KubeObject>(...args: Parameters<typeof select<T>>): readonly T[] {
  try {
    return select(...args);
  } catch (error) {
    if (error instanceof OpSdkError && error.code === 'runtime/invalid-selector') throw terminalError(error);
    throw error;
  }
}
