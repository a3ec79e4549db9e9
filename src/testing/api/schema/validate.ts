import { RE2JS } from 're2js';
import { fitsFormat, isKnownFormat } from '../../../kubernetes/crd/value/string-formats.ts';
import { equal, isJsonObject, type Json, type JsonObject } from '../json.ts';
import {
  invalidType,
  invalidValue,
  required,
  tooLong,
  tooMany,
  unsupportedValue,
  type FieldError,
} from '../field-error.ts';
import { fieldProblem, ownError, type SchemaError } from './schema-error.ts';
import { numberErrors } from './validate-number.ts';
import { fieldSchema, valueSchema, type Schema } from './schema.ts';

export interface Verdict {
  readonly errors: readonly SchemaError[];
  /** Score of how well the value fits: of several alternatives, the errors of the one with the best score are reported. */
  readonly matches: number;
}

export interface Ratchet {
  /** The value of the field before the update; undefined if it is unknown. */
  readonly before: Json | undefined;
}

class Result {
  readonly errors: SchemaError[] = [];
  matches = 0;

  add(...errors: readonly SchemaError[]): void {
    for (const error of errors)
      if (!this.errors.some(({ text }) => text === error.text)) this.errors.push(error);
  }

  merge(other: Verdict): void {
    this.add(...other.errors);
    this.matches += other.matches;
  }
}

/**
 * Judges a value by a schema of OpenAPI v3 as the server does, with its messages and its order of preference among alternatives.
 *
 * @param ratchet on an update: what has not changed is not an error
 *
 * Source: kube-openapi `pkg/validation/validate`; apiextensions-apiserver `pkg/apiserver/validation/ratcheting.go`.
 */
export function validate(value: Json, schema: Schema, path = '', ratchet?: Ratchet): Verdict {
  const result = new Result();
  if (value === null) {
    result.merge(typeVerdict(value, schema, path));
    result.add(...enumErrors(value, schema, path));
  } else {
    if (typesOf(schema).length > 0 || schema.format !== undefined) {
      result.merge(typeVerdict(value, schema, path));
      result.matches += 1;
    }
    result.merge(junctors(value, schema, path));
    result.matches += 1;
    if (typeof value === 'string') {
      result.add(...stringErrors(value, schema, path));
      result.matches += 1;
      if (schema.format !== undefined && isKnownFormat(schema.format)) {
        if (!fitsFormat(schema.format, value)) result.add(typeError(path, schema.format, value));
        result.matches += 1;
      }
    }
    if (typeof value === 'number') {
      result.add(...numberErrors(value, schema, path));
      result.matches += 2;
    }
    if (Array.isArray(value)) {
      result.merge(listVerdict(value, schema, path, ratchet));
      result.matches += 1;
    }
    result.add(...enumErrors(value, schema, path));
    result.matches += 1;
    if (isJsonObject(value)) {
      result.merge(objectVerdict(value, schema, path, ratchet));
      result.matches += 1;
    }
    result.matches += 1;
  }
  const isUnchanged = ratchet?.before !== undefined && equal(ratchet.before, value);
  return isUnchanged ? { errors: [], matches: result.matches } : result;
}

/** As errors of fields. @param prefix the field that the value is in */
export function schemaErrors(
  value: Json,
  schema: Schema,
  prefix: string,
  ratchet?: Ratchet,
): readonly FieldError[] {
  return validate(value, schema, '', ratchet).errors.map((error) => error.toFieldError(prefix));
}

function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined ? [] : [schema.type];
}

export function typeError(path: string, expected: string, found: Json): SchemaError {
  const data = typeof found === 'string' ? `: ${JSON.stringify(found)}` : '';
  const text = `${path} in body must be of type ${expected}${data}`;
  return fieldProblem(path, text, (field) => invalidType(field, found, text));
}

function nameOfType(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function typeVerdict(value: Json, schema: Schema, path: string): Verdict {
  const types = typesOf(schema);
  const none = { errors: [], matches: 1 };
  const found = nameOfType(value);
  if (value === null)
    return types.length > 0 && schema.nullable !== true
      ? { errors: [typeError(path, types.join(','), found)], matches: 0 }
      : none;
  const numeric = types.includes('number') || types.includes('integer');
  const fits = types.includes(found) || (found === 'integer' && types.includes('number'));
  if (typeof value !== 'string' && !Array.isArray(value) && schema.format !== undefined && !fits)
    return { errors: [typeError(path, schema.format, goFormat(value))], matches: 0 };
  if (!numeric && schema.format !== undefined && (typeof value === 'string' || Array.isArray(value)))
    return none;
  return fits ? none : { errors: [typeError(path, types.join(','), found)], matches: 0 };
}

/** The format of a value in the server's messages. */
const goFormat = (value: Json): string =>
  typeof value === 'number' ? (Number.isInteger(value) ? 'int64' : 'float64') : '';

function enumErrors(value: Json, { enum: values = [] }: Schema, path: string): readonly SchemaError[] {
  if (values.length === 0 || values.some((each) => value !== null && equal(each as Json, value))) return [];
  const names = values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  const text = `${path} in body should be one of [${names.join(' ')}]`;
  return [fieldProblem(path, text, (field) => unsupportedValue(field, value, names))];
}

function stringErrors(value: string, schema: Schema, path: string): readonly SchemaError[] {
  const { minLength, maxLength, pattern } = schema;
  const length = [...value].length;
  if (maxLength !== undefined && length > maxLength)
    return [
      fieldProblem(path, `${path} in body should be at most ${maxLength} chars long`, (field) =>
        tooLong(field, maxLength),
      ),
    ];
  const fault = (text: string): readonly SchemaError[] => [
    fieldProblem(path, text, (field) => invalidValue(field, value, text)),
  ];
  if (minLength !== undefined && length < minLength)
    return fault(`${path} in body should be at least ${minLength} chars long`);
  if (pattern === undefined || pattern === '' || matchesPattern(pattern, value)) return [];
  return fault(`${path} in body should match '${pattern}'`);
}

const compiled = new Map<string, RE2JS>();

function matchesPattern(pattern: string, text: string): boolean {
  const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
  compiled.set(pattern, known);
  return known.matcher(text).find();
}

function listVerdict(
  value: readonly Json[],
  schema: Schema,
  path: string,
  ratchet: Ratchet | undefined,
): Verdict {
  const result = new Result();
  const { items, minItems, maxItems, uniqueItems } = schema;
  if (items !== undefined) {
    const before = beforeOfItems(value, schema, ratchet);
    for (const [index, item] of value.entries())
      result.merge(validate(item, items, `${path}[${index}]`, before?.[index]));
  }
  if (minItems !== undefined && value.length < minItems) {
    const text = `${path} in body should have at least ${minItems} items`;
    result.add(fieldProblem(path, text, (field) => invalidValue(field, value.length, text)));
  }
  if (maxItems !== undefined && value.length > maxItems) {
    const text = `${path} in body should have at most ${maxItems} items`;
    result.add(fieldProblem(path, text, (field) => tooMany(field, value.length, maxItems)));
  }
  if (
    uniqueItems === true &&
    value.some((item, index) => value.slice(0, index).some((other) => equal(item, other)))
  ) {
    const text = `${path} in body shouldn't contain duplicates`;
    result.add(fieldProblem(path, text, (field) => invalidValue(field, '', text)));
  }
  result.matches += 1;
  return result;
}

/** Items of a list of type map are compared by their keys; those of other lists only with the whole list. */
function beforeOfItems(
  value: readonly Json[],
  schema: Schema,
  ratchet: Ratchet | undefined,
): readonly (Ratchet | undefined)[] | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  const { before } = ratchet ?? {};
  if (schema['x-kubernetes-list-type'] !== 'map' || keys === undefined || !Array.isArray(before))
    return undefined;
  const keyOf = (item: Json): string =>
    JSON.stringify(keys.map((key) => (isJsonObject(item) ? (item[key] ?? null) : null)));
  const known = new Map(before.map((item) => [keyOf(item), item]));
  return value.map((item) => ({ before: known.get(keyOf(item)) }));
}

function objectVerdict(
  value: JsonObject,
  schema: Schema,
  path: string,
  ratchet: Ratchet | undefined,
): Verdict {
  const result = new Result();
  const { minProperties, maxProperties } = schema;
  const size = Object.keys(value).length;
  if (minProperties !== undefined && size < minProperties) {
    const text = `${path} in body should have at least ${minProperties} properties`;
    result.add(fieldProblem(path, text, (field) => invalidValue(field, size, text)));
  }
  if (maxProperties !== undefined && size > maxProperties) {
    const text = `${path} in body should have at most ${maxProperties} properties`;
    result.add(fieldProblem(path, text, (field) => tooMany(field, size, maxProperties)));
  }
  const before = isJsonObject(ratchet?.before) ? ratchet.before : undefined;
  const values = valueSchema(schema);
  for (const [name, item] of Object.entries(value)) {
    const property = fieldSchema(schema, name);
    const inner = property ?? values;
    if (inner === undefined) continue;
    const at = path === '' && property !== undefined ? name : `${path}.${name}`;
    const isTypeMeta = path === '' && (name === 'kind' || name === 'apiVersion');
    result.merge(
      validate(item, inner, at, before === undefined || isTypeMeta ? undefined : { before: before[name] }),
    );
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    const at = `${path}.${name}`;
    result.add(fieldProblem(at, `${at} in body is required`, (field) => required(field)));
  }
  return result;
}

/** `allOf`, `anyOf`, `oneOf` and `not`. */
function junctors(value: Json, schema: Schema, path: string): Verdict {
  const result = new Result();
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const verdictsOf = (parts: readonly unknown[]): readonly Verdict[] =>
    parts.map((part) => validate(value, part as Schema, path));
  if (anyOf.length > 0) {
    const { best, first } = chosen(verdictsOf(anyOf), true);
    if (first === undefined)
      result.add(ownError(`${JSON.stringify(path)} must validate at least one schema (anyOf)`));
    result.merge(first ?? best);
  }
  if (oneOf.length > 0) {
    const { best, first, fitting } = chosen(verdictsOf(oneOf), false);
    if (fitting !== 1 || first === undefined) {
      const found = fitting === 0 ? 'Found none valid' : `Found ${fitting} valid alternatives`;
      result.add(ownError(`${JSON.stringify(path)} must validate one and only one schema (oneOf). ${found}`));
      if (fitting === 0) result.merge(best);
    } else {
      result.merge(first);
    }
  }
  if (allOf.length > 0) {
    const verdicts = verdictsOf(allOf);
    const fitting = verdicts.filter(({ errors }) => errors.length === 0).length;
    for (const verdict of verdicts) result.merge(verdict);
    if (fitting < allOf.length) {
      const more = fitting === 0 ? '. None validated' : '';
      result.add(ownError(`${JSON.stringify(path)} must validate all the schemas (allOf)${more}`));
    }
  }
  if (not !== undefined && validate(value, not, path).errors.length === 0)
    result.add(ownError(`${JSON.stringify(path)} must not validate the schema (not)`));
  result.matches += 1;
  return result;
}

/** The first that fits, and of those that do not the one that fits best. */
function chosen(
  verdicts: readonly Verdict[],
  stop: boolean,
): { readonly best: Verdict; readonly first: Verdict | undefined; readonly fitting: number } {
  let best: Verdict | undefined;
  let first: Verdict | undefined;
  let fitting = 0;
  for (const verdict of verdicts) {
    if (verdict.errors.length === 0) {
      fitting += 1;
      first ??= verdict;
      if (stop) break;
    } else if (best === undefined || verdict.matches > best.matches) best = verdict;
  }
  return { best: best ?? { errors: [], matches: 0 }, first, fitting };
}
