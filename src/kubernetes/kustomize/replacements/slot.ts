import type { Holder, Json, JsonObject } from '../resource.ts';
import { setKey } from '../transform/field-spec.ts';

/** A place in an object that a value can be read from and written to. */
export interface Slot {
  /** undefined for a place that a replacement makes. */
  get(): Json | undefined;
  set(value: Json): void;
  /** The mapping and the key, unless it is an item of a list. */
  readonly holder?: Holder;
}

export function fieldSlot(object: JsonObject, name: string): Slot {
  return {
    get: () => (Object.hasOwn(object, name) ? object[name] : undefined),
    set: (value) => setKey(object, name, value),
    holder: { mapping: object, key: name },
  };
}

export function itemSlot(list: Json[], index: number): Slot {
  return {
    get: () => list[index],
    set: (value) => {
      list[index] = value;
    },
  };
}
