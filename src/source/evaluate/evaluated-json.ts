import { unknownFields, unknownJson, type JsonPath } from '../../util/json-reader.ts';
import type { Evaluated, SourcePlace } from './evaluated-value.ts';

/** An evaluated value for the readers of `util/json-reader`: what cannot be known stands as such, and its findings are in `opaqueParts`. */
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
      return resource;
    case 'opaque':
      return unknownJson;
  }
}

const resource = Symbol('a resource');

/**
 * Where a part of an evaluated value was written, or the innermost part on the way that is there.
 * @param isKey the place of the name of the field that the path leads to, rather than of its value
 */
export function placeAt(value: Evaluated, path: JsonPath, isKey = false): SourcePlace {
  const [step, ...rest] = path;
  if (step === undefined) return value.place;
  if (value.type === 'array') {
    const item = value.items[Number(step)];
    return item === undefined ? value.place : placeAt(item, rest, isKey);
  }
  const property = value.type === 'object' ? value.properties.get(String(step)) : undefined;
  if (property === undefined) return value.place;
  return isKey && rest.length === 0 ? property.place : placeAt(property.value, rest, isKey);
}

/** The parts of an evaluated value with their paths, itself first. */
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
