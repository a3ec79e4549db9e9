import { isJsonMap, jsonMapOf } from '../../../../base/util/json-map.ts';
import type { Schema } from './types.ts';

/** A path of fields such as `.spec.host` or `['a.b']['c']` in its names; undefined for any other text. */
export function readFieldPath(path: string): readonly string[] | undefined {
  const names: string[] = [];
  let rest = path;
  while (rest !== '') {
    const [step = '', quoted, plain] = /^(?:\['((?:[^'\\]|\\['\\])*)'\]|\.([^.[\]']+))/.exec(rest) ?? [];
    if (step === '') return undefined;
    names.push(plain ?? (quoted ?? '').replace(/\\(.)/g, '$1'));
    rest = rest.slice(step.length);
  }
  return names.length === 0 ? undefined : names;
}

/**
 * Returns the fault of a rule's `fieldPath`; undefined if it is valid.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/cel/validation.go` `ValidFieldPath`.
 */
export function fieldPathProblem(path: string, schema: Schema): string | undefined {
  const names = readFieldPath(path);
  if (names === undefined) return `is not a field path (example: .name or ['a.name'])`;
  let current = schema;
  for (const name of names) {
    const { properties, additionalProperties } = current;
    const isNamed = isJsonMap(properties);
    const next = isNamed
      ? Object.hasOwn(properties, name)
        ? properties[name]
        : undefined
      : additionalProperties;
    if (!isJsonMap(next)) return `names no field of the schema: unknown field ${name}`;
    current = jsonMapOf(next);
  }
  return undefined;
}
