import type { KubeObject, NamedObjectMeta, Resource } from '../../api/index.ts';
import { labelTest } from '../cache/kind-cache.ts';
import type { ObjectEvent } from '../cache/store.ts';
import type { ObjectKey } from '../../kube/index.ts';
import { groupOf } from '../../../base/util/kubernetes-words.ts';

/** Decides whether a change causes a reconcile. Only saves work: reconcile must not rely on being called for a certain change. What it throws is logged and counts as true. */
export type Predicate<T extends KubeObject = KubeObject> = (change: ObjectEvent<T>) => boolean;

/**
 * Default predicate of a controller's `for` objects. Passes creates, deletes, and updates of generation
 * (which the API server raises with the spec), labels, annotations, finalizers or deletionTimestamp. Updates of status
 * alone are left out, so a controller does not wake itself. Kinds without a generation, such as ConfigMap, pass everything.
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
 * Updates that change `metadata.generation`: for custom resources those of the spec (of the status too, if it is not a subresource).
 * Kinds without a generation, such as ConfigMap, have no update that passes. Creates and deletes pass.
 * Source: controller-runtime `GenerationChangedPredicate`.
 */
export const generationChanged: Predicate = ofUpdates((now, before) => now.generation !== before.generation);

/** Updates that change a label. Creates and deletes pass. Source: controller-runtime `LabelChangedPredicate`. */
export const labelsChanged: Predicate = ofUpdates((now, before) => !equalMaps(now.labels, before.labels));

/** Updates that change an annotation. Creates and deletes pass. Source: controller-runtime `AnnotationChangedPredicate`. */
export const annotationsChanged: Predicate = ofUpdates(
  (now, before) => !equalMaps(now.annotations, before.annotations),
);

/** Updates that change the object at all, not only repeat it. Creates and deletes pass. Source: controller-runtime `ResourceVersionChangedPredicate`. */
export const resourceVersionChanged: Predicate = ofUpdates(
  (now, before) => now.resourceVersion !== before.resourceVersion,
);

/**
 * Changes of objects whose labels match; of an update the new ones. An object that loses the label does not pass: use `not` or
 * `labelsChanged` where that matters. Source: controller-runtime `LabelSelectorPredicate`.
 *
 * @param selector as for `kubectl -l`: `app=web,tier in (a, b),!canary`
 * @throws OpSdkError `runtime/invalid-selector`
 */
export function matchesLabels(selector: string): Predicate {
  const matches = labelTest(selector);
  return (change) => matches(change.object.metadata.labels);
}

/** Changes that at least one of the predicates accepts, asked in their order; none for no predicates. Source: controller-runtime `Or`. */
export function anyOf<T extends KubeObject = KubeObject>(
  ...predicates: readonly Predicate<T>[]
): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}

/** Changes that every predicate accepts, asked in their order; all for no predicates. Source: controller-runtime `And`. */
export function allOf<T extends KubeObject = KubeObject>(
  ...predicates: readonly Predicate<T>[]
): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/**
 * Changes that the predicate does not accept, also among creates and deletes: `not(generationChanged)` passes none of these.
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

// Called for every event: node:util's isDeepStrictEqual takes many times as long.
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

/** Which owned objects matter, and to whom. */
export interface OwnedOptions<T extends KubeObject> {
  /** Which changes count; all must agree. Default: every change. */
  readonly predicates?: readonly Predicate<T>[];
  /** Reconcile every owner of the `for` kind, not only the one that controls the object (`controller: true`). Default: false. */
  readonly anyOwner?: boolean;
}

/** A kind whose objects the controller creates. Made by {@link owned}. */
export interface OwnedKind {
  /** The kind. */
  readonly resource: Resource;
  /** Every owner of the `for` kind is concerned, not only the controller. */
  readonly anyOwner: boolean;
  /** Returns true if a change counts. */
  accepts: Predicate;
}

/**
 * An entry of `owns` with options. Without any it is the same as the kind alone.
 *
 * @example
 * owns: [owned(Deployment, { predicates: [generationChanged] }), Service]
 */
export function owned<T extends KubeObject>(resource: Resource<T>, options: OwnedOptions<T> = {}): OwnedKind {
  // The cache delivers objects of the kind only.
  const predicates = (options.predicates ?? []) as readonly Predicate[];
  return {
    resource,
    anyOwner: options.anyOwner ?? false,
    accepts: (change) => predicates.every((predicate) => predicate(change)),
  };
}

/**
 * The object of kind `owner` that controls this one, or with `anyOwner` each that owns it, as its references say; by name, not by uid: when the last dependent
 * of a deleted owner goes away, the new owner of that name wants to know.
 */
export function ownerKeys(owner: Resource, object: KubeObject, anyOwner = false): ObjectKey[] {
  const { namespace, ownerReferences = [] } = object.metadata;
  // A namespaced owner of a cluster-scoped object: the API server accepts the reference, but it leads nowhere.
  if (owner.namespaced && namespace === undefined) return [];
  return ownerReferences
    .filter(
      ({ apiVersion, kind, controller }) =>
        (anyOwner || controller === true) && kind === owner.kind && groupOf(apiVersion) === owner.group,
    )
    .map(({ name }) => (owner.namespaced ? { name, namespace } : { name }));
}
