import { formatWhere } from '../../../base/errors/format.ts';
import type { FindingList } from '../../../base/errors/index.ts';
import { describeId, effectiveNamespace, isClusterScoped } from '../ids.ts';
import { isObject, type Json, type JsonObject, type Resource, type ResourceId } from '../resource.ts';
import {
  describe,
  isForKind,
  setKey,
  ShapeError,
  visitFields,
  type FieldSpec,
  type Slot,
} from '../transform/field-spec.ts';
import { reportShape } from '../transform/report-shape.ts';
import { candidateOf, findReferral, visibleFrom, type Candidate } from './find-referral.ts';
import type { ReferenceRule } from './reference-table.ts';

interface Reference {
  readonly referrer: Candidate;
  readonly isVisible: (candidate: Candidate) => boolean;
  readonly target: ReferenceRule['target'];
  readonly field: FieldSpec;
}

/**
 * Lets references follow the resources whose names or namespaces changed.
 * Source: kustomize `api/internal/accumulator/namereferencetransformer.go` and `api/filters/nameref`.
 */
export function updateReferences(
  resources: readonly Resource[],
  rules: readonly ReferenceRule[],
  findings: FindingList,
): void {
  const all = resources.map(candidateOf);
  for (const referrer of all) if (isNamespacedBinding(referrer)) checkAccounts(referrer.resource, findings);
  // A resource that never changed is still called as all references call it.
  if (resources.every(({ previousIds }) => previousIds.length === 0)) return;
  const byFormerName = new Map<string, Candidate[]>();
  for (const candidate of all) {
    for (const name of new Set(candidate.previous.map((id) => id.name))) {
      byFormerName.set(name, [...(byFormerName.get(name) ?? []), candidate]);
    }
  }
  for (const referrer of all) {
    const isVisible = visibleFrom(referrer);
    for (const { target, fields } of rules) {
      for (const field of fields) {
        if (!isForKind(field, referrer.original)) continue;
        const reference: Reference = { referrer, isVisible, target, field };
        reportShape(referrer.resource, 'a reference', findings, () =>
          // A patch may have changed the kind; the path is what counts.
          visitFields(referrer.resource, { path: field.path }, undefined, (slot) =>
            updateField(slot, reference),
          ),
        );
      }
    }
  }

  function updateField(slot: Slot, reference: Reference): void {
    const value = slot.get();
    if (Array.isArray(value)) value.forEach((_item, index) => updateItem(value, index, reference));
    else if (isObject(value)) updateMapping(value, reference);
    else updateName(slot, reference);
  }

  function updateItem(list: Json[], index: number, reference: Reference): void {
    const item = list[index] ?? null;
    if (Array.isArray(item)) throw new ShapeError(reference.field.path, `an item is ${describe(item)}`);
    if (isObject(item)) updateMapping(item, reference);
    else updateName({ get: () => item, set: (name) => void (list[index] = name) }, reference);
  }

  function updateName(slot: Slot, reference: Reference): void {
    const name = slot.get();
    if (typeof name !== 'string') return;
    const referral = find(
      name,
      reference,
      () => true,
      (a, b) => a.id.name === b.id.name,
    );
    if (referral !== undefined) slot.set(referral.id.name);
  }

  /** A reference of name and namespace, such as a subject or a webhook's service. */
  function updateMapping(mapping: JsonObject, reference: Reference): void {
    const { name, namespace } = mapping;
    if (name === undefined) throw new ShapeError(reference.field.path, 'it has no name');
    if (typeof name !== 'string') return;
    const referral = find(
      name,
      reference,
      inNamespace(namespace, reference),
      (a, b) => a.id.name === b.id.name && a.id.namespace === b.id.namespace,
    );
    if (referral === undefined) return;
    setKey(mapping, 'name', referral.id.name);
    if (referral.id.namespace !== '') setKey(mapping, 'namespace', referral.id.namespace);
  }

  /** Keeps the candidates of a namespace: those that came from it or, if no resource at all did, those that are in it now. */
  function inNamespace(namespace: Json | undefined, { isVisible }: Reference): (one: Candidate) => boolean {
    if (namespace === undefined) return () => true;
    return all.some((one) => isVisible(one) && isIn(one.original, namespace))
      ? (one) => isIn(one.original, namespace)
      : (one) => isIn(one.id, namespace);
  }

  function find(
    name: string,
    { referrer, isVisible, target, field }: Reference,
    isMeant: (candidate: Candidate) => boolean,
    isSame: (a: Candidate, b: Candidate) => boolean,
  ): Candidate | undefined {
    const candidates = (byFormerName.get(name) ?? []).filter((one) => isVisible(one) && isMeant(one));
    const isRoleRef = field.path.endsWith('roleRef/name');
    const { referral, ambiguous } = findReferral({ referrer, candidates, target, isRoleRef }, isSame);
    if (ambiguous !== undefined) {
      const named = ambiguous.map(({ id, resource }) => `${describeId(id)} (${formatWhere(resource.where)})`);
      findings.add({
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
 * The namespaces of accounts say what a RoleBinding can refer to, so kustomize reads them even where no name changes.
 * Source: kustomize `api/resmap/reswrangler.go`, getNamespacesForRoleBinding.
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
