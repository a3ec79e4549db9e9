import type { Fault, FaultRule, ValuePath } from './fault.ts';
import { fitsInt64, goNumber, type JsonValue } from './json.ts';
import type { Schema } from './schema.ts';

interface NumberPlace {
  readonly path: ValuePath;
  readonly at: string;
  readonly branch: boolean;
}

/**
 * Returns the faults of a number. The API server stores integers with 64 bits, and truncates the bounds of a schema to integers before it
 * compares an integer with them. For example, 2 is not below an exclusive maximum of 2.75, because this maximum is truncated to 2. Source:
 * kube-openapi `pkg/validation/validate/values.go`, `validator.go` `numberValidator`.
 */
export function numberFaults(
  value: number,
  schema: Schema,
  { path, at, branch }: NumberPlace,
): readonly Fault[] {
  const faults: Fault[] = [];
  const add = (rule: FaultRule, limit: JsonValue, text: string, shown?: number): void => {
    faults.push({ rule, path, at, value, limit, shown, text, isInBranch: branch });
  };
  const checkRange = (number: number, rule: FaultRule, name: string): boolean => {
    const kind = outOfRange(number, schema);
    if (kind !== undefined)
      add(rule, rule === 'range' ? kind : number, `${name} value must be of type ${kind} in ${at}`);
    return kind === undefined;
  };
  checkRange(value, 'range', 'Checked');
  /** Returns the bound with which the value is compared: truncated, unless the bound exceeds the range of the schema's type. */
  const bounded = (bound: number, name: string): number =>
    checkRange(bound, 'bound', name) && fitsInt64(value) ? cutToInt64(bound) : bound;
  const { minimum, maximum, multipleOf } = schema;
  const named = (bound: number, written: number): string =>
    goNumber(bound, !fitsInt64(value) || outOfRange(written, schema) !== undefined);
  if (multipleOf !== undefined) {
    const factor = bounded(multipleOf, 'MultipleOf');
    const name = named(factor, multipleOf);
    if (factor <= 0)
      add('factor', multipleOf, `factor MultipleOf declared for ${at} must be positive: ${name}`, factor);
    else if (!isMultiple(value, factor, outOfRange(multipleOf, schema) === undefined))
      add('multipleOf', multipleOf, `${at} in body should be a multiple of ${name}`);
  }
  if (minimum !== undefined) {
    const least = bounded(minimum, 'Minimum boundary');
    const [isExclusive, than] = schema.exclusiveMinimum === true ? [true, ''] : [false, 'or equal to '];
    if (value < least || (isExclusive && value === least))
      add('minimum', minimum, `${at} in body should be greater than ${than}${named(least, minimum)}`);
  }
  if (maximum !== undefined) {
    const most = bounded(maximum, 'Maximum boundary');
    const [isExclusive, than] = schema.exclusiveMaximum === true ? [true, ''] : [false, 'or equal to '];
    if (value > most || (isExclusive && value === most))
      add('maximum', maximum, `${at} in body should be less than ${than}${named(most, maximum)}`);
  }
  return faults;
}

/** Returns the name of the schema's type if the number exceeds the range of this type; undefined if the number is within the range. */
function outOfRange(value: number, { type, format }: Schema): string | undefined {
  if (type === 'number' && format === 'float')
    return Number.isFinite(Math.fround(value)) ? undefined : 'number with format float';
  if (type !== 'integer') return undefined;
  const isInt32 = format === 'int32';
  if (fitsInt64(value) && (!isInt32 || (value >= -(2 ** 31) && value < 2 ** 31))) return undefined;
  return `integer ${isInt32 || format === 'int64' ? `with format ${format}` : '(default format)'}`;
}

function isMultiple(value: number, factor: number, asInt64: boolean): boolean {
  if (asInt64 && fitsInt64(value)) return value % factor === 0;
  return isAlmostInteger(factor < 1 ? (1 / factor) * value : value / factor);
}

/**
 * Truncates a bound to a 64-bit integer. A bound out of the 64-bit range, even a large positive one, becomes the smallest 64-bit integer.
 */
function cutToInt64(bound: number): number {
  return Math.abs(bound) < 2 ** 63 ? Math.trunc(bound) : -(2 ** 63);
}

/**
 * Returns true if a number is an integer, or so close to an integer that the API server accepts it as one. Source: go-openapi/swag
 * `IsFloat64AJSONInteger`.
 */
export function isAlmostInteger(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  // Negative numbers that are not exact integers are never accepted, because Go's conversion to an unsigned integer gives another value for
  // them.
  return value > 0 && Math.abs(value - whole) / (value + whole) < 1e-9;
}
