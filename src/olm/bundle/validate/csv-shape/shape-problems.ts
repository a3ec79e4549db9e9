import { closestName } from '../../../../base/util/terminal-words.ts';
import { isJsonMap } from '../../../../base/util/json-map.ts';
import { fieldName } from '../fields.ts';
import type { BundleObject, FieldPath } from '../types.ts';
import { csvSpec, type Shape } from './shape.ts';

type ObjectShape = Extract<Shape, { form: 'object' }>;

const words = {
  text: 'text',
  boolean: 'true or false',
  integer: 'an integer',
  port: 'a port: an integer or a name',
  map: 'a mapping',
  texts: 'a mapping of texts',
  list: 'a list',
  object: 'a mapping',
  any: 'a value',
} as const;

/** Fields of a ClusterServiceVersion whose Go types have their own decoders. These decoders accept only strings. */
const unread: ReadonlySet<unknown> = new Set(['version', 'release']);

/** A difference between a ClusterServiceVersion and the type by which OLM decodes it. */
interface ShapeProblem {
  /**
   * Kind of the difference. `type`: a value of the wrong type. `unknown`: a field that OLM drops. `missing`: a list item that lacks a
   * required field. `empty`: a list item whose required field is empty.
   */
  readonly kind: 'type' | 'unknown' | 'missing' | 'empty';
  readonly path: FieldPath;
  readonly message: string;
  readonly fix: string;
  /** True if Go can read the value despite the difference. Where Go expects text, it converts numbers and booleans to text. */
  readonly isReadable: boolean;
}

const found = new WeakMap<BundleObject, readonly ShapeProblem[]>();

/**
 * Returns the differences between a ClusterServiceVersion and the shape that OLM expects: wrong types, unknown fields, and missing or empty
 * required fields of list items.
 */
export function shapeProblems(csv: BundleObject): readonly ShapeProblem[] {
  const known = found.get(csv);
  if (known !== undefined) return known;
  const problems: ShapeProblem[] = [];
  check(['spec'], csv.value['spec'], csvSpec, problems);
  found.set(csv, problems);
  return problems;
}

function check(path: FieldPath, value: unknown, shape: Shape, problems: ShapeProblem[]): void {
  // OLM's types treat null as an absent field.
  if (value === null || value === undefined) return;
  if (!fits(value, shape)) {
    const message = `${fieldName(path)} is ${short(value)}; it must be ${words[shape.form]}`;
    const asText = typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
    const isQuotable = shape.form === 'text' && asText !== undefined;
    const fix = isQuotable ? `write it in quotes: ${JSON.stringify(asText)}` : 'correct its form';
    const isReadable = isQuotable ? !unread.has(path.at(-1)) : shape.form === 'texts' && isScalarMap(value);
    problems.push({ kind: 'type', path, message, fix, isReadable });
    return;
  }
  if (shape.form === 'list') {
    for (const [index, item] of (value as readonly unknown[]).entries())
      check([...path, index], item, shape.items, problems);
  } else if (shape.form === 'object' && isJsonMap(value)) {
    checkFields(path, value, shape, problems);
  }
}

function checkFields(
  path: FieldPath,
  value: Readonly<Record<string, unknown>>,
  shape: ObjectShape,
  problems: ShapeProblem[],
): void {
  for (const [name, item] of Object.entries(value)) {
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field !== undefined) {
      check([...path, name], item, field, problems);
      continue;
    }
    const meant = closestName(name, Object.keys(shape.fields));
    problems.push({
      kind: 'unknown',
      path: [...path, name],
      message: `${fieldName([...path, name])} is not a field of a ClusterServiceVersion; OLM drops it`,
      fix: meant === undefined ? 'remove it' : `did you mean ${meant}?`,
      isReadable: true,
    });
  }
  // Check required fields only inside lists. Outside lists, the validator `csv` checks them.
  if (!path.some((key) => typeof key === 'number')) return;
  for (const name of shape.required) {
    const item = value[name];
    if (item !== undefined && item !== null && item !== '') continue;
    const isEmpty = item === '';
    problems.push({
      kind: isEmpty ? 'empty' : 'missing',
      path: isEmpty ? [...path, name] : path,
      message: `${fieldName([...path, name])} is ${isEmpty ? 'empty' : 'missing'}`,
      fix: `write ${name}`,
      isReadable: true,
    });
  }
}

function isScalarMap(value: unknown): boolean {
  return isJsonMap(value) && Object.values(value).every((item) => typeof item !== 'object');
}

function fits(value: unknown, shape: Shape): boolean {
  switch (shape.form) {
    case 'text':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isInteger(value);
    case 'port':
      return Number.isInteger(value) || typeof value === 'string';
    case 'list':
      return Array.isArray(value);
    case 'map':
    case 'object':
      return isJsonMap(value);
    case 'texts':
      return isJsonMap(value) && Object.values(value).every((item) => typeof item === 'string');
    case 'any':
      return true;
  }
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
