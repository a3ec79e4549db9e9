import type { FindingList, Where } from '../../../base/errors/index.ts';
import { copier, type Copy } from '../build/copies.ts';
import type { ReplacementContext, ReplacementEntry } from '../entries.ts';
import {
  idOf,
  type Resource,
  type ResourceId,
  describeId,
  effectiveNamespace,
  previousIdsOf,
  hasInternalAnnotations,
} from '../resource.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import { type Selector, metaOf } from '../select/selector.ts';
import { spreadText } from '../shared-texts.ts';
import { fieldOf, findItem } from '../patches/merge-list.ts';
import {
  findSlots,
  type NewField,
  plainScalar,
  fieldSlot,
  itemSlot,
  type Slot,
  FieldPathError,
  type PathStep,
} from './find-slots.ts';
import {
  readReplacement,
  type PlacedPath,
  type Replacement,
  type SourceSelector,
  type TargetSelector,
  type Part,
} from './read-replacement.ts';

/**
 * Copies values between fields of resources. As in kustomize, a source must match exactly one resource that has the field. The path of a
 * target must exist in each resource that the target selects.
 *
 * @param resources resources whose objects are changed in place
 * @throws OpSdkError `kustomize/too-large` if the copies grow too large
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
          ? 'the source of the replacement does not match any resource'
          : `expected one resource as source of the replacement, but several match: ${found.map((each) => describeId(idOf(each))).join(', ')}`,
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
        'the path names all annotations, which include those that kustomize uses internally: name a single annotation',
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

/** Returns true if a resource matches the source of a replacement. Names in a source are compared as texts, not as patterns. */
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
  // As in kustomize, an entry of `reject` excludes a resource if either the id or the selectors of the entry match.
  return !reject.some(({ fields, selector }) => {
    const { labelSelector, annotationSelector, ...id } = fields;
    const byMeta = labelSelector !== undefined || annotationSelector !== undefined;
    return (byMeta && hasMeta(selector)) || (Object.keys(id).length > 0 && isMeant(selector));
  });
}

/** Returns the present id and the former ids of a resource. As in kustomize, former ids contain the effective namespace. */
function idsOf(resource: Resource): readonly ResourceId[] {
  const previous = previousIdsOf(resource).map((id) => ({ ...id, namespace: effectiveNamespace(id) }));
  return [idOf(resource), ...previous];
}

function shapeOf(value: Json): NewField {
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'mapping' : 'scalar';
}

/**
 * Finds the one value to which the path of a source leads. `[name=value]` selects the first item with exactly this value, `-` selects the
 * last item.
 *
 * @throws FieldPathError if the path does not lead to a value
 */
function findSource(object: JsonObject, path: readonly PathStep[]): Slot {
  let value: Json | undefined = object;
  let slot: Slot = { get: () => object, set: () => undefined };
  for (const step of path) {
    slot = next(value, step);
    value = slot.get();
    if (value === undefined || value === null) throw new FieldPathError('the field does not exist');
  }
  const empty = value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
  if (empty && value !== '') throw new FieldPathError('it is empty');
  return slot;
}

function next(value: Json, step: PathStep): Slot {
  if (step.kind === 'every')
    throw new FieldPathError('expected the path of one value as source, got *, which selects several');
  if (step.kind === 'field' && step.name !== '-') {
    if (!isObject(value))
      throw new FieldPathError(`the path leads to the field ${step.name} of a value that is not a mapping`);
    if (fieldOf(value, step.name) === undefined)
      throw new FieldPathError(`the field ${step.name} does not exist`);
    return fieldSlot(value, step.name);
  }
  if (!Array.isArray(value))
    throw new FieldPathError('the path leads to an item of a value that is not a list');
  const index =
    step.kind === 'index'
      ? step.index
      : step.kind === 'match'
        ? indexOf(value, findItem(value, [step.field], [step.text]))
        : value.length - 1;
  if (index < 0 || index >= value.length) throw new FieldPathError('the item does not exist');
  return itemSlot(value, index);
}

function indexOf(list: readonly Json[], item: Json | undefined): number {
  return item === undefined ? -1 : list.indexOf(item);
}

/** Value that a replacement writes into its targets. */
interface Value {
  /**
   * Reads the value from the source again for each target. This is needed because a target may be the source itself. Later targets then get
   * the new value.
   */
  get(): Json;
  /** True for a text whose YAML type is determined at each target. */
  readonly isText: boolean;
}

/**
 * Returns the value of a source or, if `part` is given, a part of the value.
 *
 * @throws FieldPathError if the value cannot be used
 */
function readValue(source: Slot, part: Part | undefined): Value {
  const read = (): Json => source.get() ?? null;
  if (part === undefined) return { get: read, isText: false };
  const text = scalarText(read());
  if (text === undefined) throw new FieldPathError('a delimiter needs a text, not a list or mapping');
  const found = text.split(part.delimiter)[part.index];
  if (found === undefined)
    throw new FieldPathError(
      `the text ${JSON.stringify(text)}, split at '${part.delimiter}', has no part with index ${part.index}`,
    );
  const whole = read();
  const value = typeof whole === 'string' ? found : plainScalar(found);
  return { get: () => value, isText: false };
}

/**
 * Writes a value to a target. If the new and the present value are scalars, the text is replaced, and the type of the present value is
 * kept. Lists and mappings are replaced as they are.
 *
 * @param isAnnotation true if kustomize converts all values to text
 * @throws FieldPathError if the value does not fit the target
 */
function putValue(slot: Slot, value: Value, part: Part | undefined, isAnnotation: boolean, copy: Copy): void {
  const present = slot.get();
  const json = copy(value.get());
  if (present === null)
    throw new FieldPathError('the target field is null: give it a value of the right type in the resource');
  const text = scalarText(json);
  if (typeof present === 'object') {
    if (part !== undefined) throw new FieldPathError('a delimiter needs a text, not a list or mapping');
    slot.set(value.isText ? plainScalar(text ?? '') : json);
    return;
  }
  if (text === undefined) {
    if (present !== undefined)
      throw new FieldPathError(
        'the target field holds a text or number, but the value from the source is a list or mapping',
      );
    slot.set(json);
    return;
  }
  const whole = part === undefined ? text : replacePart(String(present ?? ''), part, text);
  if (present === undefined) slot.set(isAnnotation ? whole : plainScalar(whole));
  else slot.set(scalarLike(present, whole));
}

/** Maximum length of a text, in characters. The limit is above the size of any object. */
const mostText = 2 * 1024 * 1024;

/**
 * Replaces the part with a given index of a text that is split at a delimiter. A negative index prepends the new text; an index after the
 * end appends it.
 */
function replacePart(present: string, { delimiter, index }: Part, text: string): string {
  const parts = present.split(delimiter);
  if (index < 0) parts.unshift(text);
  else if (index >= parts.length) parts.push(text);
  else parts[index] = text;
  const whole = parts.join(delimiter);
  // If a replacement copies a text into the same text, the length doubles each time. Therefore, the length is limited.
  if (whole.length > mostText)
    throw new FieldPathError(`the text would have more than ${mostText} characters`);
  return whole;
}

/**
 * The following functions convert scalars. kustomize copies the text of scalars, as written in YAML. An existing field keeps its type; a
 * new field gets the type that the text has in YAML.
 */

/** Returns the text of a scalar; undefined for lists and mappings. */
function scalarText(value: Json): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new FieldPathError(`the number ${value} can be written as text in several ways: make it a string`);
  return String(value);
}

/**
 * Converts a text to the type of an existing field.
 *
 * @throws FieldPathError if the text is not valid for the type
 */
function scalarLike(present: string | number | boolean, text: string): Json {
  if (typeof present === 'string') return text;
  const value = plainScalar(text);
  const fits = typeof value === typeof present && !(Number.isInteger(present) && !Number.isInteger(value));
  if (fits) return value;
  throw new FieldPathError(
    `expected a ${typeof present} to replace ${JSON.stringify(present)}, got ${JSON.stringify(text)}`,
  );
}
