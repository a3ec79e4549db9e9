import type { JsonPathSegment } from './locate.ts';

/**
 * Returns true if Kubernetes reads the number at a path as a double, so that a greater integer than JavaScript's means the same here: `minimum`,
 * `maximum` and `multipleOf` of a schema in a CustomResourceDefinition. Within values such as `default` the same names mean nothing.
 * Source: apiextensions v1 `JSONSchemaProps`.
 */
export function isDoublePlace(path: readonly JsonPathSegment[]): boolean {
  const from = path.indexOf('openAPIV3Schema');
  return from !== -1 && isBound(path, from + 1);
}

function isBound(path: readonly JsonPathSegment[], at: number): boolean {
  const keyword = path[at];
  if (keyword === 'items' || keyword === 'additionalProperties' || keyword === 'not')
    return isBound(path, at + 1);
  if (keyword === 'properties' || keyword === 'allOf' || keyword === 'anyOf' || keyword === 'oneOf')
    return isBound(path, at + 2);
  return at === path.length - 1 && doubles.has(keyword);
}

const doubles: ReadonlySet<JsonPathSegment | undefined> = new Set(['minimum', 'maximum', 'multipleOf']);
