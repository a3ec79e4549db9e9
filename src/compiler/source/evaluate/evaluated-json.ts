import { unknownFields, unknownJson, type JsonPath } from '../../../base/util/read-json.ts';
import type { Evaluated, SourcePlace } from './evaluated-value.ts';

/**
 * Converts an evaluated value to the form that the readers of `base/util/json-reader.ts` accept. Unknown parts become placeholders;
 * `opaqueParts` returns their findings.
 */
export function jsonOf(value: Evaluated): unknown {
  switch (value.type) {
    case 'scalar':
      return value.value;
    case 'array':
      return value.items.map(jsonOf);
    case 'object': {
      const entries = [...value.properties].map(
        ([name, property]) => [name, jsonOf(property.value)] as const,
      );
      const fields: Record<string | symbol, unknown> = Object.fromEntries(entries);
      if (value.holes.length > 0) fields[unknownFields] = true;
      return fields;
    }
    case 'token':
      return resourceJson;
    case 'opaque':
      return unknownJson;
  }
}

/** Placeholder in JSON for a resource token, which is a value of `defineResource` or `externalResource`, or an export of `opsdk/k8s/*`. */
export const resourceJson = Symbol('a resource');

/**
 * Returns the place of the part at a path. If the part does not exist, returns the place of the innermost existing part on the path.
 * @param isKey true to return the place of the field's name instead of the place of its value
 */
export function placeAt(value: Evaluated, path: JsonPath, isKey = false): SourcePlace {
  if (!isKey) return partAt(value, path).place;
  const owner = partAt(value, path.slice(0, -1));
  const property = owner.type === 'object' ? owner.properties.get(String(path.at(-1))) : undefined;
  return property?.place ?? owner.place;
}

/** Returns the part of an evaluated value at a path. If the part does not exist, returns the innermost existing part on the path. */
export function partAt(value: Evaluated, path: JsonPath): Evaluated {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const part =
    value.type === 'array'
      ? value.items[Number(step)]
      : value.type === 'object'
        ? value.properties.get(String(step))?.value
        : undefined;
  return part === undefined ? value : partAt(part, rest);
}

/** Returns the paths and places of all parts of an evaluated value. The value itself is first. */
export function partsWithPlaces(
  value: Evaluated,
  path: JsonPath = [],
): readonly { readonly path: JsonPath; readonly place: SourcePlace }[] {
  const here = { path, place: value.place };
  if (value.type === 'array')
    return [here, ...value.items.flatMap((item, index) => partsWithPlaces(item, [...path, index]))];
  if (value.type !== 'object') return [here];
  const fields = [...value.properties].flatMap(([name, property]) =>
    partsWithPlaces(property.value, [...path, name]),
  );
  return [here, ...fields];
}
