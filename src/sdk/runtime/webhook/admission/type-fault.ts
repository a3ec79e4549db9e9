import { isJsonMap, jsonListOf, jsonMapOf, type JsonMap } from '../../../../base/util/json-map.ts';

/** A part of an OpenAPI v3 document. */
export type OpenApiSchema = JsonMap;

/** Finds the schema that a `$ref` names. */
export type ResolveReference = (reference: string) => OpenApiSchema | undefined;

/** Deeper than any object is. */
const DEEPEST = 100;

/**
 * The first field whose value has another type than the schema says. What is missing, unknown or outside its limits does not count.
 *
 * @returns its path, such as `.spec.size`; undefined if all types are right, as far as the schema says
 */
export function typeFault(
  schema: OpenApiSchema,
  value: unknown,
  resolve: ResolveReference,
): string | undefined {
  return visit(schema, value, '', 0);

  function visit(given: OpenApiSchema, found: unknown, path: string, depth: number): string | undefined {
    if (depth > DEEPEST || found === undefined) return undefined;
    const reference = given['$ref'];
    const named = typeof reference === 'string' ? resolve(reference) : undefined;
    if (named !== undefined) return visit(named, found, path, depth + 1);
    for (const part of jsonListOf(given['allOf'])) {
      const fault = isJsonMap(part) ? visit(part, found, path, depth + 1) : undefined;
      if (fault !== undefined) return fault;
    }
    // A field that is null is dropped by the API server, or may be null. An item of a list stays.
    if (found === null)
      return given['nullable'] === true || given['type'] === undefined || !path.endsWith(']')
        ? undefined
        : path;
    if (!hasType(given, found)) return path;
    if (Array.isArray(found)) {
      const items = given['items'];
      if (!isJsonMap(items)) return undefined;
      return firstOf(found, (item: unknown, index) => visit(items, item, `${path}[${index}]`, depth + 1));
    }
    if (!isJsonMap(found)) return undefined;
    const properties = jsonMapOf(given['properties']);
    const others = given['additionalProperties'];
    return firstOf(Object.keys(found), (key) => {
      const inner = Object.hasOwn(properties, key) ? properties[key] : others;
      return isJsonMap(inner) ? visit(inner, found[key], `${path}.${key}`, depth + 1) : undefined;
    });
  }
}

function firstOf<T>(
  items: readonly T[],
  look: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = look(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasType(schema: OpenApiSchema, value: unknown): boolean {
  if (schema['x-kubernetes-int-or-string'] === true)
    return typeof value === 'string' || Number.isInteger(value);
  switch (schema['type']) {
    case 'object':
      return isJsonMap(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === schema['type'];
    default:
      return true;
  }
}
