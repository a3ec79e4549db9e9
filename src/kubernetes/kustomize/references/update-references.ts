import { formatWhere, type FindingList } from '../../../base/errors/index.ts';
import {
  type Resource,
  type ResourceId,
  idOf,
  describeId,
  effectiveNamespace,
  isClusterScoped,
  originalIdOf,
  previousIdsOf,
} from '../resource.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import { setOwnField } from '../../../base/util/json-map.ts';
import {
  describe,
  isForKind,
  ShapeError,
  visitFields,
  type FieldSpec,
  type Slot,
  reportShape,
} from '../transform/field-spec.ts';
import type { ReferenceRule } from './reference-table.ts';

interface Reference {
  readonly referrer: Candidate;
  readonly isVisible: (candidate: Candidate) => boolean;
  readonly target: ReferenceRule['target'];
  readonly field: FieldSpec;
}

/**
 * Updates references to resources whose names or namespaces have changed. Source: kustomize
 * `api/internal/accumulator/namereferencetransformer.go` and `api/filters/nameref`.
 */
export function updateReferences(
  resources: readonly Resource[],
  rules: readonly ReferenceRule[],
  findings: FindingList,
): void {
  const all = resources.map(candidateOf);
  for (const referrer of all) if (isNamespacedBinding(referrer)) checkAccounts(referrer.resource, findings);
  // If no resource was renamed, all references are still correct.
  if (resources.every(({ previousIds }) => previousIds.length === 0)) return;
  const updater = new ReferenceUpdater(all, findings);
  for (const referrer of all) updater.update(referrer, rules);
}

class ReferenceUpdater {
  readonly #all: readonly Candidate[];
  readonly #byFormerName = new Map<string, Candidate[]>();
  readonly #findings: FindingList;

  constructor(all: readonly Candidate[], findings: FindingList) {
    this.#all = all;
    this.#findings = findings;
    for (const candidate of all)
      for (const name of new Set(candidate.previous.map((id) => id.name)))
        this.#byFormerName.set(name, [...(this.#byFormerName.get(name) ?? []), candidate]);
  }

  /** Updates all references of a resource. */
  update(referrer: Candidate, rules: readonly ReferenceRule[]): void {
    const isVisible = visibleFrom(referrer);
    for (const { target, fields } of rules) {
      for (const field of fields) {
        if (!isForKind(field, referrer.original)) continue;
        const reference: Reference = { referrer, isVisible, target, field };
        reportShape(referrer.resource, 'a reference', this.#findings, () =>
          // Only the path is matched, because a patch may have changed the kind of the resource.
          visitFields(referrer.resource, { path: field.path }, undefined, (slot) =>
            this.#updateField(slot, reference),
          ),
        );
      }
    }
  }

  #updateField(slot: Slot, reference: Reference): void {
    const value = slot.get();
    if (Array.isArray(value)) value.forEach((_item, index) => this.#updateItem(value, index, reference));
    else if (isObject(value)) this.#updateMapping(value, reference);
    else this.#updateName(slot, reference);
  }

  #updateItem(list: Json[], index: number, reference: Reference): void {
    const item = list[index] ?? null;
    if (Array.isArray(item))
      throw new ShapeError(
        reference.field.path,
        `expected a mapping or a name as item, got ${describe(item)}`,
      );
    if (isObject(item)) this.#updateMapping(item, reference);
    else this.#updateName({ get: () => item, set: (name) => void (list[index] = name) }, reference);
  }

  #updateName(slot: Slot, reference: Reference): void {
    const name = slot.get();
    if (typeof name !== 'string') return;
    const referral = this.#find(
      name,
      reference,
      () => true,
      (a, b) => a.id.name === b.id.name,
    );
    if (referral !== undefined) slot.set(referral.id.name);
  }

  /** Updates a reference that is a mapping with a name and a namespace, such as a subject or a webhook's service. */
  #updateMapping(mapping: JsonObject, reference: Reference): void {
    const { name, namespace } = mapping;
    if (name === undefined) throw new ShapeError(reference.field.path, 'it has no name');
    if (typeof name !== 'string') return;
    const referral = this.#find(
      name,
      reference,
      this.#inNamespace(namespace, reference),
      (a, b) => a.id.name === b.id.name && a.id.namespace === b.id.namespace,
    );
    if (referral === undefined) return;
    setOwnField(mapping, 'name', referral.id.name);
    if (referral.id.namespace !== '') setOwnField(mapping, 'namespace', referral.id.namespace);
  }

  /**
   * Returns a filter that accepts the candidates of a namespace: the resources that were in the namespace originally. If the referrer can
   * see none of these, the filter accepts the resources that are in the namespace now.
   */
  #inNamespace(namespace: Json | undefined, { isVisible }: Reference): (one: Candidate) => boolean {
    if (namespace === undefined) return () => true;
    return this.#all.some((one) => isVisible(one) && isIn(one.original, namespace))
      ? (one) => isIn(one.original, namespace)
      : (one) => isIn(one.id, namespace);
  }

  #find(
    name: string,
    { referrer, isVisible, target, field }: Reference,
    isMeant: (candidate: Candidate) => boolean,
    isSame: (a: Candidate, b: Candidate) => boolean,
  ): Candidate | undefined {
    const candidates = (this.#byFormerName.get(name) ?? []).filter((one) => isVisible(one) && isMeant(one));
    const isRoleRef = field.path.endsWith('roleRef/name');
    const { referral, ambiguous } = findReferral({ referrer, candidates, target, isRoleRef }, isSame);
    if (ambiguous !== undefined) {
      const named = ambiguous.map(({ id, resource }) => `${describeId(id)} (${formatWhere(resource.where)})`);
      this.#findings.add({
        code: 'kustomize/ambiguous-reference',
        message: `${describeId(referrer.id)} refers to '${name}', which may be ${named.join(' or ')}`,
        where: referrer.resource.where,
        fix: ['give the resources different names before they are renamed'],
      });
    }
    return referral;
  }
}

/**
 * Checks that the namespaces of the ServiceAccounts in a RoleBinding are texts. These namespaces determine the resources to which the
 * RoleBinding can refer, so kustomize reads them even if no name changes. Source: kustomize `api/resmap/reswrangler.go`,
 * getNamespacesForRoleBinding.
 */
function checkAccounts(resource: Resource, findings: FindingList): void {
  const { subjects } = resource.object;
  if (!Array.isArray(subjects)) return;
  subjects.forEach((subject, index) => {
    if (!isObject(subject) || subject['kind'] !== 'ServiceAccount') return;
    const { namespace } = subject;
    if (namespace === undefined || typeof namespace === 'string') return;
    reportShape(resource, 'a reference', findings, () => {
      throw new ShapeError(`subjects/${index}/namespace`, `expected text, got ${describe(namespace)}`);
    });
  });
}

function isNamespacedBinding({ id, original, isClusterScoped }: Candidate): boolean {
  return !isClusterScoped && id.kind === 'RoleBinding' && original.group === 'rbac.authorization.k8s.io';
}

function isIn(id: ResourceId, namespace: Json): boolean {
  return !isClusterScoped(id) && effectiveNamespace(id) === namespace;
}

/** Resource with the data that is needed to match references. This data does not change while references are updated. */
interface Candidate {
  readonly resource: Resource;
  readonly id: ResourceId;
  readonly previous: readonly ResourceId[];
  readonly original: ResourceId;
  /** The effective namespace of `id`, for comparisons. */
  readonly namespace: string;
  readonly isClusterScoped: boolean;
}

function candidateOf(resource: Resource): Candidate {
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

interface Search {
  readonly referrer: Candidate;
  /** Resources that are visible to the referrer and that once had the name in the reference. */
  readonly candidates: readonly Candidate[];
  readonly target: ReferenceRule['target'];
  /** True if the reference is the name of a roleRef. In this case, the roleRef also contains the kind of the target. */
  readonly isRoleRef: boolean;
}

/**
 * Returns the resource to which a reference by a former name refers.
 * Source: kustomize `api/filters/nameref`, selectReferral.
 *
 * @param isSame returns true if two resources would give the reference the same value
 * @returns the resource, or `ambiguous` with the candidates if several resources match
 */
function findReferral(
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

/**
 * Returns a filter for the resources to which `referrer` can refer: resources of its namespace, and cluster-scoped resources. A RoleBinding
 * can also refer to resources in the namespaces of its ServiceAccounts.
 */
function visibleFrom(referrer: Candidate): (candidate: Candidate) => boolean {
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
    // RoleBindings of other namespaces may refer to ServiceAccounts.
    candidate.id.kind === 'ServiceAccount' ||
    referrer.namespace === candidate.namespace
  );
}

function hasSameAffixes(a: Resource, b: Resource, emptyFits: boolean): boolean {
  const fits = (left: readonly string[], right: readonly string[]): boolean =>
    (emptyFits && (left.length === 0 || right.length === 0)) || endAlike(left, right);
  return fits(a.prefixes, b.prefixes) && fits(a.suffixes, b.suffixes);
}

/** Returns true if the longer list ends with the shorter list. An empty list matches only another empty list. */
function endAlike(a: readonly string[], b: readonly string[]): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  if (shorter.length === 0) return longer.length === 0;
  const offset = longer.length - shorter.length;
  return shorter.every((text, index) => text === longer[index + offset]);
}
