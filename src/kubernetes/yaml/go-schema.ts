import { FAILSAFE_SCHEMA, Type, type Schema } from 'js-yaml';
import { readPlainAsGo } from '../../base/util/go-scalars.ts';

/** The reader whose rules for unquoted scalars apply: Kubernetes' tools (sigs.k8s.io/yaml), or kustomize, which uses another library. */
export type YamlReader = 'kubernetes' | 'kustomize';

/** An integer that a double cannot hold exactly. Kubernetes' tools keep all 64 bits of such an integer. */
export class InexactInteger {
  readonly value: number;
  readonly source: string;

  constructor(value: number, source: string) {
    this.value = value;
    this.source = source;
  }
}

/** A date that kustomize reads as a time, and writes back in full form, so that its text changes. */
export class RewrittenDate {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** Returns the date as written in the file; JavaScript calls this if the date is a mapping key. */
  toString(): string {
    return this.source;
  }
}

/**
 * Prefix of the internal names of merge keys (`<<`). It cannot occur in a YAML text, because YAML contains NUL only as an escape, and never
 * followed by these words.
 */
const mergeMark = '\0merge key ';

/**
 * Returns true for the internal name of an unquoted `<<` key. Each `<<` gets a distinct name, so that two of them in one mapping are both
 * merged.
 */
export const isMergeKey = (key: string): boolean => key.startsWith(mergeMark);

/** Returns a js-yaml schema that gives scalars the same values as the Go library of the reader. */
export function goSchema(reader: YamlReader): Schema {
  const readScalar = scalarReader(reader);
  let merges = 0;
  // js-yaml first calls `resolve`, which computes the value, and then `construct`, which returns it.
  let value: unknown;
  const plain = new Type('tag:opsdk.dev,2026:plain', {
    kind: 'scalar',
    resolve: (text: string): boolean => {
      value = text === '<<' ? merge(text) : (dateOf(text) ?? readScalar(text));
      return value !== text;
    },
    construct: () => value,
  });
  const dateOf = (text: string): RewrittenDate | undefined =>
    reader === 'kustomize' && isRewrittenTimestamp(text) ? new RewrittenDate(text) : undefined;
  const as = (tag: string, fits: (value: unknown) => boolean): Type =>
    new Type(`tag:yaml.org,2002:${tag}`, {
      kind: 'scalar',
      resolve: (text: string | null): boolean => fits((value = readScalar(text ?? ''))),
      construct: () => value,
    });
  const merge = (text: string | null): string => (text === '<<' ? `${mergeMark}${merges++}` : (text ?? ''));
  const asText = (text: string | null): string => text ?? '';
  const isNumber = (read: unknown): boolean => typeof read === 'number' || read instanceof InexactInteger;
  return FAILSAFE_SCHEMA.extend({
    implicit: [plain],
    explicit: [
      as('null', (read) => read === null),
      as('bool', (read) => typeof read === 'boolean'),
      as('int', (read) => read instanceof InexactInteger || Number.isInteger(read)),
      as('float', isNumber),
      new Type('tag:yaml.org,2002:timestamp', { kind: 'scalar', construct: asText }),
      new Type('tag:yaml.org,2002:binary', {
        kind: 'scalar',
        construct: (text: string | null) => Buffer.from(text ?? '', 'base64').toString(),
      }),
      new Type('tag:yaml.org,2002:merge', { kind: 'scalar', construct: merge }),
      new Type('tag:yaml.org,2002:set', { kind: 'mapping' }),
      new Type('tag:yaml.org,2002:omap', { kind: 'sequence' }),
      // Kubernetes ignores application tags (`!name`), so scalars with such a tag are read as text.
      new Type('!', { kind: 'scalar', multi: true, construct: asText }),
      new Type('!', { kind: 'sequence', multi: true }),
      new Type('!', { kind: 'mapping', multi: true }),
    ],
  });
}

function scalarReader(reader: YamlReader): (text: string) => unknown {
  const readPlain = reader === 'kustomize' ? readPlainAsKustomize : readPlainAsGo;
  return (text) => {
    const value = readPlain(text);
    const isInteger = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isInteger && is64Bit(text) ? new InexactInteger(value, text) : value;
  };
}

/** Returns true if Go reads the digits as a 64-bit integer. Go reads larger numbers as doubles, as JavaScript does. */
function is64Bit(text: string): boolean {
  const digits = text.replaceAll('_', '');
  if (/^[-+]?0[xob0-7]/i.test(digits)) return true;
  if (!/^[-+]?[0-9]+$/.test(digits)) return false;
  const number = BigInt(digits);
  return number >= -(2n ** 63n) && number < 2n ** 64n;
}

/**
 * Returns true if a YAML 1.1 reader could read the unquoted text as another value than a string: a boolean (`y`, `on`), null, a number
 * (`012`, `1_000`, `0b11`, `1:30`) or a date. Kubernetes' Go tools read YAML 1.1, so strings with such texts must be quoted. Source:
 * go.yaml.in/yaml/v2 `resolve.go`.
 */
export function isAmbiguousPlain(text: string): boolean {
  return readPlainAsGo(text) !== text || isSexagesimal(text) || isTimestamp(text);
}

/**
 * Reads an unquoted scalar like kustomize. The library of kustomize accepts only `true` and `false` as booleans. Source: go.yaml.in/yaml/v3
 * `resolve.go`.
 */
function readPlainAsKustomize(text: string): string | number | boolean | null {
  const value = readPlainAsGo(text);
  return typeof value === 'boolean' && !/^(?:true|false)$/i.test(text) ? text : value;
}

/**
 * Returns true if kustomize writes an unquoted date in another form than the file. kustomize reads the date as a time, whereas Kubernetes'
 * other tools read it as a string.
 */
function isRewrittenTimestamp(text: string): boolean {
  // Matches a date in the form in which Go writes times; kustomize does not change such a date.
  const isWritten = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d*[1-9])?(?:Z|[-+](?!00:00)\d\d:\d\d)$/.test(text);
  return !isWritten && isTimestamp(text);
}

/**
 * Returns true for a base-60 number of YAML 1.1, such as `1:30`. Go reads such a text as a string, but quotes it when writing, because
 * other readers read it as a number.
 */
function isSexagesimal(text: string): boolean {
  return /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
}

/**
 * Returns true if YAML 1.1 (as read by PyYAML and SnakeYAML) reads an unquoted text as another value, although Go reads it as a string.
 * Such texts are `=` and `<<`, invalid dates, dates whose time has another format than Go's, and numbers of underscores such as `0b__`.
 * Source: PyYAML `resolver.py`, and yaml.org/type.
 */
export function isYaml11Value(text: string): boolean {
  if (text === '=' || text === '<<') return true;
  return /^[-+.0-9]/.test(text) && yaml11Values.some((form) => form.test(text));
}

const yaml11Values = [
  /^[-+]?0(?:b[01_]+|x[0-9a-fA-F_]+|[0-7_]+)$/,
  /^[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?$/,
  /^\d{4}-\d\d-\d\d$/,
  /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/,
];

const date = /^(\d{4})-(\d{1,2})-(\d{1,2})/;
const clock = /(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?/;
const zone = /(?:Z|[-+](\d{2}):(\d{2}))/;
const zoned = new RegExp(`${date.source}[Tt]${clock.source}${zone.source}$`);
const unzoned = new RegExp(`${date.source} +${clock.source}$`);
const dateOnly = new RegExp(`${date.source}$`);

function isTimestamp(text: string): boolean {
  const match = zoned.exec(text) ?? unzoned.exec(text) ?? dateOnly.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = match
    .slice(1)
    .map((part) => Number((part as string | undefined) ?? 0));
  // Go accepts a time zone offset of 24 hours or 60 minutes, but no time of day with these values.
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 24 || zoneMinute > 60) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return leap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
