import { isJsonObject, equal, type Json } from '../json.ts';
import { fieldSchema, valueSchema, type Schema } from './schema.ts';

const mentionsOldSelf = /\boldSelf\b/;

/** A rule that decides about a write. */
export interface NeededRule {
  readonly path: string;
  readonly rule: string;
}

/**
 * The CEL rules that the server would evaluate for a write and whose outcome is not known without: those of values that are there; on an
 * update only of values that have changed, and those that compare with the value before.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/cel/validation.go`; KEP-4008.
 */
export function neededRules(
  value: Json | undefined,
  before: Json | undefined,
  schema: Schema,
  path = '',
): readonly NeededRule[] {
  if (value === undefined || value === null) return [];
  const found: NeededRule[] = [];
  const isSame = before !== undefined && equal(value, before);
  for (const { rule, optionalOldSelf } of schema['x-kubernetes-validations'] ?? []) {
    const isTransition = mentionsOldSelf.test(rule);
    const isRun = isTransition ? before !== undefined || optionalOldSelf === true : true;
    if (isRun && (isTransition || !isSame)) found.push({ path, rule });
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return found;
    const old = itemsBefore(before, schema);
    for (const [index, item] of value.entries())
      found.push(...neededRules(item, old(item, index), items, `${path}[${index}]`));
    return found;
  }
  if (!isJsonObject(value)) return found;
  const values = valueSchema(schema);
  const old = isJsonObject(before) ? before : {};
  for (const [name, item] of Object.entries(value)) {
    const inner = fieldSchema(schema, name) ?? values;
    if (inner !== undefined)
      found.push(...neededRules(item, old[name], inner, path === '' ? name : `${path}.${name}`));
  }
  return found;
}

function itemsBefore(
  before: Json | undefined,
  schema: Schema,
): (item: Json, index: number) => Json | undefined {
  if (!Array.isArray(before)) return () => undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] !== 'map') return (item) => before.find((other) => equal(other, item));
  return (item) =>
    before.find(
      (other) =>
        isJsonObject(other) && isJsonObject(item) && keys.every((key) => equal(other[key], item[key])),
    );
}
