import type { KubeObject, NamedObjectMeta, Resource } from '../../api/index.ts';
import { labelTest } from '../cache/kind-cache.ts';
import type { ObjectEvent } from '../cache/store.ts';
import type { ObjectKey } from '../../kube/index.ts';
import { groupOf } from '../../../base/util/kubernetes-words.ts';

/**
 * Decides if a change causes a reconcile. A predicate only saves work: reconcile must not rely on being called for a specific change. If a
 * predicate throws, the error is logged and the change passes.
 */
export type Predicate<T extends KubeObject = KubeObject> = (change: ObjectEvent<T>) => boolean;

/**
 * Default predicate for a controller's `for` objects. Passes creates, deletes, and updates of generation (which the API server increases
 * with each change of the spec), labels, annotations, finalizers or deletionTimestamp. Skips updates that change only status, so that a
 * controller does not trigger itself. Passes every change of kinds without a generation, such as ConfigMap.
 */
export const defaultPredicate: Predicate = (change) => {
  if (change.type !== 'update') return true;
  const before = change.oldObject.metadata;
  const now = change.object.metadata;
  if (now.generation === undefined || now.generation !== before.generation) return true;
  return (
    now.deletionTimestamp !== before.deletionTimestamp ||
    !equalMaps(now.labels, before.labels) ||
    !equalMaps(now.annotations, before.annotations) ||
    !equalLists(now.finalizers, before.finalizers)
  );
};

/**
 * Passes updates that change `metadata.generation`. For custom resources these are changes of the spec, and of the status if it is not a
 * subresource. For kinds without a generation, such as ConfigMap, no update passes. Creates and deletes pass. Source: controller-runtime
 * `GenerationChangedPredicate`.
 */
export const generationChanged: Predicate = ofUpdates((now, before) => now.generation !== before.generation);

/** Passes updates that change a label. Creates and deletes pass. Source: controller-runtime `LabelChangedPredicate`. */
export const labelsChanged: Predicate = ofUpdates((now, before) => !equalMaps(now.labels, before.labels));

/** Passes updates that change an annotation. Creates and deletes pass. Source: controller-runtime `AnnotationChangedPredicate`. */
export const annotationsChanged: Predicate = ofUpdates(
  (now, before) => !equalMaps(now.annotations, before.annotations),
);

/**
 * Passes updates that change the resource version. Skips updates that only repeat the known object. Creates and deletes pass. Source:
 * controller-runtime `ResourceVersionChangedPredicate`.
 */
export const resourceVersionChanged: Predicate = ofUpdates(
  (now, before) => now.resourceVersion !== before.resourceVersion,
);

/**
 * Passes changes of objects whose labels match the selector. For an update, the new labels must match. An update by which an object loses
 * the label does not pass: use `not` or `labelsChanged` if that matters. Source: controller-runtime `LabelSelectorPredicate`.
 *
 * @param selector same syntax as `kubectl -l`: `app=web,tier in (a, b),!canary`
 * @throws OpSdkError `runtime/invalid-selector`
 */
export function matchesLabels(selector: string): Predicate {
  const matches = labelTest(selector);
  return (change) => matches(change.object.metadata.labels);
}

/**
 * Passes changes that at least one of the predicates accepts. Calls the predicates in order. Without predicates, no change passes. Source:
 * controller-runtime `Or`.
 */
export function anyOf<T extends KubeObject = KubeObject>(
  ...predicates: readonly Predicate<T>[]
): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}

/**
 * Passes changes that every predicate accepts. Calls the predicates in order. Without predicates, every change passes. Source:
 * controller-runtime `And`.
 */
export function allOf<T extends KubeObject = KubeObject>(
  ...predicates: readonly Predicate<T>[]
): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/**
 * Passes changes that the predicate rejects. This includes creates and deletes, so `not(generationChanged)` passes no create or delete.
 * Source: controller-runtime `Not`.
 */
export function not<T extends KubeObject = KubeObject>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}

type Metadata = Readonly<Pick<NamedObjectMeta, 'generation' | 'resourceVersion'>> & {
  readonly labels?: StringMap | undefined;
  readonly annotations?: StringMap | undefined;
};
type StringMap = Readonly<Record<string, string>>;

function ofUpdates(changed: (now: Metadata, before: Metadata) => boolean): Predicate {
  return (change) => change.type !== 'update' || changed(change.object.metadata, change.oldObject.metadata);
}

// Called for every event, so it does not use isDeepStrictEqual of node:util, which is many times slower.
function equalMaps(one: StringMap | undefined, other: StringMap | undefined): boolean {
  if (one === other) return true;
  const [before, now] = [one ?? {}, other ?? {}];
  const keys = Object.keys(before);
  return (
    keys.length === Object.keys(now).length &&
    keys.every((key) => Object.hasOwn(now, key) && before[key] === now[key])
  );
}

function equalLists(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  const [before, now] = [one ?? [], other ?? []];
  return before.length === now.length && before.every((item, index) => item === now[index]);
}

/** Options that select the changes of owned objects that cause a reconcile, and the owners to reconcile. */
export interface OwnedOptions<T extends KubeObject> {
  /** Predicates for changes of owned objects. A change causes a reconcile if all predicates accept it. Default: every change. */
  readonly predicates?: readonly Predicate<T>[];
  /** True: reconcile every owner of the `for` kind, not only the owner that controls the object (`controller: true`). Default: false. */
  readonly anyOwner?: boolean;
}

/** A kind whose objects the controller creates. Created by {@link owned}. */
export interface OwnedKind {
  /** The kind of the owned objects. */
  readonly resource: Resource;
  /** True: reconcile every owner of the `for` kind, not only the owner that controls the object. */
  readonly anyOwner: boolean;
  /** Returns true if a change causes a reconcile. */
  accepts: Predicate;
}

/**
 * Creates an entry of `owns` with options. Without options, the entry is equivalent to the kind alone.
 *
 * @example
 * owns: [owned(Deployment, { predicates: [generationChanged] }), Service]
 */
export function owned<T extends KubeObject>(resource: Resource<T>, options: OwnedOptions<T> = {}): OwnedKind {
  // The cast is safe because the cache passes only objects of this kind.
  const predicates = (options.predicates ?? []) as readonly Predicate[];
  return {
    resource,
    anyOwner: options.anyOwner ?? false,
    accepts: (change) => predicates.every((predicate) => predicate(change)),
  };
}

/**
 * Returns the key of the owner of the `owner` kind that controls the object. With `anyOwner`, returns the keys of all owners of that kind
 * in the object's references. Matches owners by name, not by uid, because the removal of the last dependent of a deleted owner must
 * reconcile a new owner of the same name.
 */
export function ownerKeys(owner: Resource, object: KubeObject, anyOwner = false): ObjectKey[] {
  const { namespace, ownerReferences = [] } = object.metadata;
  // A cluster-scoped object cannot have a namespaced owner. The API server accepts such a reference, but it refers to no object.
  if (owner.namespaced && namespace === undefined) return [];
  return ownerReferences
    .filter(
      ({ apiVersion, kind, controller }) =>
        (anyOwner || controller === true) && kind === owner.kind && groupOf(apiVersion) === owner.group,
    )
    .map(({ name }) => (owner.namespaced ? { name, namespace } : { name }));
}
