import { jsonTextOf } from '../../base/util/json-map.ts';
import {
  fieldErrorOf,
  invalidValue,
  required,
  type Fault,
  type FaultRule,
  type FieldError,
} from './fault.ts';
import { goJson, isObject, objectOf, type JsonObject, type JsonValue } from './json.ts';
import { dns1035Problems, pathSegmentProblems } from './names.ts';
import { metadataErrors } from './object-meta.ts';
import { visitSchema, type Schema } from './schema.ts';

/**
 * Returns a fault for each item that occurs twice in a list of type `set`, and for each key that occurs twice in a list of type `map`.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/listtype`.
 */
export function listTypeFaults(value: JsonValue, schema: Schema): readonly Fault[] {
  const faults: Fault[] = [];
  visitSchema(value, schema, (part, { 'x-kubernetes-list-type': type, ...own }, path, at) => {
    if (!Array.isArray(part)) return;
    const list = part as readonly JsonValue[];
    const add = (rule: FaultRule, index: number, limit: JsonValue, text: string): void => {
      faults.push({ rule, path, at: `${at}[${index}]`, value: list[index] ?? null, limit, text });
    };
    if (type === 'set')
      for (const index of repeated(list)) add('set', index, list[index] ?? null, 'duplicate');
    if (type !== 'map') return;
    const odd = list.findIndex((item) => item !== null && !isObject(item));
    if (odd >= 0) {
      add('mapItem', odd, null, 'must be an object for an array of list-type map');
      return;
    }
    const keys = list.map((item) => keysOf(item, own['x-kubernetes-list-map-keys'] ?? []));
    for (const index of repeated(keys)) add('mapKey', index, keys[index] ?? null, 'duplicate');
  });
  return faults;
}

/** Returns the same faults as {@link listTypeFaults}, but as field errors. */
export function listTypeErrors(value: JsonValue, schema: Schema): readonly FieldError[] {
  return listTypeFaults(value, schema).map((fault) => fieldErrorOf(fault));
}

function keysOf(item: JsonValue, names: readonly string[]): JsonValue {
  if (!isObject(item)) return {};
  const present = names.filter((name) => Object.hasOwn(item, name));
  return Object.fromEntries(present.map((name) => [name, item[name] ?? null]));
}

/** Returns the index of the second occurrence of each repeated item. Further occurrences are omitted. */
function repeated(items: readonly JsonValue[]): readonly number[] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const text = goJson(item);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    return times === 1 ? [index] : [];
  });
}

type VisitResource = (value: JsonObject, path: readonly (string | number)[], at: string) => void;

/**
 * Calls `visit` for each embedded resource in a value. @param isField true if the value is a field, so that the value itself may be an
 * embedded resource
 */
export function visitEmbedded(value: JsonValue, schema: Schema, visit: VisitResource, isField = false): void {
  visitSchema(value, schema, (part, own, path, at) => {
    const isResource = own['x-kubernetes-embedded-resource'] === true && (isField || path.length > 0);
    if (isResource && isObject(part)) visit(part as JsonObject, path, at);
  });
}

/**
 * Returns the errors of all embedded resources in an object. Source: apiextensions-apiserver
 * `pkg/apiserver/schema/objectmeta/validation.go`.
 */
export function embeddedErrors(object: JsonObject, schema: Schema): readonly FieldError[] {
  const errors: FieldError[] = [];
  visitEmbedded(object, schema, (value, _path, at) => errors.push(...resourceErrors(value, at)));
  return errors;
}

/** Returns the errors of one embedded resource. */
export function resourceErrors(value: JsonObject, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion, kind, metadata } = value;
  for (const [name, text] of Object.entries({ apiVersion, kind })) {
    if (text === undefined) errors.push(required(`${at}.${name}`));
    else if (typeof text !== 'string') errors.push(invalidValue(`${at}.${name}`, text, 'must be a string'));
    else if (text === '') errors.push(invalidValue(`${at}.${name}`, text, 'must not be empty'));
  }
  const version = jsonTextOf(apiVersion);
  if (version.split('/').length > 2)
    errors.push(invalidValue(`${at}.apiVersion`, version, `unexpected GroupVersion string: ${version}`));
  const kindText = jsonTextOf(kind);
  const problems = kindText === '' ? [] : dns1035Problems(kindText.toLowerCase());
  if (problems.length > 0) {
    const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
    errors.push(invalidValue(`${at}.kind`, kindText, detail));
  }
  if (metadata !== undefined) {
    const fields = objectOf(metadata);
    const named = jsonTextOf(fields['name']) === '' ? { ...fields, name: 'fakename' } : fields;
    const namespaced = jsonTextOf(fields['namespace']) !== '';
    errors.push(...metadataErrors(named, namespaced, pathSegmentProblems, `${at}.metadata`));
  }
  return errors;
}
