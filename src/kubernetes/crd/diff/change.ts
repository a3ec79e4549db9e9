import type { Where } from '../../../base/errors/index.ts';
import { isJsonMap, jsonMapOf } from '../../../base/util/json-map.ts';
import type { Affected, ChangeCode, Severity } from './change-codes.ts';
import type { Definition } from './definition.ts';

/** One difference between two CustomResourceDefinitions. Plain JSON. */
export interface CrdChange {
  /** Stable. See {@link changeCodes} for what each means. */
  readonly code: ChangeCode;
  readonly severity: Severity;
  readonly affects: readonly Affected[];
  /** The name of the CustomResourceDefinition. */
  readonly crd: string;
  /** The version; absent for what belongs to all of them. */
  readonly version?: string;
  /**
   * Path of a field of the objects (`.spec.ports[].name`; `.*` is every value of a map), or of the definition for a change of the
   * definition itself (`spec.names.kind`). `.` is the object itself.
   */
  readonly path: string;
  /** The change, as a part of a sentence. */
  readonly message: string;
  /** Reason why the change is breaking, or a remark about it. */
  readonly explanation: string;
  /** True if validation ratcheting softens the change: an update passes if it leaves the invalid value unchanged. */
  readonly ratcheted: boolean;
  /** Set if a waiver accepts the change, which is then not counted. */
  readonly waived?: { readonly reason: string; readonly until: string };
}

/** A change as a rule reports it; the rest follows from the code and the place. */
export interface ReportedChange {
  readonly code: ChangeCode;
  readonly message: string;
  /** Text appended to the explanation of the code. */
  readonly note?: string;
  /** Default: the parties defined for the code. */
  readonly affects?: readonly Affected[];
  /** Default: the value defined for the code. */
  readonly ratcheted?: boolean;
}

/** Reports a change found by a rule. */
export type Report = (change: ReportedChange) => void;

type Key = string | number;

/**
 * Returns the place of a change: in the new definitions, at the changed part or, if that was removed, at its parent; for a removed
 * definition, in the old ones.
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

/** Splits a path into keys: `[]` for items, `.*` for the values of a map; all other keys are names. */
function keysOf(path: string): readonly Key[] {
  return [...path.matchAll(step)].map(({ groups = {} }) => {
    const { items, quoted, name = '' } = groups;
    if (items !== undefined) return '[]';
    if (quoted !== undefined) return JSON.parse(`"${quoted}"`) as string;
    return name === '*' ? '.*' : name;
  });
}

/** Returns the keys of a schema that lead to a field, up to the last declared one. */
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
 * Returns a note on definitions with changed schemas whose objects are converted by a webhook: changes that are compatible by the schemas
 * may lose data in the conversion, which only its own tests can verify.
 *
 * @returns a sentence for people; undefined if there are none
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
