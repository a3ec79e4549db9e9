import { goJson, type Json } from './json.ts';

/** One field that breaks a rule. Source: apimachinery `field.Error`. */
export interface FieldError {
  readonly type: string;
  /** Such as `spec.ports[0].name`; `<nil>` for the whole object. */
  readonly field: string;
  /** The message, without the field. */
  readonly body: string;
}

/** The field of errors about the object as a whole: Go prints a nil path like this. */
export const wholeObject = '<nil>';

function fieldError(
  type: string,
  title: string,
  field: string,
  value: Json | undefined,
  detail: string,
): FieldError {
  const shown = value === undefined ? title : `${title}: ${shownValue(value)}`;
  return { type, field, body: detail === '' ? shown : `${shown}: ${detail}` };
}

function shownValue(value: Json): string {
  if (typeof value === 'string') return goQuote(value);
  return typeof value === 'object' ? goJson(value) : String(value);
}

/** A text as Go prints it by `%q`. */
export function goQuote(text: string): string {
  return JSON.stringify(text);
}

export const required = (field: string, detail = ''): FieldError =>
  fieldError('FieldValueRequired', 'Required value', field, undefined, detail);
export const invalidValue = (field: string, value: Json, detail: string): FieldError =>
  fieldError('FieldValueInvalid', 'Invalid value', field, value, detail);
export const invalidType = (field: string, value: Json, detail: string): FieldError =>
  fieldError('FieldValueTypeInvalid', 'Invalid value', field, value, detail);
export const duplicateValue = (field: string, value: Json): FieldError =>
  fieldError('FieldValueDuplicate', 'Duplicate value', field, value, '');
export const forbiddenValue = (field: string, detail: string): FieldError =>
  fieldError('FieldValueForbidden', 'Forbidden', field, undefined, detail);

export function unsupportedValue(field: string, value: Json, supported: readonly string[]): FieldError {
  const names = supported.map(goQuote).join(', ');
  const detail = supported.length === 0 ? '' : `supported values: ${names}`;
  return fieldError('FieldValueNotSupported', 'Unsupported value', field, value, detail);
}

export function tooLong(field: string, most: number): FieldError {
  const detail = `may not be more than ${most} ${most === 1 ? 'byte' : 'bytes'}`;
  return fieldError('FieldValueTooLong', 'Too long', field, undefined, detail);
}

export function tooMany(field: string, actual: number, most: number): FieldError {
  const detail = `must have at most ${most} ${most === 1 ? 'item' : 'items'}`;
  return fieldError('FieldValueTooMany', 'Too many', field, actual, detail);
}
