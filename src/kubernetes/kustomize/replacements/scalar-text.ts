import { FieldPathError } from './field-path.ts';
import type { Json } from '../resource.ts';

/**
 * kustomize moves the text of scalars, as YAML writes them: an existing field keeps its type, a new one gets the type that
 * its text has in YAML.
 */

/** The text of a scalar; undefined for lists and mappings. */
export function scalarText(value: Json): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new FieldPathError(`${value} may be written in several ways: make it a string`);
  return String(value);
}

/**
 * The value of a new field.
 *
 * @throws FieldPathError for texts that YAML 1.1 and 1.2 read differently, or as dates
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
      `kustomize would write ${JSON.stringify(text)} without quotes, which YAML does not read as a text: give the field a value in the resource, of the type that it is to have`,
    );
  return text;
}

/**
 * The value of an existing field, which keeps its type.
 *
 * @throws FieldPathError if the text is none of the type
 */
export function scalarLike(present: string | number | boolean, text: string): Json {
  if (typeof present === 'string') return text;
  const value = plainScalar(text);
  const fits = typeof value === typeof present && !(Number.isInteger(present) && !Number.isInteger(value));
  if (fits) return value;
  throw new FieldPathError(
    `expected a ${typeof present} to replace ${JSON.stringify(present)}, got ${JSON.stringify(text)}`,
  );
}
