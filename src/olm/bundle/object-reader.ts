import type { FindingList } from '../../base/errors/index.ts';
import { describeObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { type JsonMap, isJsonMap } from '../../base/util/json-map.ts';
import { anyObject, list, record, string, unchecked } from '../../base/util/json-reader.ts';
import {
  documentStyle,
  pathText,
  readJson,
  type JsonPath,
  type JsonReader,
} from '../../base/util/read-json.ts';

/**
 * Reads fields of objects whose types have not been checked. An absent or null field gives an empty value. A field of another type than
 * Kubernetes expects is never skipped silently, but reported as `bundle/invalid-object`.
 */
export interface ObjectReader {
  map(from: PlacedObject, ...path: JsonPath): JsonMap;
  list(from: PlacedObject, ...path: JsonPath): readonly unknown[];
  /** Reads the items of a list, each of which must be a map. */
  maps(from: PlacedObject, ...path: JsonPath): readonly JsonMap[];
  text(from: PlacedObject, ...path: JsonPath): string | undefined;
  /** Reads a map whose values must all be strings. */
  texts(from: PlacedObject, ...path: JsonPath): Readonly<Record<string, string>>;
}

/** Creates a reader that reports unreadable fields in `findings`. */
export function createObjectReader(findings: FindingList): ObjectReader {
  const reading =
    <T>(reader: JsonReader<T>) =>
    ({ object, where }: PlacedObject, ...path: JsonPath): T | undefined => {
      const value = valueAt(object, path) ?? undefined;
      if (value === undefined) return undefined;
      const read = readJson(reader, value, pathText(path), { style: documentStyle, path });
      for (const { path: at, message } of read.problems)
        findings.add({
          code: 'bundle/invalid-object',
          message: `${describeObject(object)}: ${message}`,
          where,
          fix: [`correct ${pathText(at)}; \`op-sdk install\` and the API server would refuse it too`],
        });
      return read.value;
    };
  const [map, items, maps] = [reading(anyObject), reading(list(unchecked)), reading(list(anyObject))];
  const texts = reading(record(string));
  return {
    map: (...at) => map(...at) ?? {},
    list: (...at) => items(...at) ?? [],
    maps: (...at) => maps(...at) ?? [],
    text: reading(string),
    texts: (...at) => texts(...at) ?? {},
  };
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof key === 'number') return Array.isArray(inner) ? (inner as unknown[])[key] : undefined;
    return isJsonMap(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}
