import { readPlainAsGo } from '../../base/util/go-scalars.ts';

/**
 * True if a YAML 1.1 reader could take the plain text for something else than a string: a boolean (`y`, `on`), null, a
 * number (`012`, `1_000`, `0b11`, `1:30`), a date. Kubernetes' Go tools read YAML 1.1, so such strings must be quoted.
 * Source: go.yaml.in/yaml/v2 `resolve.go`.
 */
export function isAmbiguousPlain(text: string): boolean {
  return readPlainAsGo(text) !== text || isSexagesimal(text) || isTimestamp(text);
}

/** Reads a plain scalar as kustomize, whose library takes only `true` and `false` for booleans. Source: go.yaml.in/yaml/v3 `resolve.go`. */
export function readPlainAsKustomize(text: string): string | number | boolean | null {
  const value = readPlainAsGo(text);
  return typeof value === 'boolean' && !/^(?:true|false)$/i.test(text) ? text : value;
}

/** Returns true if kustomize writes a plain date in another form: it reads a time, where Kubernetes' other tools read a string. */
export function isRewrittenTimestamp(text: string): boolean {
  // The form in which Go writes times.
  const isWritten = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d*[1-9])?(?:Z|[-+](?!00:00)\d\d:\d\d)$/.test(text);
  return !isWritten && isTimestamp(text);
}

/** YAML 1.1's base 60, `1:30`. Go does not read it but quotes it for those who do. */
function isSexagesimal(text: string): boolean {
  return /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
}

/**
 * Tells if a plain text that Go takes for a text is another value to YAML 1.1 itself, as PyYAML and SnakeYAML read it: `=` and `<<`, dates
 * that the calendar does not have, or whose time has another form than Go's, and numbers of underscores such as `0b__`.
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
  // Go reads offsets of 24 hours and 60 minutes, but no such times of day.
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 24 || zoneMinute > 60) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return leap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
