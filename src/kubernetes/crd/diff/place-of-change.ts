import type { Where } from '../../../base/errors/index.ts';
import { isJsonMap, jsonMapOf } from '../../../base/util/json-map.ts';
import type { CrdChange } from './change.ts';
import type { Definition } from './definition.ts';

type Key = string | number;

/**
 * Where a change is: in the new definitions, at what changed or, if that is gone, at what was around it; of a definition that is gone
 * in the old ones.
 */
export function placeOfChange(
  { crd, version, path }: Pick<CrdChange, 'crd' | 'version' | 'path'>,
  old: readonly Definition[],
  now: readonly Definition[],
): Where | undefined {
  const definition = [...now, ...old].find(({ name }) => name === crd);
  if (definition === undefined) return undefined;
  if (version === undefined) return definition.locate(path === '.' ? ['metadata', 'name'] : keysOf(path));
  const index = definition.versions.findIndex(({ name }) => name === version);
  const found = definition.versions[index];
  if (found === undefined) return definition.locate(['spec', 'versions']);
  const at = ['spec', 'versions', index];
  if (path === 'spec.versions') return definition.locate([...at, 'name']);
  if (path === '.' || path.startsWith('.') || path.startsWith('['))
    return definition.locate([...at, 'schema', 'openAPIV3Schema', ...schemaKeys(found.schema, keysOf(path))]);
  return definition.locate([...at, ...keysOf(path)]);
}

/** A step of a path that `fieldPath` makes: `.spec`, `["a.b"]`, `[]`, `.*`. */
const step = /(?<items>\[\])|\["(?<quoted>(?:[^"\\]|\\.)*)"\]|\.?(?<name>[^.[\]]+)/g;

/** `[]` for items, `.*` for the values of a map; all other keys are names. */
function keysOf(path: string): readonly Key[] {
  return [...path.matchAll(step)].map(({ groups = {} }) => {
    const { items, quoted, name = '' } = groups;
    if (items !== undefined) return '[]';
    if (quoted !== undefined) return JSON.parse(`"${quoted}"`) as string;
    return name === '*' ? '.*' : name;
  });
}

/** The keys of a schema that lead to a field, as far as it is declared. */
function schemaKeys(schema: unknown, [key, ...rest]: readonly Key[]): readonly Key[] {
  if (key === undefined) return [];
  const { items, additionalProperties, properties } = jsonMapOf(schema);
  if (key === '[]') return isJsonMap(items) ? ['items', ...schemaKeys(items, rest)] : [];
  const field = jsonMapOf(properties)[key];
  if (field !== undefined) return ['properties', key, ...schemaKeys(field, rest)];
  if (!isJsonMap(additionalProperties)) return [];
  return ['additionalProperties', ...schemaKeys(additionalProperties, key === '.*' ? rest : [])];
}
