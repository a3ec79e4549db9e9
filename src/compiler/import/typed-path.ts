import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';

/** Levels that `JsonPath` and its kin follow; see the api room. */
const LEVELS = 6;

/** Fields of `ObjectMeta`; what is below them, `JsonPath` takes as it is. */
const metadataFields: ReadonlySet<string> = new Set(
  'name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations finalizers ownerReferences managedFields'.split(
    ' ',
  ),
);

/**
 * True if the types that are made of a schema know a path, so that the compiler accepts it in `defineResource`. Real CRDs have paths that
 * lead nowhere.
 */
export function isTypedPath(root: JSONSchemaProps, path: string): boolean {
  // Such paths are typed loosely.
  if (path.includes('[')) return path.startsWith('.');
  const [start, ...names] = path.split('.');
  if (start !== '' || names.length === 0 || names.includes('')) return false;
  if (names[0] === 'metadata')
    return names.length === 1 || (names.length <= LEVELS && metadataFields.has(names[1] ?? ''));
  if (names[0] === 'apiVersion' || names[0] === 'kind') return names.length === 1;
  // The root is an interface, whether or not other fields are kept.
  return names.length <= LEVELS && Object.hasOwn(root.properties ?? {}, names[0] ?? '') && leads(root, names);
}

function leads(schema: JSONSchemaProps, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const { properties = {}, additionalProperties } = schema;
  if (Object.keys(properties).length > 0) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return field !== undefined && leads(field, rest);
  }
  // A record is typed to its end; unknown objects take any path.
  if (typeof additionalProperties === 'object') return leads(additionalProperties, rest);
  return schema.type === 'object' || schema.type === undefined;
}
