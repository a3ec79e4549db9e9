import type { Json, JsonObject } from '../resource.ts';
import { setKey } from '../transform/field-spec.ts';

/** A place in an object that a value can be read from and written to. */
export interface Slot {
  /** undefined for a place that a replacement makes. */
  get(): Json | undefined;
  set(value: Json): void;
}

export function fieldSlot(object: JsonObject, name: string): Slot {
  return {
    get: () => (Object.hasOwn(object, name) ? object[name] : undefined),
    set: (value) => setKey(object, name, value),
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
