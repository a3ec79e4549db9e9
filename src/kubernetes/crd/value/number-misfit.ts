import type { JSONSchemaProps } from '../json-schema-props.ts';
import { numberRange } from './number-range.ts';

/**
 * Why the API server would refuse the number; undefined if it would not. It holds whole numbers as 64-bit integers and compares them
 * with bounds that it cuts to whole numbers too: 2 is not below an exclusive maximum of 2.75.
 * Source: kube-openapi `pkg/validation/validate/values.go` `MaximumNativeType`, `MultipleOfNativeType`, `IsValueValidAgainstRange`; measured.
 */
export function numberMisfit(schema: JSONSchemaProps, value: number): string | undefined {
  const range = numberRange(schema);
  if (value < range.least || value > range.greatest)
    return `${value} is not in the range of ${schema.format ?? 'the type'}`;
  const { minimum, maximum, multipleOf } = schema;
  if (schema.type === 'integer') {
    const fraction = [minimum, maximum, multipleOf].find(
      (bound) => bound !== undefined && !fitsInteger(bound),
    );
    if (fraction !== undefined) return `${value} is compared with ${fraction}, which is not an integer`;
  }
  const isWhole = fitsInteger(value);
  // What no such integer can hold becomes the least one.
  const cut = (bound: number): number =>
    !isWhole ? bound : Math.abs(bound) < 2 ** 63 ? Math.trunc(bound) : -(2 ** 63);
  if (minimum !== undefined) {
    const least = cut(minimum);
    if (value < least || (schema.exclusiveMinimum === true && value === least))
      return `${value} is less than the minimum`;
  }
  if (maximum !== undefined) {
    const most = cut(maximum);
    if (value > most || (schema.exclusiveMaximum === true && value === most))
      return `${value} is greater than the maximum`;
  }
  if (multipleOf === undefined) return undefined;
  const factor = cut(multipleOf);
  if (factor <= 0) return `${value} is compared with multipleOf ${multipleOf} as an integer, which is 0`;
  const isMultiple = isWhole ? value % factor === 0 : isAlmostInteger(value / factor);
  return isMultiple ? undefined : `${value} is not a multiple of ${multipleOf}`;
}

/** Returns true if the API server reads the number as a 64-bit integer. */
function fitsInteger(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** Source: go-openapi/swag `IsFloat64AJSONInteger`. */
function isAlmostInteger(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  return Math.abs(value - whole) / Math.min(Math.abs(value) + Math.abs(whole), Number.MAX_VALUE) < 1e-9;
}
