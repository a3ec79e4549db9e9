import {
  fieldSchema,
  isObject,
  objectMetaSchema,
  visitEmbedded,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../kubernetes/objects/index.ts';
import { badRequest } from '../status-error.ts';

/**
 * Brings `metadata` into the form that the server decodes it to: without what it does not know, and without what is empty.
 *
 * @returns the paths of fields that it does not know
 * @throws StatusError 400 for a value of another type
 */
export function normalizeMetadata(holder: JsonObject, path: string, type: string): readonly string[] {
  const unknown: string[] = [];
  const metadata = holder['metadata'];
  if (metadata === undefined) return unknown;
  if (metadata === null) {
    delete holder['metadata'];
    return unknown;
  }
  const clean = decoded(metadata, objectMetaSchema, path, type, unknown);
  holder['metadata'] = clean ?? {};
  return unknown;
}

/** Undefined for what is empty. */
function decoded(
  value: Json,
  schema: Schema,
  path: string,
  type: string,
  unknown: string[],
): Json | undefined {
  if (value === null) return undefined;
  if (schema.type === 'object') {
    if (!isObject(value)) throw wrongType(value, path, type);
    if (schema['x-kubernetes-preserve-unknown-fields'] === true) return value;
    const result: JsonObject = {};
    for (const [name, item] of Object.entries(value)) {
      const values = schema.additionalProperties;
      const isMap = typeof values === 'object';
      const known = isMap ? values : fieldSchema(schema, name);
      if (known === undefined) {
        unknown.push(`${path}.${name}`);
        continue;
      }
      const inner = decoded(item, known, `${path}.${name}`, type, unknown);
      if (inner !== undefined) result[name] = inner;
      else if (isMap) result[name] = '';
    }
    return Object.keys(result).length === 0 ? undefined : result;
  }
  if (schema.type === 'array') {
    if (!Array.isArray(value)) throw wrongType(value, path, type);
    const items = schema.items ?? {};
    return value.length === 0
      ? undefined
      : value.map((item, index) => decoded(item, items, `${path}[${index}]`, type, unknown) ?? {});
  }
  const fits = schema.type === 'integer' ? Number.isInteger(value) : typeof value === schema.type;
  if (!fits) throw wrongType(value, path, type);
  return value === '' ? undefined : value;
}

function wrongType(value: Json, path: string, type: string): Error {
  const found = Array.isArray(value)
    ? 'array'
    : isObject(value)
      ? 'object'
      : value === null
        ? 'null'
        : typeof value;
  return badRequest(`${type}: json: cannot unmarshal ${found} into Go struct field ObjectMeta.${path}`);
}

/** Brings the metadata of embedded resources into their form, and gives the paths of unknown fields in them. */
export function normalizeEmbedded(object: JsonObject, schema: Schema, type: string): readonly string[] {
  const unknown: string[] = [];
  visitEmbedded(object, schema, (value, _path, at) => {
    unknown.push(...normalizeMetadata(value, `${at}.metadata`, type));
  });
  return unknown;
}
