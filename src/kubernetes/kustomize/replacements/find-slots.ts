import { parseNamePattern } from '../select/name-pattern.ts';
import { isObject, type Json, type JsonObject } from '../resource.ts';
import { FieldPathError, type PathStep } from './field-path.ts';
import { plainScalar } from './scalar-text.ts';
import { fieldSlot, itemSlot, type Slot } from './slot.ts';

/** The initial shape of a created field; `scalar` for one that gets its value afterwards. */
export type NewField = 'scalar' | 'mapping' | 'list';

/**
 * Finds all places that a path of a target means.
 *
 * @param create makes missing fields and items, the last one for a value of this shape
 * @returns none if the path leads nowhere
 * @throws FieldPathError if the path does not fit what is there
 */
export function findSlots(
  root: Json,
  path: readonly PathStep[],
  create: NewField | undefined,
): readonly Slot[] {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (root === null) {
    if (create === undefined) return [];
    throw new FieldPathError('a part of it is null: give it a value in the resource');
  }
  const created = create === undefined ? undefined : newContainer(rest[0], create);
  switch (step.kind) {
    case 'field': {
      if (!isObject(root)) throw misfit(root, `the field ${step.name}`);
      const slot = fieldSlot(root, step.name);
      if (slot.get() === undefined) {
        if (create === undefined) return [];
        if (created !== undefined) slot.set(created);
      }
      return further(slot, rest, create);
    }
    case 'index': {
      if (!Array.isArray(root)) throw misfit(root, `the item ${step.index}`);
      const slot = itemSlot(root, step.index);
      if (step.index > root.length || (step.index === root.length && create === undefined))
        throw new FieldPathError(`item ${step.index} does not exist: the list has ${root.length}`);
      if (created !== undefined && step.index === root.length) root.push(created);
      return further(slot, rest, create);
    }
    case 'every':
      if (!Array.isArray(root)) throw misfit(root, 'every item');
      return root.flatMap((_item, index) => further(itemSlot(root, index), rest, create));
    case 'match': {
      if (!Array.isArray(root)) throw misfit(root, `an item with ${step.field}`);
      if (step.field === '' && rest.length > 0)
        throw new FieldPathError(`kustomize ignores what follows [=${step.text}]`);
      const matches = matchOf(step);
      if (create !== undefined && !root.some(matches)) {
        const value = plainScalar(step.text);
        root.push(step.field === '' ? value : { [step.field]: value });
        if (!root.some(matches))
          throw new FieldPathError(`'${step.text}' is a pattern: no item can be made of it`);
      }
      return root.flatMap((item, index) =>
        matches(item) ? further(itemSlot(root, index), rest, create) : [],
      );
    }
  }
}

function further(slot: Slot, rest: readonly PathStep[], create: NewField | undefined): readonly Slot[] {
  if (rest.length === 0) return [slot];
  return findSlots(slot.get() ?? null, rest, create);
}

/** The container to create for a missing field or item, by the step after it; undefined for a scalar, which gets its value afterwards. */
function newContainer(next: PathStep | undefined, last: NewField): Json[] | JsonObject | undefined {
  const shape =
    next === undefined ? last : next.kind === 'index' || next.kind === 'match' ? 'list' : 'mapping';
  if (shape === 'scalar') return undefined;
  return shape === 'list' ? [] : {};
}

/** The text is a regular expression for any part of the value. */
function matchOf({
  field,
  text,
}: {
  readonly field: string;
  readonly text: string;
}): (item: Json) => boolean {
  if (/[\^$]/.test(text))
    throw new FieldPathError(
      `'${text}' has ^ or $: kustomize would compare it with the value as the file writes it, quotes included`,
    );
  const pattern = parseNamePattern(text, 'anywhere');
  const matches = (value: Json | undefined): boolean =>
    value !== undefined && (typeof value !== 'object' || value === null) && pattern(String(value));
  return field === ''
    ? matches
    : (item) => isObject(item) && Object.hasOwn(item, field) && matches(item[field]);
}

function misfit(value: Json, wanted: string): FieldPathError {
  if (typeof value === 'string')
    return new FieldPathError(
      `it leads to ${wanted} of a text: changing YAML or JSON inside a text is left to kustomize itself`,
    );
  const shape = Array.isArray(value) ? 'a list' : isObject(value) ? 'a mapping' : JSON.stringify(value);
  return new FieldPathError(`it leads to ${wanted} of ${shape}`);
}
