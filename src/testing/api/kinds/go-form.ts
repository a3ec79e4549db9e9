import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** Removes empty texts, lists and maps at dotted paths, which Go leaves out when it writes an object. `*` is each field, `[]` each item. */
export function dropEmpty(object: JsonObject, ...paths: readonly string[]): void {
  for (const path of paths) visit(object, path.split('.'));
}

function visit(value: Json | undefined, [step, ...rest]: readonly string[]): void {
  if (step === undefined || value === undefined) return;
  if (step === '[]') {
    if (Array.isArray(value)) for (const item of value) visit(item, rest);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const name of step === '*' ? Object.keys(value) : [step]) {
    if (rest.length > 0) visit(value[name], rest);
    else if (isEmpty(value[name])) delete value[name];
  }
}

function isEmpty(value: Json | undefined): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Sets what is missing. */
export function setDefaults(object: JsonObject, defaults: JsonObject): void {
  for (const [name, value] of Object.entries(defaults)) if (object[name] === undefined) object[name] = value;
}

/** The object in a field, created if need be. */
export function ensureObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  if (isJsonObject(value)) return value;
  const created: JsonObject = {};
  object[name] = created;
  return created;
}
