import type { FindingList, Where } from '../../errors/index.ts';
import { closestName } from '../../util/closest-name.ts';
import { isObject, type Json, type JsonObject } from '../resource.ts';
import { describe } from '../transform/field-spec.ts';

export type Path = readonly (string | number)[];

/** Reads the values of a document; what is wrong becomes a finding, and the value absent. Null counts as absent. */
export interface ValueReader {
  text(value: Json | undefined, path: Path): string | undefined;
  flag(value: Json | undefined, path: Path): boolean | undefined;
  integer(value: Json | undefined, path: Path): number | undefined;
  /** A mapping with only these fields; any fields if `known` is absent. */
  record(value: Json | undefined, path: Path, known?: readonly string[]): JsonObject | undefined;
  /** A mapping of texts. */
  pairs(value: Json | undefined, path: Path): Readonly<Record<string, string>>;
  /** The items that `read` could make something of. */
  list<T>(value: Json | undefined, path: Path, read: (item: Json, path: Path) => T | undefined): readonly T[];
  wrong(path: Path, message: string, ...fix: readonly string[]): undefined;
  locate(path: Path): Where;
}

export function valueReader(locate: (path: Path) => Where, findings: FindingList): ValueReader {
  const wrong = (path: Path, message: string, ...fix: readonly string[]): undefined => {
    findings.add({
      code: 'kustomize/invalid-value',
      message: path.length === 0 ? message : `${nameOf(path)}: ${message}`,
      where: locate(path),
      ...(fix.length === 0 ? {} : { fix }),
    });
  };

  const isAbsent = (value: Json | undefined): value is null | undefined =>
    value === undefined || value === null;

  return {
    wrong,
    locate,
    text(value, path) {
      if (isAbsent(value)) return undefined;
      if (typeof value === 'string') return value;
      const fix = typeof value === 'object' ? [] : [`put it into quotes: "${value}"`];
      return wrong(path, `it is ${describe(value)}, where text is expected`, ...fix);
    },
    flag(value, path) {
      if (isAbsent(value)) return undefined;
      if (typeof value === 'boolean') return value;
      return wrong(path, `it is ${describe(value)}, where true or false is expected`);
    },
    integer(value, path) {
      if (isAbsent(value)) return undefined;
      if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
      return wrong(path, `it is ${describe(value)}, where a whole number is expected`);
    },
    record(value, path, known) {
      if (isAbsent(value)) return undefined;
      if (!isObject(value)) return wrong(path, `it is ${describe(value)}, where a mapping is expected`);
      for (const name of Object.keys(value)) {
        if (known === undefined || known.includes(name)) continue;
        const meant = closestName(name, known);
        findings.add({
          code: 'kustomize/unknown-field',
          message: `kustomize knows no field ${nameOf([...path, name])}`,
          where: locate([...path, name]),
          fix: [
            meant === undefined ? `use one of ${known.join(', ')}, or take it out` : `did you mean ${meant}?`,
          ],
        });
      }
      return value;
    },
    pairs(value, path) {
      const pairs = Object.entries(this.record(value, path) ?? {}).flatMap(([key, item]) => {
        const text =
          item === null
            ? wrong([...path, key], 'it is null, where text is expected')
            : this.text(item, [...path, key]);
        return text === undefined ? [] : [[key, text] as const];
      });
      return Object.fromEntries(pairs);
    },
    list(value, path, read) {
      if (isAbsent(value)) return [];
      if (!Array.isArray(value)) {
        wrong(path, `it is ${describe(value)}, where a list is expected`);
        return [];
      }
      return value.flatMap((item, index) => {
        const here = [...path, index];
        const result =
          item === null ? wrong(here, 'the item is empty', 'complete it, or take it out') : read(item, here);
        return result === undefined ? [] : [result];
      });
    },
  };
}

/** The field as people write it: `images[0].newTag`. */
function nameOf(path: Path): string {
  return path
    .map((segment, index) =>
      typeof segment === 'number' ? `[${segment}]` : index === 0 ? segment : `.${segment}`,
    )
    .join('');
}
