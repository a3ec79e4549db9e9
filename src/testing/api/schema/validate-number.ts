import { invalidValue } from '../field-error.ts';
import type { Schema } from './schema.ts';
import { fieldProblem, ownError, type SchemaError } from './schema-error.ts';

/**
 * The errors of a number. The server holds whole numbers as 64-bit integers, and compares them with bounds that it cuts to whole numbers.
 * Source: kube-openapi `pkg/validation/validate/values.go`.
 */
export function numberErrors(value: number, schema: Schema, path: string): readonly SchemaError[] {
  const errors: SchemaError[] = [];
  const { minimum, maximum, multipleOf } = schema;
  const outOfRange = rangeError(value, schema, 'Checked', path);
  if (outOfRange !== undefined) errors.push(outOfRange);
  const fault = (text: string): void => {
    errors.push(fieldProblem(path, text, (field) => invalidValue(field, value, text)));
  };
  const isWhole = Number.isInteger(value);
  const cut = (bound: number): number => (isWhole ? Math.trunc(bound) : bound);
  /** The bound itself is not of the type: then numbers are compared as they are. */
  const bounded = (bound: number, name: string): number => {
    const unfit = rangeError(bound, schema, name, path);
    if (unfit === undefined) return cut(bound);
    errors.push(unfit);
    return bound;
  };
  if (multipleOf !== undefined) {
    const factor = bounded(multipleOf, 'MultipleOf');
    const quotient = value / factor;
    if (factor <= 0) fault(`factor MultipleOf declared for ${path} must be positive: ${factor}`);
    else if (Math.abs(quotient - Math.round(quotient)) > 1e-9 * Math.abs(quotient))
      fault(`${path} in body should be a multiple of ${factor}`);
  }
  if (minimum !== undefined) {
    const least = bounded(minimum, 'Minimum boundary');
    const exclusive = schema.exclusiveMinimum === true;
    if (value < least || (exclusive && value === least))
      fault(`${path} in body should be greater than ${exclusive ? '' : 'or equal to '}${least}`);
  }
  if (maximum !== undefined) {
    const most = bounded(maximum, 'Maximum boundary');
    const exclusive = schema.exclusiveMaximum === true;
    if (value > most || (exclusive && value === most))
      fault(`${path} in body should be less than ${exclusive ? '' : 'or equal to '}${most}`);
  }
  return errors;
}

function rangeError(value: number, schema: Schema, name: string, path: string): SchemaError | undefined {
  if (schema.type !== 'integer') {
    if (schema.format !== 'float' || Number.isFinite(Math.fround(value))) return undefined;
    return ownError(`${name} value must be of type number with format float in ${path}`);
  }
  const { format } = schema;
  const isInt32 = format === 'int32';
  const fits = Number.isInteger(value) && (!isInt32 || (value >= -(2 ** 31) && value < 2 ** 31));
  if (fits) return undefined;
  const kind = isInt32 || format === 'int64' ? `with format ${format}` : '(default format)';
  return ownError(`${name} value must be of type integer ${kind} in ${path}`);
}
