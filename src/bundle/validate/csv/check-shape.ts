import { closestName } from '../../../util/closest-name.ts';
import { isJsonMap } from '../../../util/json-map.ts';
import { fieldName } from '../fields.ts';
import type { BundleObject, Check, FieldPath, Report } from '../types.ts';
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

const versions: ReadonlySet<unknown> = new Set(['version', 'release', 'minKubeVersion']);

/**
 * The fields of the ClusterServiceVersion: those that must be there, values of the right type, no fields that OLM does not
 * know and would drop.
 */
export const checkShape: Check = ({ csv }, report) => {
  if (csv === undefined) return;
  const { spec } = csv.value;
  if (spec === undefined || spec === null) {
    report.error('bundle/missing-field', [csv, []], 'the ClusterServiceVersion has no spec', 'write it');
    return;
  }
  check(csv, ['spec'], spec, csvSpec, report);
};

function check(csv: BundleObject, path: FieldPath, value: unknown, shape: Shape, report: Report): void {
  // OLM's own types take null for a field that is not there.
  if (value === null || value === undefined) return;
  if (!fits(value, shape)) {
    const message = `${fieldName(path)} is ${short(value)}; it must be ${words[shape.form]}`;
    const asText = typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
    const isQuotable = shape.form === 'text' && asText !== undefined;
    const fix = isQuotable ? `write it in quotes: ${JSON.stringify(asText)}` : 'correct its form';
    // Go turns other scalars into texts where it reads the folder; a number is not a version even then.
    const isWarning = isQuotable && !versions.has(path.at(-1));
    report[isWarning ? 'warn' : 'error']('bundle/invalid-field', [csv, path], message, fix);
    return;
  }
  if (shape.form === 'list') {
    for (const [index, item] of (value as readonly unknown[]).entries())
      check(csv, [...path, index], item, shape.items, report);
  } else if (shape.form === 'object' && isJsonMap(value)) {
    checkFields(csv, path, value, shape, report);
  }
}

function checkFields(
  csv: BundleObject,
  path: FieldPath,
  value: Readonly<Record<string, unknown>>,
  shape: ObjectShape,
  report: Report,
): void {
  const names = Object.keys(shape.fields);
  for (const [name, item] of Object.entries(value)) {
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field !== undefined) {
      check(csv, [...path, name], item, field, report);
      continue;
    }
    const meant = closestName(name, names);
    report.warn(
      'bundle/unknown-field',
      [csv, [...path, name]],
      `${fieldName([...path, name])} is not a field of a ClusterServiceVersion; OLM drops it`,
      meant === undefined ? 'remove it' : `did you mean ${meant}?`,
    );
  }
  for (const name of shape.required) {
    const item = value[name];
    if (item !== undefined && item !== null && item !== '') continue;
    const message = `${fieldName([...path, name])} is ${item === '' ? 'empty' : 'missing'}`;
    // In the items of lists the API server wants the field, and takes an empty one.
    const isInList = path.some((key) => typeof key === 'number');
    report[item === '' && isInList ? 'warn' : 'error'](
      'bundle/missing-field',
      [csv, item === '' ? [...path, name] : path],
      message,
      `write ${name}`,
    );
  }
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
