/**
 * True if a YAML 1.1 reader could take the plain text for something else than a string: a boolean (`y`, `on`), null, a
 * number (`012`, `1_000`, `0b11`, `1:30`), a date. Kubernetes' Go tools read YAML 1.1, so such strings must be quoted.
 * Source: go.yaml.in/yaml/v2 `resolve.go`.
 */
export function isAmbiguousPlain(text: string): boolean {
  if (text === '') return true;
  if (!/^[-+0-9.yYnNtTfFoO~<]/.test(text)) return false;
  return words.has(text) || isYaml11Number(text) || isSexagesimal(text) || isTimestamp(text);
}

const words = new Set(
  [
    'y Y yes Yes YES n N no No NO',
    'true True TRUE false False FALSE on On ON off Off OFF',
    '~ null Null NULL',
    '.nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF',
  ]
    .join(' ')
    .split(' '),
);

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

function isYaml11Number(text: string): boolean {
  // After a leading dot Go accepts underscores between digits only; elsewhere it drops them all first.
  if (text.startsWith('.') && /_(?!\d)|(?<!\d)_/.test(text)) return false;
  const plain = text.replaceAll('_', '');
  const based = /^([-+]?)0([xXoObB])([0-9a-fA-F]+)$/.exec(plain);
  if (based !== null)
    return fits64Bits(based[1] ?? '', `0${(based[2] ?? '').toLowerCase()}${based[3] ?? ''}`);
  // `0b-1`: the Go original parses what follows the prefix with its own sign.
  const signedBinary = /^0b([-+])([01]+)$/.exec(plain);
  if (signedBinary !== null) return fits64Bits(signedBinary[1] ?? '', `0b${signedBinary[2] ?? ''}`);
  // A number too great for a double is an error to Go, and so the text stays a string.
  return (
    /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(plain) && Number.isFinite(Number(plain))
  );
}

function fits64Bits(sign: string, unsigned: string): boolean {
  let magnitude: bigint;
  try {
    magnitude = BigInt(unsigned);
  } catch {
    return false; // digits that the base does not have, such as 0o8
  }
  if (sign === '-') return -magnitude >= INT64_MIN;
  return magnitude <= (sign === '+' ? INT64_MAX : UINT64_MAX);
}

/** YAML 1.1's base 60, `1:30`. Go does not read it but quotes it for those who do. */
function isSexagesimal(text: string): boolean {
  return /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
}

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
