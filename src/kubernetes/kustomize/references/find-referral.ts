import { effectiveNamespace, isClusterScoped, originalIdOf, previousIdsOf } from '../ids.ts';
import { idOf, isObject, type Resource, type ResourceId } from '../resource.ts';
import { isForKind } from '../transform/field-spec.ts';
import type { ReferenceRule } from './reference-table.ts';

/** A resource as references see it. Nothing of this changes while references are updated. */
export interface Candidate {
  readonly resource: Resource;
  readonly id: ResourceId;
  readonly previous: readonly ResourceId[];
  readonly original: ResourceId;
  /** The effective namespace of `id`, for comparisons. */
  readonly namespace: string;
  readonly isClusterScoped: boolean;
}

export function candidateOf(resource: Resource): Candidate {
  const id = idOf(resource);
  return {
    resource,
    id,
    previous: previousIdsOf(resource),
    original: originalIdOf(resource),
    namespace: effectiveNamespace(id),
    isClusterScoped: isClusterScoped(id),
  };
}

export interface Search {
  readonly referrer: Candidate;
  /** Resources that the referrer can see and that had the name in its reference. */
  readonly candidates: readonly Candidate[];
  readonly target: ReferenceRule['target'];
  /** True if the field is the name of a roleRef, which gives the kind as well. */
  readonly isRoleRef: boolean;
}

/**
 * The resource that a former name means.
 * Source: kustomize `api/filters/nameref`, selectReferral.
 *
 * @param isSame whether two resources would give the reference the same value
 * @returns `ambiguous` with those that come into question if there are several
 */
export function findReferral(
  { referrer, candidates, target, isRoleRef }: Search,
  isSame: (a: Candidate, b: Candidate) => boolean,
): { readonly referral?: Candidate; readonly ambiguous?: readonly Candidate[] } {
  const role = isRoleRef ? roleOf(referrer.resource) : undefined;
  let found = candidates.filter(
    (candidate) =>
      candidate.previous.some((id) => isForKind(target, id)) &&
      (role === undefined || candidate.previous.some((id) => isForKind(role, id))) &&
      isNear(referrer, candidate),
  );
  if (found.length > 1) {
    found = found.filter((candidate) => hasSameAffixes(referrer.resource, candidate.resource, true));
    if (found.length > 1)
      found = found.filter((candidate) => hasSameAffixes(referrer.resource, candidate.resource, false));
  }
  const [first, ...others] = found;
  if (first === undefined) return {};
  return others.every((other) => isSame(first, other)) ? { referral: first } : { ambiguous: found };
}

/** Tells which resources a resource can refer to: those of its namespace, and cluster-scoped ones; bindings see their accounts' namespaces. */
export function visibleFrom(referrer: Candidate): (candidate: Candidate) => boolean {
  if (referrer.isClusterScoped) return () => true;
  const further =
    referrer.id.kind === 'RoleBinding' ? accountNamespaces(referrer.resource) : new Set<string>();
  return (candidate) =>
    candidate.isClusterScoped ||
    candidate.namespace === referrer.namespace ||
    further.has(candidate.id.namespace);
}

function accountNamespaces({ object }: Resource): ReadonlySet<string> {
  const { subjects } = object;
  const namespaces = Array.isArray(subjects)
    ? subjects.map((subject) =>
        isObject(subject) && subject['kind'] === 'ServiceAccount' ? subject['namespace'] : undefined,
      )
    : [];
  return new Set(namespaces.filter((namespace) => typeof namespace === 'string'));
}

function roleOf({ object }: Resource): { readonly group: string; readonly kind: string } | undefined {
  const { roleRef } = object;
  if (roleRef === undefined || !isObject(roleRef)) return undefined;
  const { apiGroup: group, kind } = roleRef;
  return typeof group === 'string' && typeof kind === 'string' ? { group, kind } : undefined;
}

function isNear(referrer: Candidate, candidate: Candidate): boolean {
  return (
    referrer.isClusterScoped ||
    candidate.isClusterScoped ||
    // Bindings of other namespaces may refer to accounts.
    candidate.id.kind === 'ServiceAccount' ||
    referrer.namespace === candidate.namespace
  );
}

function hasSameAffixes(a: Resource, b: Resource, emptyFits: boolean): boolean {
  const fits = (left: readonly string[], right: readonly string[]): boolean =>
    (emptyFits && (left.length === 0 || right.length === 0)) || endAlike(left, right);
  return fits(a.prefixes, b.prefixes) && fits(a.suffixes, b.suffixes);
}

/** Returns true if the shorter list is the end of the longer one; an empty list matches only an empty one. */
function endAlike(a: readonly string[], b: readonly string[]): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  if (shorter.length === 0) return longer.length === 0;
  const offset = longer.length - shorter.length;
  return shorter.every((text, index) => text === longer[index + offset]);
}
