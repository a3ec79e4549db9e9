import { parseNamePattern } from '../select/selector.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import type { Holder } from '../resource.ts';
import { setOwnField } from '../../../base/util/json-map.ts';

/** Shape of a field that is created. A field with shape `scalar` gets its value afterwards. */
export type NewField = 'scalar' | 'mapping' | 'list';

/**
 * Returns all fields and items that match the path of a target.
 *
 * @param create if given, missing fields and items on the path are created; the value is the shape of the last field or item
 * @returns an empty list if the path does not exist
 * @throws FieldPathError if the path contradicts the shape of the object
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
    throw new FieldPathError('a field on the path is null: give it a value in the resource');
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
        throw new FieldPathError(
          `the item with index ${step.index} does not exist: the length of the list is ${root.length}`,
        );
      if (created !== undefined && step.index === root.length) root.push(created);
      return further(slot, rest, create);
    }
    case 'every':
      if (!Array.isArray(root)) throw misfit(root, 'every item');
      return root.flatMap((_item, index) => further(itemSlot(root, index), rest, create));
    case 'match': {
      if (!Array.isArray(root)) throw misfit(root, `an item with ${step.field}`);
      if (step.field === '' && rest.length > 0)
        throw new FieldPathError(`the path goes on after [=${step.text}], which kustomize ignores`);
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

/**
 * Returns the empty list or mapping to create for a missing field or item. The next step of the path determines the shape. Returns
 * undefined for a scalar, which gets its value afterwards.
 */
function newContainer(next: PathStep | undefined, last: NewField): Json[] | JsonObject | undefined {
  const shape =
    next === undefined ? last : next.kind === 'index' || next.kind === 'match' ? 'list' : 'mapping';
  if (shape === 'scalar') return undefined;
  return shape === 'list' ? [] : {};
}

/**
 * Returns a function that tests if a step of a path matches a list item. The text of the step is a regular expression that may match any
 * part of the value.
 */
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
      `the path leads to ${wanted} inside a text: op-sdk does not change YAML or JSON inside a text, only kustomize does`,
    );
  const shape = Array.isArray(value) ? 'a list' : isObject(value) ? 'a mapping' : JSON.stringify(value);
  return new FieldPathError(`the path leads to ${wanted}, but the value there is ${shape}`);
}

/**
 * Converts a text to the value of a new field.
 *
 * @throws FieldPathError for a text that YAML 1.1 and 1.2 read differently, or as a date
 */
export function plainScalar(text: string): Json {
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^-?(?:0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  if (/^-?(?:0|[1-9]\d{0,14})\.\d{1,15}$/.test(text)) return Number(text);
  const isNull = /^(?:|~|null|Null|NULL)$/.test(text);
  const isNumber = text.trim() === text && Number.isFinite(Number(text.replaceAll('_', '')));
  const isSpecial = /^[-+]?\.(?:inf|nan)$/i.test(text) || /^[-+]?0[xob][\da-f_]+$/i.test(text);
  const isDate = /^\d{4}-\d\d?-\d\d?(?:$|[Tt ])/.test(text);
  if (isNull || isNumber || isSpecial || isDate)
    throw new FieldPathError(
      `kustomize would write ${JSON.stringify(text)} without quotes, which YAML does not read as a text: give the field a value of the intended type in the resource`,
    );
  return text;
}

/** Position in an object where a value can be read and written. */
export interface Slot {
  /** Returns the present value; undefined for a field that the replacement creates. */
  get(): Json | undefined;
  set(value: Json): void;
  /** Mapping and key of the field; undefined for an item of a list. */
  readonly holder?: Holder;
}

export function fieldSlot(object: JsonObject, name: string): Slot {
  return {
    get: () => (Object.hasOwn(object, name) ? object[name] : undefined),
    set: (value) => setOwnField(object, name, value),
    holder: { mapping: object, key: name },
  };
}

export function itemSlot(list: Json[], index: number): Slot {
  return {
    get: () => list[index],
    set: (value) => {
      list[index] = value;
    },
  };
}

/** Step of a path such as `spec.containers.[name=manager].args.0`. */
export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  /** `*`: every item of a list. */
  | { readonly kind: 'every' }
  /** `[field=text]`: the items whose field matches; the item itself, a scalar, if the field is empty. */
  | { readonly kind: 'match'; readonly field: string; readonly text: string };

/** Thrown if a replacement cannot use a path, or the value to which the path leads. */
export class FieldPathError extends Error {}

/**
 * Parses a path of a replacement. A dot in a name is written as `\.`, or the name is written in brackets:
 * `metadata.annotations.[cert-manager.io/inject-ca-from]`.
 *
 * @throws FieldPathError if the path is not valid
 */
export function parseFieldPath(path: string): readonly PathStep[] {
  const steps = splitPath(path).map((part): PathStep => {
    if (part === '') throw new FieldPathError('a part of it is empty');
    if (part === '*') return { kind: 'every' };
    if (/^[+-]?\d+$/.test(part) && Number(part) >= 0) return { kind: 'index', index: Number(part) };
    if (!part.startsWith('[') || !part.endsWith(']')) return { kind: 'field', name: part };
    const [, field, text] = /^\[([^=]*)=(.*)\]$/s.exec(part) ?? [];
    if (field === undefined || text === undefined)
      throw new FieldPathError(`${part} has no '='; brackets are for names with dots, and for [name=value]`);
    return { kind: 'match', field, text };
  });
  return steps;
}

/** Splits a path at its dots. Source: `kyaml/utils/pathsplitter.go`, SmarterPathSplitter. */
function splitPath(path: string): readonly string[] {
  const parts = splitAtDots(path);
  const result: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    let part = parts[index] ?? '';
    if (part.startsWith('[') && !part.endsWith(']')) {
      while (index < parts.length - 1 && !part.endsWith(']')) part += `.${parts[++index] ?? ''}`;
      if (!part.includes('=')) part = part.replace(/^[[\]]+|[[\]]+$/g, '');
    }
    result.push(part);
  }
  return result;
}

function splitAtDots(path: string): readonly string[] {
  const parts = path.split('.');
  if (parts.length > 1 && parts[0] === '') parts.shift();
  const result: string[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.endsWith('\\') === true) result[result.length - 1] = `${last.slice(0, -1)}.${part}`;
    else result.push(part);
  }
  return result;
}
