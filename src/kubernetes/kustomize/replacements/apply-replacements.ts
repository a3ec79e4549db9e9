import type { FindingList, Where } from '../../../base/errors/index.ts';
import { copier, type Copy } from '../build/copier.ts';
import type { ReplacementContext, ReplacementEntry } from '../entries.ts';
import { describeId, effectiveNamespace, previousIdsOf } from '../ids.ts';
import { hasInternalAnnotations } from '../internal-annotations.ts';
import { idOf, isObject, type Json, type Resource, type ResourceId } from '../resource.ts';
import { metaOf } from '../select/meta-of.ts';
import type { Selector } from '../select/parse-selector.ts';
import { spreadText } from '../shared-texts.ts';
import { FieldPathError } from './field-path.ts';
import { findSlots, type NewField } from './find-slots.ts';
import { findSource } from './find-source.ts';
import {
  readReplacement,
  type PlacedPath,
  type Replacement,
  type SourceSelector,
  type TargetSelector,
} from './read-replacement.ts';
import { putValue, readValue, type Value } from './values.ts';

/**
 * Copies values between fields of resources. A source must be exactly one resource, with the field; a path of a target must
 * lead somewhere in each resource that the target selects. Both as in kustomize.
 *
 * @param resources their objects are changed in place
 * @throws OpSdkError `kustomize/too-large`
 */
export function applyReplacements(
  resources: readonly Resource[],
  replacements: readonly ReplacementEntry[],
  { findings }: ReplacementContext,
): void {
  let place: Where | undefined;
  const copy = copier(() => place ?? { file: '.' });
  for (const entry of replacements) {
    place = entry.where;
    const replacement = readReplacement(entry, findings);
    if (replacement === undefined) continue;
    const value = valueOf(resources, replacement, findings);
    if (value === undefined) continue;
    for (const target of replacement.targets) {
      for (const resource of resources.filter((candidate) => isTarget(candidate, target)))
        for (const path of target.paths) put(resource, path, target, value, findings, copy);
    }
  }
}

function valueOf(
  resources: readonly Resource[],
  { source }: Replacement,
  findings: FindingList,
): Value | undefined {
  if ('text' in source) return { get: () => source.text, isText: true };
  const found = resources.filter((resource) => isSource(resource, source));
  const [resource] = found;
  if (resource === undefined || found.length > 1) {
    findings.add({
      code: 'kustomize/no-target',
      message:
        resource === undefined
          ? 'the source of the replacement is not a resource'
          : `the source of the replacement is ambiguous: ${found.map((each) => describeId(idOf(each))).join(', ')}`,
      where: source.where,
      fix: ['name kind, name and namespace of one resource'],
    });
    return undefined;
  }
  return attempt(
    `cannot read ${source.path.text} of ${describeId(idOf(resource))}`,
    source.path.where,
    findings,
    () => readValue(findSource(resource.object, source.path.steps), source.part),
  );
}

function put(
  resource: Resource,
  path: PlacedPath,
  target: TargetSelector,
  value: Value,
  findings: FindingList,
  copy: Copy,
): void {
  attempt(`cannot set ${path.text} of ${describeId(idOf(resource))}`, path.where, findings, () => {
    const slots = findSlots(resource.object, path.steps, target.create ? shapeOf(value.get()) : undefined);
    if (slots.length === 0)
      throw new FieldPathError('the field does not exist; `options.create: true` creates it');
    const [first, second] = path.steps;
    if (hasInternalAnnotations(resource) && /^metadata(?:[./]annotations)?$/.test(path.text))
      throw new FieldPathError(
        'kustomize keeps the former names of the object, and that its name ends in a hash, in its annotations: name one of them',
      );
    const isAnnotation =
      first?.kind === 'field' &&
      first.name === 'metadata' &&
      second?.kind === 'field' &&
      second.name === 'annotations';
    for (const slot of slots) {
      putValue(slot, value, target.part, isAnnotation, copy);
      if (slot.holder !== undefined) spreadText(resource, slot.holder, slot.get() ?? null);
    }
  });
}

function attempt<T>(what: string, where: Where, findings: FindingList, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    findings.add({
      code: 'kustomize/replacement-failed',
      message: `${what}: ${error.message}`,
      where,
      fix: ['correct the path, or the resource'],
    });
    return undefined;
  }
}

/** The names of a source are texts, not patterns. */
function isSource(resource: Resource, { id: wanted }: SourceSelector): boolean {
  return idsOf(resource).some(
    (id) =>
      (['group', 'version', 'kind', 'name'] as const).every(
        (field) => wanted[field] === undefined || wanted[field] === id[field],
      ) &&
      (wanted.namespace === undefined ||
        wanted.namespace === (id.namespace === '' ? 'default' : id.namespace)),
  );
}

function isTarget(resource: Resource, { select, reject }: TargetSelector): boolean {
  const ids = idsOf(resource);
  const isMeant = (selector: Selector): boolean =>
    ids.some((id) => selector.kind(id) && selector.name(id.name) && selector.namespace(id.namespace));
  const hasMeta = ({ labels, annotations }: Selector): boolean =>
    labels(metaOf(resource.object, 'labels')) && annotations(metaOf(resource.object, 'annotations'));
  if (!hasMeta(select) || !isMeant(select)) return false;
  // As in kustomize, either half of a `reject` is enough.
  return !reject.some(({ fields, selector }) => {
    const { labelSelector, annotationSelector, ...id } = fields;
    const byMeta = labelSelector !== undefined || annotationSelector !== undefined;
    return (byMeta && hasMeta(selector)) || (Object.keys(id).length > 0 && isMeant(selector));
  });
}

/** As kustomize remembers them: former ids with the namespace that they stand for. */
function idsOf(resource: Resource): readonly ResourceId[] {
  const previous = previousIdsOf(resource).map((id) => ({ ...id, namespace: effectiveNamespace(id) }));
  return [idOf(resource), ...previous];
}

function shapeOf(value: Json): NewField {
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'mapping' : 'scalar';
}
