/**
 * True if a YAML 1.1 reader could take the plain text for something else than a string: a boolean (`y`, `on`), null, a
 * number (`012`, `1_000`, `0b11`, `1:30`), a date. Kubernetes' Go tools read YAML 1.1, so such strings must be quoted.
 * Source: go.yaml.in/yaml/v2 `resolve.go`.
 */
export function isAmbiguousPlain(text: string): boolean {
  return readPlainAsGo(text) !== text || isSexagesimal(text) || isTimestamp(text);
}

/**
 * What Kubernetes' Go tools (sigs.k8s.io/yaml) read for the plain text in a file: mostly the text itself, but
 * `on` is true, `0644` is 420 and `1_000` is 1000. Dates stay strings.
 */
export function readPlainAsGo(text: string): string | number | boolean | null {
  // Long texts need no look-up, which would hash them.
  const word = text.length <= 5 ? words.get(text) : undefined;
  if (word !== undefined) return word;
  return (/^[-+.0-9]/.test(text) ? yaml11Number(text) : undefined) ?? text;
}

const words = new Map<string, boolean | number | null>([
  ...'y Y yes Yes YES true True TRUE on On ON'.split(' ').map((word) => [word, true] as const),
  ...'n N no No NO false False FALSE off Off OFF'.split(' ').map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...'.nan .NaN .NAN'.split(' ').map((word) => [word, NaN] as const),
  ...'.inf .Inf .INF +.inf +.Inf +.INF'.split(' ').map((word) => [word, Infinity] as const),
  ...'-.inf -.Inf -.INF'.split(' ').map((word) => [word, -Infinity] as const),
]);

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

function yaml11Number(text: string): number | undefined {
  // After a leading dot Go accepts underscores between digits only; elsewhere it drops them all first.
  if (text.startsWith('.') && /_(?!\d)|(?<!\d)_/.test(text)) return undefined;
  const plain = text.replaceAll('_', '');
  const based = /^([-+]?)0([xXoObB])([0-9a-fA-F]+)$/.exec(plain);
  if (based !== null) return int64(based[1], `0${(based[2] ?? '').toLowerCase()}${based[3] ?? ''}`);
  // `0b-1`: the Go original parses what follows the prefix with its own sign.
  const signedBinary = /^0b([-+])([01]+)$/.exec(plain);
  if (signedBinary !== null) return int64(signedBinary[1], `0b${signedBinary[2] ?? ''}`);
  const octal = /^([-+]?)0([0-7]+)$/.exec(plain);
  const octalValue = octal === null ? undefined : int64(octal[1], `0o${octal[2] ?? ''}`);
  if (octalValue !== undefined) return octalValue;
  if (!/^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(plain)) return undefined;
  // A number too great for a double is an error to Go, and so the text stays a string.
  return Number.isFinite(Number(plain)) ? Number(plain) : undefined;
}

/** The value of a literal that fits 64 bits, signed or, without a sign, unsigned. */
function int64(sign: string | undefined, unsigned: string): number | undefined {
  let magnitude: bigint;
  const [prefix, digits] = [unsigned.slice(0, 2), unsigned.slice(2).replace(/^0+(?=.)/, '')];
  if (digits.length > 64) return undefined;
  try {
    magnitude = BigInt(`${prefix}${digits}`);
  } catch {
    return undefined; // digits that the base does not have, such as 0o8
  }
  if (sign === '-') return -magnitude >= INT64_MIN ? -Number(magnitude) : undefined;
  return magnitude <= (sign === '+' ? INT64_MAX : UINT64_MAX) ? Number(magnitude) : undefined;
}

/** What kustomize reads, whose library takes only `true` and `false` for booleans. Source: go.yaml.in/yaml/v3 `resolve.go`. */
export function readPlainAsKustomize(text: string): string | number | boolean | null {
  const value = readPlainAsGo(text);
  return typeof value === 'boolean' && !/^(?:true|false)$/i.test(text) ? text : value;
}

/** Whether kustomize writes a plain date in another form: it reads a time, where Kubernetes' other tools read a string. */
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
