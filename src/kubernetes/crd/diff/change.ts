import type { Where } from '../../../base/errors/index.ts';
import { isJsonMap, jsonMapOf } from '../../../base/util/json-map.ts';
import type { Affected, ChangeCode, Severity } from './change-codes.ts';
import type { Definition } from './definition.ts';

/** One difference between an old and a new CustomResourceDefinition, as a plain JSON value. */
export interface CrdChange {
  /** Stable code of the change. {@link changeCodes} contains the meaning of each code. */
  readonly code: ChangeCode;
  readonly severity: Severity;
  readonly affects: readonly Affected[];
  /** Name of the CustomResourceDefinition. */
  readonly crd: string;
  /** Name of the version in which the change was found; absent if the change concerns all versions. */
  readonly version?: string;
  /**
   * Path of a changed field of the objects (such as `.spec.ports[].name`; `.*` is every value of a map, `.` is the object itself). For a
   * change of the definition itself, the path of a field of the definition (such as `spec.names.kind`).
   */
  readonly path: string;
  /** Description of the change, as a part of a sentence. */
  readonly message: string;
  /** Reason why the change is breaking, or a remark about it. */
  readonly explanation: string;
  /** True if validation ratcheting softens the change: an update passes if it leaves the invalid value unchanged. */
  readonly ratcheted: boolean;
  /** Set if a waiver accepts the change. Such a change is not counted as breaking or compatible. */
  readonly waived?: { readonly reason: string; readonly until: string };
}

/**
 * A change in the form in which a rule reports it. The other fields of {@link CrdChange} are derived from the code and the location of the
 * change.
 */
export interface ReportedChange {
  readonly code: ChangeCode;
  readonly message: string;
  /** Text to append to the explanation that {@link changeCodes} contains for the code. */
  readonly note?: string;
  /** Affected parties. Default: the parties that {@link changeCodes} contains for the code. */
  readonly affects?: readonly Affected[];
  /** True if validation ratcheting softens the change. Default: the value that {@link changeCodes} contains for the code. */
  readonly ratcheted?: boolean;
}

/** Function by which a rule reports a change. */
export type Report = (change: ReportedChange) => void;

type Key = string | number;

/**
 * Returns the location of a change. In the new definitions, this is the changed part or, if that part was removed, its parent. For a
 * removed definition, the location is in the old definitions.
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

/** Matches one step of a path that `fieldPath` creates: `.spec`, `["a.b"]`, `[]` or `.*`. */
const step = /(?<items>\[\])|\["(?<quoted>(?:[^"\\]|\\.)*)"\]|\.?(?<name>[^.[\]]+)/g;

/** Splits a path into keys. The key `[]` means the items of a list, `.*` the values of a map; all other keys are names. */
function keysOf(path: string): readonly Key[] {
  return [...path.matchAll(step)].map(({ groups = {} }) => {
    const { items, quoted, name = '' } = groups;
    if (items !== undefined) return '[]';
    if (quoted !== undefined) return JSON.parse(`"${quoted}"`) as string;
    return name === '*' ? '.*' : name;
  });
}

/**
 * Returns the keys in a schema that lead to the field with a path. If the field is not declared, they lead to its nearest declared parent.
 */
function schemaKeys(schema: unknown, [key, ...rest]: readonly Key[]): readonly Key[] {
  if (key === undefined) return [];
  const { items, additionalProperties, properties } = jsonMapOf(schema);
  if (key === '[]') return isJsonMap(items) ? ['items', ...schemaKeys(items, rest)] : [];
  const field = jsonMapOf(properties)[key];
  if (field !== undefined) return ['properties', key, ...schemaKeys(field, rest)];
  if (!isJsonMap(additionalProperties)) return [];
  return ['additionalProperties', ...schemaKeys(additionalProperties, key === '.*' ? rest : [])];
}

/**
 * Returns a note on definitions with changed schemas whose objects are converted by a webhook. The conversion may lose data even if the
 * change of the schemas is compatible. Only tests of the webhook can verify that it does not.
 *
 * @returns a sentence for people; undefined if no such definition has changed
 */
export function conversionNote(
  changes: readonly CrdChange[],
  now: readonly Definition[],
): string | undefined {
  const names = now
    .filter(({ conversion, versions }) => conversion['strategy'] === 'Webhook' && versions.length > 1)
    .map(({ name }) => name)
    .filter((name) =>
      changes.some(
        ({ crd, version, code }) => crd === name && version !== undefined && code !== 'documentation',
      ),
    );
  if (names.length === 0) return undefined;
  return `${names.join(', ')}: a webhook converts between the versions, which this comparison does not see. Test the conversion: expectRoundTrip of opsdk/testing.`;
}
