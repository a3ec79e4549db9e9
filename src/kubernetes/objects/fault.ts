import { goJson, goNumber, type JsonValue } from './json.ts';
import type { Schema } from './schema.ts';

/** A way into a value: names of fields and indexes of items. */
export type ValuePath = readonly (string | number)[];

/** Rules that a value can break: keywords of schemas, and additional checks. */
export type FaultRule =
  | keyof Schema
  | ('range' | 'bound' | 'factor')
  | ('set' | 'mapItem' | 'mapKey')
  | ('unknown' | 'null' | 'embedded' | 'unsafe');

/** A violation of a schema by a value. */
export interface Fault {
  readonly rule: FaultRule;
  readonly path: ValuePath;
  /** The path as the API server writes it. */
  readonly at: string;
  /** The value at the path. */
  readonly value: JsonValue;
  /** The value of the broken keyword. For a missing field this is its name, for a repeated item it is the item. */
  readonly limit: JsonValue;
  /** The value as the API server shows it; absent if it equals `value`. */
  readonly shown?: JsonValue | undefined;
  /** Message of the API server. Faults with the same message are reported once. */
  readonly text: string;
  /** True for a fault inside of `allOf`, `anyOf` or `oneOf`, which explains another fault. */
  readonly isInBranch?: boolean;
}

/** Returns the value of the broken keyword as text. */
export function limitText({ limit }: Pick<Fault, 'limit'>): string {
  return typeof limit === 'string' ? limit : JSON.stringify(limit);
}

/** Rules whose faults the API server reports without a field. */
const ofWhole: ReadonlySet<FaultRule> = new Set(['range', 'bound', 'anyOf', 'oneOf', 'allOf', 'not']);

type ErrorOf = (field: string, value: JsonValue, fault: Fault) => FieldError;

const tooManyOf: ErrorOf = (field, value, { limit }) => tooMany(field, Number(value), Number(limit));
const typeOf: ErrorOf = (field, value, { text }) => invalidType(field, value, text);
const duplicateOf: ErrorOf = (field, _value, { limit }) => duplicateValue(field, limit);

/** Constructors of errors other than "invalid value". */
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
 * @param prefix the field that contains the judged value
 */
export function fieldErrorOf(fault: Fault, prefix = ''): FieldError {
  const { rule, at, value, shown = value, text } = fault;
  if (ofWhole.has(rule)) return invalidValue(prefix === '' ? wholeObject : prefix, '', text);
  const own = at.replace(/^\./, '');
  const field = [prefix, own].filter((part) => part !== '').join('.') || wholeObject;
  return errorOf[rule]?.(field, shown, fault) ?? invalidValue(field, shown, text);
}

/** An error of one field. Source: apimachinery `field.Error`. */
export interface FieldError {
  readonly type: string;
  /** The path of the field, such as `spec.ports[0].name`; `<nil>` for the entire object. */
  readonly field: string;
  /** The message, without the field. */
  readonly body: string;
}

/** The field of errors about the entire object. Go prints a nil path like this. */
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

/** A text as Go prints it by `%q`. */
function goQuote(text: string): string {
  return JSON.stringify(text);
}

export const required = (field: string, detail = ''): FieldError =>
  fieldError('FieldValueRequired', 'Required value', field, undefined, detail);
export const invalidValue = (field: string, value: JsonValue, detail: string): FieldError =>
  fieldError('FieldValueInvalid', 'Invalid value', field, value, detail);
export const invalidType = (field: string, value: JsonValue, detail: string): FieldError =>
  fieldError('FieldValueTypeInvalid', 'Invalid value', field, value, detail);
const duplicateValue = (field: string, value: JsonValue): FieldError =>
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
