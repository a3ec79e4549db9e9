import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { fieldSchema, isOpen, resourceFieldNames, valueSchema, type Schema } from './schema.ts';

/**
 * Removes the fields that a schema does not know, in place, and gives their paths, sorted. `metadata` of the root and of embedded
 * resources is left alone.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/pruning/algorithm.go`.
 */
export function prune(object: JsonObject, schema: Schema): readonly string[] {
  const removed: string[] = [];
  visit(object, { ...schema, 'x-kubernetes-embedded-resource': true }, '', removed);
  return removed.sort();
}

function visit(value: Json, schema: Schema | undefined, path: string, removed: string[], open = false): void {
  const keepsUnknown = open || (schema !== undefined && isOpen(schema));
  if (Array.isArray(value)) {
    const items = schema?.items;
    if (keepsUnknown && items === undefined) return;
    // Below an open list the items are open too, whatever their schema says.
    for (const [index, item] of value.entries())
      visit(item, items, `${path}[${index}]`, removed, keepsUnknown);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(value)) {
    if (schema?.['x-kubernetes-embedded-resource'] === true && resourceFieldNames.has(name)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const known = schema === undefined ? undefined : fieldSchema(schema, name);
    const additional = schema?.additionalProperties;
    if (known !== undefined) visit(value[name] ?? null, known, at, removed);
    else if (schema !== undefined && additional !== undefined && additional !== false) {
      // `true` says nothing of what is inside; below it everything is unknown.
      visit(value[name] ?? null, valueSchema(schema), at, removed);
    } else if (!keepsUnknown) {
      removed.push(at);
      delete value[name];
    }
  }
}
