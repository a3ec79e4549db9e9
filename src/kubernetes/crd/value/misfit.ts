import { isDeepStrictEqual } from 'node:util';
import { isRecord, type JSONSchemaProps, type JsonValue } from '../json-schema-props.ts';
import { embeddedResourceProblem, resourceFields } from './embedded-resource.ts';
import { numberMisfit } from './number-misfit.ts';
import { patternMatches, patternProblem } from './re2.ts';
import { fitsFormat } from './string-formats.ts';

/**
 * Why the API server would refuse the value in an object; undefined if it would not. The defaults inside of it count as filled in. Knows
 * what a schema of a CRD can say; CEL rules are not evaluated.
 */
export function misfit(schema: JSONSchemaProps, value: JsonValue): string | undefined {
  return judge(schema, value, '', true);
}

/** Why the API server would refuse the value as the default of the schema: there, defaults inside of it are not filled in yet. */
export function defaultMisfit(schema: JSONSchemaProps, value: JsonValue): string | undefined {
  return judge(schema, value, '', false);
}

function judge(
  schema: JSONSchemaProps,
  value: JsonValue,
  path: string,
  filledIn: boolean,
): string | undefined {
  const at = path === '' ? '' : ` (at ${path})`;
  if (value === null) {
    if (schema.nullable !== true) return `null is not allowed${at}`;
    // The API server compares null with the values of an enumeration, also with null itself, and finds none; a whole default is exempt.
    const isCompared = (filledIn || path !== '') && (schema.enum ?? []).length > 0;
    return isCompared ? `null is none of the values of an enumeration${at}` : undefined;
  }
  const problem = valueMisfit(schema, value);
  if (problem !== undefined) return `${problem}${at}`;
  const judgePart: JudgePart = (part, item, place) => judge(part, item, place, filledIn);
  const inside = Array.isArray(value)
    ? listMisfit(schema, value as readonly JsonValue[], path, judgePart)
    : isRecord(value)
      ? (missingField(schema, value, path, filledIn) ?? objectMisfit(schema, value, path, judgePart))
      : undefined;
  if (inside !== undefined) return inside;
  const unmet = junctorMisfit(schema, value);
  return unmet === undefined ? undefined : `${unmet}${at}`;
}

/** Judges what is inside of a list or an object. */
type JudgePart = (schema: JSONSchemaProps, value: JsonValue, path: string) => string | undefined;

/** Checks the value itself, whatever is inside of it. */
function valueMisfit(schema: JSONSchemaProps, value: JsonValue): string | undefined {
  return kindMisfit(schema, value) ?? enumMisfit(schema, value) ?? scalarMisfit(schema, value);
}

function junctorMisfit(schema: JSONSchemaProps, value: JsonValue): string | undefined {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  if (!allOf.every((part) => conforms(part, value))) return `${show(value)} does not conform to all of allOf`;
  if (anyOf.length > 0 && !anyOf.some((part) => conforms(part, value)))
    return `${show(value)} conforms to none of anyOf`;
  const count = oneOf.filter((part) => conforms(part, value)).length;
  if (oneOf.length > 0 && count !== 1) return `${show(value)} conforms to ${count} of oneOf, and must to one`;
  return not !== undefined && conforms(not, value)
    ? `${show(value)} conforms to what \`not\` excludes`
    : undefined;
}

/** Inside of a junctor, a schema restricts values and says nothing of which fields there are. */
function conforms(schema: JSONSchemaProps, value: JsonValue): boolean {
  if (value === null) return schema.type === undefined || schema.nullable === true;
  if (valueMisfit(schema, value) !== undefined || junctorMisfit(schema, value) !== undefined) return false;
  const inside: JudgePart = (part, item) => (conforms(part, item) ? undefined : 'does not conform');
  if (Array.isArray(value))
    return listMisfit(schema, value as readonly JsonValue[], '', inside) === undefined;
  if (!isRecord(value)) return true;
  if (sizeMisfit(schema, value) !== undefined) return false;
  if ((schema.required ?? []).some((name) => !Object.hasOwn(value, name))) return false;
  // The API server reads over additionalProperties here.
  return Object.entries(value).every(([name, item]) => {
    const known = schema.properties?.[name];
    return known === undefined || conforms(known, item);
  });
}

function kindMisfit(schema: JSONSchemaProps, value: JsonValue): string | undefined {
  const isIntOrString = typeof value === 'string' || Number.isSafeInteger(value);
  if (schema['x-kubernetes-int-or-string'] === true && !isIntOrString)
    return `${show(value)} is neither an integer nor a string`;
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === schema.type ? undefined : `${show(value)} is not a ${schema.type}`;
    case 'integer':
      return Number.isSafeInteger(value)
        ? undefined
        : `${show(value)} is not an integer that JavaScript can hold`;
    case 'array':
      return Array.isArray(value) ? undefined : `${show(value)} is not a list`;
    case 'object':
      return isRecord(value) ? undefined : `${show(value)} is not an object`;
    case undefined:
    default:
      return undefined;
  }
}

function enumMisfit(schema: JSONSchemaProps, value: JsonValue): string | undefined {
  // An enumeration of nothing restricts nothing.
  if (schema.enum === undefined || schema.enum.length === 0) return undefined;
  if (schema.enum.some((item) => isDeepStrictEqual(item, value))) return undefined;
  return `${show(value)} is none of ${schema.enum.map(show).join(', ')}`;
}

function scalarMisfit(schema: JSONSchemaProps, value: JsonValue): string | undefined {
  if (typeof value === 'number') return numberMisfit(schema, value);
  return typeof value === 'string' ? stringMisfit(schema, value) : undefined;
}

function stringMisfit(schema: JSONSchemaProps, value: string): string | undefined {
  // Lengths count characters, not UTF-16 units. Source: kube-openapi `validation/validate/values.go`.
  const length = [...value].length;
  if (schema.minLength !== undefined && length < schema.minLength)
    return `${show(value)} is shorter than minLength`;
  if (schema.maxLength !== undefined && length > schema.maxLength)
    return `${show(value)} is longer than maxLength`;
  const { format, pattern } = schema;
  if (format !== undefined && !fitsFormat(format, value))
    return `${show(value)} is not of the format ${format}`;
  if (pattern === undefined || patternProblem(pattern) !== undefined || patternMatches(pattern, value))
    return undefined;
  return `${show(value)} does not match the pattern`;
}

function listMisfit(
  schema: JSONSchemaProps,
  value: readonly JsonValue[],
  path: string,
  judgePart: JudgePart,
): string | undefined {
  if (schema.minItems !== undefined && value.length < schema.minItems)
    return 'the list has fewer items than minItems';
  if (schema.maxItems !== undefined && value.length > schema.maxItems)
    return 'the list has more items than maxItems';
  if (schema['x-kubernetes-list-type'] === 'set' && new Set(value).size < value.length)
    return 'the set has an item twice';
  const { items } = schema;
  if (items === undefined) return undefined;
  return first(value, (item, index) => judgePart(items, item, `${path}[${index}]`));
}

function missingField(
  schema: JSONSchemaProps,
  value: Record<string, JsonValue>,
  path: string,
  filledIn: boolean,
): string | undefined {
  const missing = (schema.required ?? []).find(
    (name) => !Object.hasOwn(value, name) && !(filledIn && schema.properties?.[name]?.default !== undefined),
  );
  return missing === undefined
    ? undefined
    : `the required field ${path === '' ? '' : `${path}.`}${missing} is missing`;
}

function objectMisfit(
  schema: JSONSchemaProps,
  value: Record<string, JsonValue>,
  path: string,
  judgePart: JudgePart,
): string | undefined {
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  const problem = sizeMisfit(schema, value) ?? (isResource ? embeddedResourceProblem(value) : undefined);
  if (problem !== undefined) return path === '' ? problem : `${problem} (at ${path})`;
  return first(Object.entries(value), ([name, item]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const known = schema.properties?.[name] ?? schema.additionalProperties;
    if (typeof known === 'object') return judgePart(known, item, place);
    if (isResource && resourceFields.includes(name)) return undefined;
    const open = known ?? schema['x-kubernetes-preserve-unknown-fields'] === true;
    return open ? undefined : `unknown field ${place}`;
  });
}

function sizeMisfit(schema: JSONSchemaProps, value: Record<string, JsonValue>): string | undefined {
  const size = Object.keys(value).length;
  if (schema.minProperties !== undefined && size < schema.minProperties)
    return 'the object has fewer fields than minProperties';
  if (schema.maxProperties !== undefined && size > schema.maxProperties)
    return 'the object has more fields than maxProperties';
  return undefined;
}

function first<T>(
  items: readonly T[],
  check: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function show(value: JsonValue): string {
  return JSON.stringify(value);
}
