import type { FindingList } from '../errors/index.ts';
import { describeObject, type PlacedObject } from '../yaml/index.ts';
import { type JsonMap, isJsonMap } from '../util/json-map.ts';

type Path = readonly (string | number)[];

/**
 * Reads fields of objects whose shape nobody has checked yet. What is absent or null gives the empty value; what has
 * another type than Kubernetes expects is noted as `bundle/invalid-object`, never passed over.
 */
export interface ObjectReader {
  map(from: PlacedObject, ...path: Path): JsonMap;
  list(from: PlacedObject, ...path: Path): readonly unknown[];
  /** The items of a list, each of which must be a map. */
  maps(from: PlacedObject, ...path: Path): readonly JsonMap[];
  text(from: PlacedObject, ...path: Path): string | undefined;
  /** Text as the value of every key. */
  texts(from: PlacedObject, ...path: Path): Readonly<Record<string, string>>;
}

/** A reader that notes what it cannot read in `findings`. */
export function createObjectReader(findings: FindingList): ObjectReader {
  const wrong = ({ object, where }: PlacedObject, path: Path, expected: string): void =>
    findings.add({
      code: 'bundle/invalid-object',
      message: `${describeObject(object)}: ${pathText(path)} is not ${expected}`,
      where,
      fix: [`correct ${pathText(path)}; \`op-sdk install\` and the API server would refuse it too`],
    });
  const map: ObjectReader['map'] = (from, ...path) => {
    const value = valueAt(from.object, path) ?? {};
    if (isJsonMap(value)) return value;
    wrong(from, path, 'a map');
    return {};
  };
  const list: ObjectReader['list'] = (from, ...path) => {
    const value = valueAt(from.object, path) ?? [];
    if (Array.isArray(value)) return value as readonly unknown[];
    wrong(from, path, 'a list');
    return [];
  };
  return {
    map,
    list,
    maps: (from, ...path) =>
      list(from, ...path).flatMap((item, index) => {
        if (isJsonMap(item)) return [item];
        wrong(from, [...path, index], 'a map');
        return [];
      }),
    text: (from, ...path) => {
      const value = valueAt(from.object, path) ?? undefined;
      if (value === undefined || typeof value === 'string') return value;
      wrong(from, path, 'text');
      return undefined;
    },
    texts: (from, ...path) => {
      const entries = Object.entries(map(from, ...path)).filter(([key, value]) => {
        if (typeof value === 'string') return true;
        wrong(from, [...path, key], 'text');
        return false;
      });
      return Object.fromEntries(entries) as Record<string, string>;
    },
  };
}

/** A path as Kubernetes writes it: `spec.template.spec.containers[0].image`. */
export function pathText(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof key === 'number') return Array.isArray(inner) ? (inner as unknown[])[key] : undefined;
    return isJsonMap(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}
