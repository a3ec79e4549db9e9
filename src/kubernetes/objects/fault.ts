import { goJson, goNumber, type JsonValue } from './json.ts';
import type { Schema } from './schema.ts';

/** Path from a value to a part of it: names of fields and indices of items. */
export type ValuePath = readonly (string | number)[];

/** Rules that a value can violate: keywords of schemas, and additional checks. */
export type FaultRule =
  | keyof Schema
  | ('range' | 'bound' | 'factor')
  | ('set' | 'mapItem' | 'mapKey')
  | ('unknown' | 'null' | 'embedded' | 'unsafe');

/** A violation of a schema by a value. */
export interface Fault {
  readonly rule: FaultRule;
  readonly path: ValuePath;
  /** Path of the value, in the format of the API server. */
  readonly at: string;
  /** The value at the path. */
  readonly value: JsonValue;
  /** Value of the violated keyword. For a missing field it is the name of the field, for a duplicate item it is the item. */
  readonly limit: JsonValue;
  /** Value in the form that the API server shows; undefined if it equals `value`. */
  readonly shown?: JsonValue | undefined;
  /** Message of the API server. Several faults with the same message are reported once. */
  readonly text: string;
  /** True for a fault in a schema inside of `allOf`, `anyOf` or `oneOf`. Such a fault explains the fault of the outer keyword. */
  readonly isInBranch?: boolean;
}

/** Returns the value of the violated keyword as text. */
export function limitText({ limit }: Pick<Fault, 'limit'>): string {
  return typeof limit === 'string' ? limit : JSON.stringify(limit);
}

/** Rules whose violations the API server reports for the entire value, without the path of a field. */
const ofWhole: ReadonlySet<FaultRule> = new Set(['range', 'bound', 'anyOf', 'oneOf', 'allOf', 'not']);

type ErrorOf = (field: string, value: JsonValue, fault: Fault) => FieldError;

const tooManyOf: ErrorOf = (field, value, { limit }) => tooMany(field, Number(value), Number(limit));
const typeOf: ErrorOf = (field, value, { text }) => invalidType(field, value, text);
const duplicateOf: ErrorOf = (field, _value, { limit }) => duplicateValue(field, limit);

/** Functions that create errors, for rules whose error is not "invalid value". */
const errorOf: Partial<Record<FaultRule, ErrorOf>> = {
  required: (field) => required(field),
  enum: (field, value, { limit }) =>
    unsupportedValue(
      field,
      value,
      (limit as readonly JsonValue[]).map((each) => limitText({ limit: each })),
    ),
  maxLength: (field, _value, { limit }) => tooLong(field, Number(limit)),
  maxItems: tooManyOf,
  maxProperties: tooManyOf,
  type: typeOf,
  format: typeOf,
  set: duplicateOf,
  mapKey: duplicateOf,
};

/**
 * Converts a fault to the error that the API server reports.
 * Source: apiextensions-apiserver `pkg/apiserver/validation/validation.go` `kubeOpenAPIResultToFieldErrors`.
 *
 * @param prefix path of the field that contains the checked value
 */
export function fieldErrorOf(fault: Fault, prefix = ''): FieldError {
  const { rule, at, value, shown = value, text } = fault;
  if (ofWhole.has(rule)) return invalidValue(prefix === '' ? wholeObject : prefix, '', text);
  const own = at.replace(/^\./, '');
  const field = [prefix, own].filter((part) => part !== '').join('.') || wholeObject;
  return errorOf[rule]?.(field, shown, fault) ?? invalidValue(field, shown, text);
}

/** Error about one field. Source: apimachinery `field.Error`. */
export interface FieldError {
  readonly type: string;
  /** The path of the field, such as `spec.ports[0].name`; `<nil>` for the entire object. */
  readonly field: string;
  /** Message of the error, without the path of the field. */
  readonly body: string;
}

/** Path of errors about the entire object, because Go prints a nil path as this text. */
export const wholeObject = '<nil>';

function fieldError(
  type: string,
  title: string,
  field: string,
  value: JsonValue | undefined,
  detail: string,
): FieldError {
  const shown = value === undefined ? title : `${title}: ${shownValue(value)}`;
  return { type, field, body: detail === '' ? shown : `${shown}: ${detail}` };
}

function shownValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goNumber(value);
  return typeof value === 'object' ? goJson(value) : String(value);
}

/** Formats a text like Go's `%q`. */
function goQuote(text: string): string {
  return JSON.stringify(text);
}

export const required = (field: string, detail = ''): FieldError =>
  fieldError('FieldValueRequired', 'Required value', field, undefined, detail);
export const invalidValue = (field: string, value: JsonValue, detail: string): FieldError =>
  fieldError('FieldValueInvalid', 'Invalid value', field, value, detail);
export const invalidType = (field: string, value: JsonValue, detail: string): FieldError =>
  fieldError('FieldValueTypeInvalid', 'Invalid value', field, value, detail);
export const duplicateValue = (field: string, value: JsonValue): FieldError =>
  fieldError('FieldValueDuplicate', 'Duplicate value', field, value, '');
export const forbiddenValue = (field: string, detail: string): FieldError =>
  fieldError('FieldValueForbidden', 'Forbidden', field, undefined, detail);

export function unsupportedValue(field: string, value: JsonValue, supported: readonly string[]): FieldError {
  const names = supported.map(goQuote).join(', ');
  const detail = supported.length === 0 ? '' : `supported values: ${names}`;
  return fieldError('FieldValueNotSupported', 'Unsupported value', field, value, detail);
}

export function tooLong(field: string, most: number): FieldError {
  const detail = `may not be more than ${most} ${most === 1 ? 'byte' : 'bytes'}`;
  return fieldError('FieldValueTooLong', 'Too long', field, undefined, detail);
}

function tooMany(field: string, actual: number, most: number): FieldError {
  const detail = `must have at most ${most} ${most === 1 ? 'item' : 'items'}`;
  return fieldError('FieldValueTooMany', 'Too many', field, actual, detail);
}
