// The function is imported under another name, because bundles often begin with their own import of createRequire.
import { createRequire as createOwnRequire } from 'node:module';
import { isIP, isIPv6 } from 'node:net';
import type * as Re2 from 're2js';

let loaded: typeof Re2.RE2JS | undefined;

/**
 * Returns the RE2 module. It is loaded only when a pattern needs it, because it is one of the largest modules that op-sdk uses, and most
 * patterns can be checked without it.
 */
function re2(): typeof Re2.RE2JS {
  return (loaded ??= (createOwnRequire(import.meta.url)('re2js') as typeof Re2).RE2JS);
}

/**
 * Maps each pattern that has been checked to its problem; undefined for a valid pattern. Caching helps because a few distinct patterns,
 * such as that of Quantity, occur in many places.
 */
const verdicts = new Map<string, string | undefined>();

/**
 * Returns the reason why the API server would refuse a pattern; undefined if the pattern is valid. The API server matches with RE2 (Go's
 * regexp).
 */
export function patternProblem(pattern: string): string | undefined {
  if (!verdicts.has(pattern)) verdicts.set(pattern, isPlainPattern(pattern) ? undefined : problemOf(pattern));
  return verdicts.get(pattern);
}

function problemOf(pattern: string): string | undefined {
  try {
    re2().compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
  }
}

/** Returns true if the pattern matches any part of a text, by the rules of the API server. */
export function patternMatches(pattern: string, text: string): boolean {
  return re2().compile(pattern).matcher(text).find();
}

/** Returns the first parts of a text that a pattern matches; all of them if the limit is negative. */
export function patternFinds(pattern: string, text: string, limit: number): readonly string[] {
  const matcher = re2().compile(pattern).matcher(text);
  const found: string[] = [];
  while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

/**
 * Limits for patterns that are checked without RE2: the maximum length of the pattern in characters (first constant), and the maximum
 * product of its counted repetitions (second constant).
 */
const MOST_CHARACTERS = 500;
const MOST_REPEATS = 1000;

/** Matches one member of a character class (`[…]`): printable ASCII except `-`, `[`, `\`, `]` and `^`, or an escape. */
const member = String.raw`[ -,.-Z_-~]|\\[!-/:-@[-\x60{-~dDsSwW]`;
const range = '[0-9]-[0-9]|[a-z]-[a-z]|[A-Z]-[A-Z]';
const token = new RegExp(
  [
    String.raw`(?<open>\((?:\?:)?)`,
    String.raw`(?<close>\))`,
    String.raw`(?<bar>\|)`,
    String.raw`(?<anchor>[$^])`,
    String.raw`(?<atom>[ -#%-',-/0->@-Z_-z\x7e]|\.|\\[!-/:-@[-\x60{-~dDsSwWnrt]|\[\^?-?(?:${range}|${member})+-?\])`,
    String.raw`(?<repeat>(?:[*+?]|\{(?<least>\d{1,4})(?:,(?<most>\d{0,4}))?\})\??)`,
  ].join('|'),
  'y',
);

/**
 * Returns true if a pattern is certainly valid in RE2, because it uses only syntax that is valid in every flavour of regular expressions.
 * This suffices for most patterns. If the result is false, the pattern may be valid or not. The check avoids RE2, because loading RE2 and
 * compiling with it costs a thousand times as much.
 */
export function isPlainPattern(pattern: string): boolean {
  if (pattern.length > MOST_CHARACTERS) return false;
  let depth = 0;
  let repeats = 1;
  /** True after an atom or a group, which may be followed by a repetition such as `*`. */
  let isRepeatable = false;
  token.lastIndex = 0;
  while (token.lastIndex < pattern.length) {
    const groups = token.exec(pattern)?.groups;
    if (groups === undefined) return false;
    const { open, close, atom, repeat, least = '0', most = least } = groups;
    if (atom !== undefined && hasDescendingRange(atom)) return false;
    if (open !== undefined) depth += 1;
    if (close !== undefined && (depth -= 1) < 0) return false;
    if (repeat !== undefined) {
      if (!isRepeatable || (most !== '' && Number(most) < Number(least))) return false;
      repeats *= Math.max(1, Number(least), Number(most));
      if (repeats > MOST_REPEATS) return false;
    }
    isRepeatable = atom !== undefined || close !== undefined;
  }
  return depth === 0;
}

function hasDescendingRange(atom: string): boolean {
  for (const [, from = '', to = ''] of atom.matchAll(/(\w)-(\w)/g)) if (from > to) return true;
  return false;
}

type FormatCheck = (value: string) => boolean;

const matches =
  (pattern: RegExp): FormatCheck =>
  (value) =>
    pattern.test(value);

// Matches the time units that the API server's ParseDuration accepts in addition to Go's units. Long unit names may have any ending, as in
// `5 minutes`.
const durationUnit =
  /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i;
const goDuration = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

function isDuration(value: string): boolean {
  if (goDuration.test(value)) return true;
  return [...value.matchAll(/\d+\s*([A-Za-zµ]+)/g)].some(([, unit]) => durationUnit.test(unit ?? ''));
}

function isDate(value: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

function isDateTime(value: string): boolean {
  const [date = '', time = ''] = value.toLowerCase().split('t');
  const parts = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time);
  const [, hours = '', minutes = '', seconds = ''] = parts ?? [];
  return isDate(date) && parts !== null && hours <= '23' && minutes <= '59' && seconds <= '59';
}

function isHostname(value: string): boolean {
  const pattern =
    /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;
  const bytes = (text: string): number => Buffer.byteLength(text);
  return pattern.test(value) && bytes(value) <= 255 && value.split('.').every((label) => bytes(label) <= 63);
}

/** Removes leading zeros from the decimal parts of an address, because Go before 1.17 ignores them. */
const withoutLeadingZeros = (value: string): string =>
  value.replace(/(?:\d+\.){3}\d+$/, (parts) => parts.replace(/\b0+(?=\d)/g, ''));
const isIPv4: FormatCheck = (value) => value.includes('.') && isIP(withoutLeadingZeros(value)) !== 0;

function isCidr(value: string): boolean {
  const [, address = '', bits = ''] = /^(.*)\/(\d{1,3})$/.exec(value) ?? [];
  const version = isIP(withoutLeadingZeros(address));
  return version !== 0 && Number(bits) <= (version === 6 ? 128 : 32);
}

function isMac(value: string): boolean {
  const [separator] = /[:.-]/.exec(value) ?? [''];
  const parts = separator === '' ? [value] : value.split(separator);
  const digits = separator === '' ? value.length : separator === '.' ? 4 : 2;
  return (
    parts.every((part) => part.length === digits && /^[0-9a-f]+$/i.test(part)) &&
    [6, 8, 20].includes((parts.length * digits) / 2)
  );
}

function isIsbn10(value: string): boolean {
  const digits = value.replace(/[\s-]+/g, '');
  if (!/^(?:\d{9}X|\d{10})$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(value: string): boolean {
  const digits = value.replace(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return sum % 10 === 0;
}

function isCreditCard(value: string): boolean {
  const digits = value.replace(/\D+/g, '');
  const pattern =
    /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return pattern.test(digits) && sum % 10 === 0;
}

// The following checks of `email` and `uri` are incomplete: they reject only texts that are certainly invalid. The API server uses net/mail
// and net/url, which accept more than a pattern can express.
const isEmail: FormatCheck = (value) => /^.+@.+$/s.test(value.trim());
const isUri: FormatCheck = (value) =>
  /^(?:\/|\*$|[a-z][a-z0-9+.-]*:)/i.test(value) && !/[\p{Cc}]/u.test(value);

const name = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const hex = (count: number): string => `[0-9a-f]{${count}}`;
const uuid = (version: string, variant: string): FormatCheck =>
  matches(new RegExp(`^${hex(8)}-?${hex(4)}-?${version}-?${variant}-?${hex(12)}$`, 'i'));

const checks: Readonly<Record<string, FormatCheck>> = {
  bsonobjectid: matches(/^[0-9a-f]{24}$/i),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  cidr: isCidr,
  creditcard: isCreditCard,
  date: isDate,
  'date-time': isDateTime,
  duration: isDuration,
  email: isEmail,
  hexcolor: matches(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: (value) => isIPv6(value) && !value.includes('%'),
  isbn: (value) => isIsbn10(value) || isIsbn13(value),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  'k8s-long-name': (value) => value.length <= 253 && new RegExp(`^${name}(?:\\.${name})*$`).test(value),
  'k8s-short-name': (value) => value.length <= 63 && new RegExp(`^${name}$`).test(value),
  mac: isMac,
  rgbcolor: (value) => {
    const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value)?.slice(1) ?? [];
    return parts.length === 3 && parts.every((part) => Number(part) <= 255 && String(Number(part)) === part);
  },
  ssn: (value) => value.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(value),
  uri: isUri,
  uuid: uuid(hex(4), hex(4)),
  uuid3: uuid(`3${hex(3)}`, hex(4)),
  uuid4: uuid(`4${hex(3)}`, `[89ab]${hex(3)}`),
  uuid5: uuid(`5${hex(3)}`, `[89ab]${hex(3)}`),
};

/**
 * Maps format names to their checks. Hyphens are removed from the names, because the API server ignores hyphens in the name of a format.
 */
const checkOf = new Map(Object.entries(checks).map(([name, check]) => [name.replaceAll('-', ''), check]));

/**
 * Returns true if the API server would accept the string under this `format`. Under a format that the API server does not know, every
 * string is accepted. For `email` and `uri`, only strings that are certainly invalid are rejected. Source: kube-openapi
 * `pkg/validation/strfmt`.
 */
export function fitsFormat(format: string, value: string): boolean {
  return checkOf.get(format.replaceAll('-', ''))?.(value) !== false;
}

/** Returns true if the API server knows the `format` of a string. */
export function isKnownFormat(format: string): boolean {
  return checkOf.has(format.replaceAll('-', ''));
}
