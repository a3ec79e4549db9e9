import { fieldSchema, isObject, valueSchema } from '../../objects/index.ts';
import type { Json, JsonObject, Schema } from '../../objects/index.ts';
import { isEqualJson } from '../../../base/util/json-map.ts';

/**
 * Returns the former item with the same key as an item of a list of type `map`. Items of other lists have no former item. Source: apiserver
 * `pkg/cel/common/maplist.go`.
 */
export function formerItem(schema: Schema, before: Json | undefined, item: Json): Json | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(before) || !isObject(item))
    return undefined;
  const hasKey = (other: JsonObject): boolean =>
    keys.every((key) => {
      const value = other[key];
      return value !== undefined && typeof value !== 'object' && value === item[key];
    });
  return keys.length === 0 ? undefined : before.find((other) => isObject(other) && hasKey(other));
}

/**
 * A value of an object and its former value. Errors of an unchanged value do not count on an update. Source: apiserver
 * `pkg/cel/common/equality.go`.
 */
export class Correlated {
  readonly #value: Json;
  readonly #before: Json;
  readonly #schema: Schema;
  #isEqual: boolean | undefined;

  constructor(value: Json, before: Json, schema: Schema) {
    this.#value = value;
    this.#before = before;
    this.#schema = schema;
  }

  /** Returns true if the value is that of before. The order of the items of a list of type `map` makes no difference. */
  get isUnchanged(): boolean {
    return (this.#isEqual ??= this.#compare());
  }

  field(name: string): Correlated | undefined {
    const [value, before] = [this.#value, this.#before];
    if (!isObject(value) || !isObject(before)) return undefined;
    const schema = fieldSchema(this.#schema, name) ?? valueSchema(this.#schema);
    const [now, old] = [value[name], before[name]];
    return schema === undefined || now === undefined || old === undefined
      ? undefined
      : new Correlated(now, old, schema);
  }

  item(index: number): Correlated | undefined {
    const { items } = this.#schema;
    const item = Array.isArray(this.#value) ? this.#value[index] : undefined;
    if (items === undefined || item === undefined) return undefined;
    const old = formerItem(this.#schema, this.#before, item);
    return old === undefined ? undefined : new Correlated(item, old, items);
  }

  #compare(): boolean {
    const [value, before] = [this.#value, this.#before];
    if (Array.isArray(value) && Array.isArray(before)) {
      if (value.length !== before.length) return false;
      if (this.#schema['x-kubernetes-list-type'] !== 'map') return isEqualJson(value, before);
      return value.every((_, index) => this.item(index)?.isUnchanged === true);
    }
    if (isObject(value) && isObject(before)) {
      const names = Object.keys(value);
      if (names.length !== Object.keys(before).length) return false;
      return names.every((name) => this.field(name)?.isUnchanged === true);
    }
    return isEqualJson(value, before);
  }
}
