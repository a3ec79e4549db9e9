import { isJsonMap, setOwnField } from '../../../base/util/json-map.ts';

/** One step of a path: a field of an object, or `*` for each item of a list. */
type Step = { readonly field: string } | '*';
/** A path from the root of an object to a field. */
export type LossyPath = readonly Step[];

const step = /^(?:\.([^.[\]]+)|\[(\*|)\]|\['([^']+)'\])/;

/**
 * Parses a path such as `.spec.ports[*].comment` or `.spec.labels['a.b/c']`. Returns undefined if the path is invalid, or does not name a
 * field below the root.
 */
export function parseLossyPath(path: string): LossyPath | undefined {
  const steps: Step[] = [];
  for (let rest = path; rest !== '';) {
    const found = step.exec(rest);
    if (found === null) return undefined;
    const field = found[1] ?? found[3];
    steps.push(field === undefined ? '*' : { field });
    rest = rest.slice(found[0].length);
  }
  return steps.length > 0 && steps[0] !== '*' ? steps : undefined;
}

/** Returns a copy of the value without the fields at the paths. All other parts of the value are shared, not copied. */
export function withoutPaths<T>(value: T, paths: readonly LossyPath[]): T {
  return paths.reduce<T>((rest, path) => without(rest, path) as T, value);
}

function without(value: unknown, [first, ...rest]: LossyPath): unknown {
  if (first === undefined) return value;
  if (first === '*') {
    if (!Array.isArray(value)) return value;
    return rest.length === 0 ? [] : value.map((item: unknown) => without(item, rest));
  }
  const { field } = first;
  if (!isJsonMap(value) || !Object.hasOwn(value, field)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key !== field) setOwnField(copy, key, value[key]);
    else if (rest.length > 0) setOwnField(copy, key, without(value[key], rest));
  }
  return copy;
}
