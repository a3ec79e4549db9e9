import { isVersionRange, isSemver } from '../../bundle/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';

type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=';

interface Comparator {
  readonly operator: Operator;
  readonly version: SemanticVersion;
}

/** Alternatives: a version is in the range if all comparators of at least one alternative hold. */
type VersionRange = readonly (readonly Comparator[])[];

/** An interval of indices, from `from` (inclusive) to `to` (exclusive). */
export type Interval = readonly [from: number, to: number];

/** Maximum length of a range in characters. The limit exists because each comparator of a range requires a search through the versions. */
const longest = 2000;

/**
 * Parses a range in the way OLM parses a skipRange. Unlike in npm, pre-releases are compared like all other versions. Source:
 * github.com/blang/semver/v4 `ParseRange`.
 * @returns undefined if the text is not a range
 */
export function parseVersionRange(text: string): VersionRange | undefined {
  if (text.length > longest || !isVersionRange(text)) return undefined;
  const parts = text.replace(/([<>=!])\s+/g, '$1').split(/ +/);
  const alternatives: Comparator[][] = [[]];
  for (const part of parts) {
    if (part === '') continue;
    if (part === '||') alternatives.push([]);
    else alternatives.at(-1)?.push(...comparators(part));
  }
  return alternatives;
}

const operators: Readonly<Record<string, Operator>> = {
  '': '=',
  '=': '=',
  '==': '=',
  '!': '!=',
  '!=': '!=',
  '>': '>',
  '>=': '>=',
  '<': '<',
  '<=': '<=',
};

function comparators(part: string): readonly Comparator[] {
  const [, sign = '', rest = ''] = /^([<>=!]*)(.*)$/s.exec(part) ?? [];
  const operator = operators[sign] ?? '=';
  const of = (own: Operator, text: string): Comparator => ({ operator: own, version: versionOf(text) });
  const wildcard = /^(\d+)(?:\.(\d+))?\.x(\.x)?$/.exec(rest);
  if (wildcard === null) return [of(operator, rest)];
  const [, major = '0', minor, second] = wildcard;
  // blang/semver treats `1.x.x` as `1.2.x`, with a wildcard only in the third number. Therefore, the upper bound increments the second
  // number.
  const [low, next] =
    minor !== undefined || second !== undefined
      ? [`${major}.${minor ?? '0'}.0`, `${major}.${BigInt(minor ?? '0') + 1n}.0`]
      : [`${major}.0.0`, `${BigInt(major) + 1n}.0.0`];
  if (operator === '=') return [of('>=', low), of('<', next)];
  if (operator === '!=') return [of('<', low), of('>=', next)];
  if (operator === '>') return [of('>=', next)];
  return operator === '<=' ? [of('<', next)] : [of(operator, low)];
}

function versionOf(text: string): SemanticVersion {
  const version = parseSemver(text);
  if (version === undefined) throw new TypeError(`${text} passed as a part of a range`);
  return version;
}

/**
 * Returns the intervals of indices in `sorted` whose versions match a range.
 * @param sorted versions, lowest first
 */
export function intervalsOf(range: VersionRange, sorted: readonly SemanticVersion[]): readonly Interval[] {
  return range.flatMap((all) =>
    all.reduce<readonly Interval[]>(
      (intervals, comparator) => intersect(intervals, within(comparator, sorted)),
      [[0, sorted.length]],
    ),
  );
}

function within({ operator, version }: Comparator, sorted: readonly SemanticVersion[]): readonly Interval[] {
  const end = sorted.length;
  const first = firstIndex(sorted, (other) => compareSemver(other, version) >= 0);
  const behind = firstIndex(sorted, (other) => compareSemver(other, version) > 0);
  const byOperator: Readonly<Record<Operator, readonly Interval[]>> = {
    '=': [[first, behind]],
    '!=': [
      [0, first],
      [behind, end],
    ],
    '>': [[behind, end]],
    '>=': [[first, end]],
    '<': [[0, first]],
    '<=': [[0, behind]],
  };
  return byOperator[operator];
}

/** Returns the first index in `sorted` whose version satisfies `is`. All later versions must satisfy `is`, too. */
function firstIndex(sorted: readonly SemanticVersion[], is: (version: SemanticVersion) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const version = sorted[middle];
    if (version !== undefined && is(version)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function intersect(some: readonly Interval[], others: readonly Interval[]): readonly Interval[] {
  return some.flatMap(([from, to]) =>
    others.flatMap(([otherFrom, otherTo]): readonly Interval[] => {
      const both: Interval = [Math.max(from, otherFrom), Math.min(to, otherTo)];
      return both[0] < both[1] ? [both] : [];
    }),
  );
}

/**
 * A version of Semantic Versioning 2.0.0. Its numbers are kept as texts, because Go accepts larger numbers than JavaScript can represent.
 */
export interface SemanticVersion {
  readonly text: string;
  readonly core: readonly string[];
  readonly pre: readonly string[];
  readonly build: readonly string[];
}

/**
 * Parses a version strictly, as OLM does.
 * @returns undefined if the text is not a version
 */
export function parseSemver(text: string): SemanticVersion | undefined {
  if (!isSemver(text)) return undefined;
  const [rest = '', build] = split(text, '+');
  const [core = '', pre] = split(rest, '-');
  return { text, core: core.split('.'), pre: pre?.split('.') ?? [], build: build?.split('.') ?? [] };
}

function split(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Orders versions as OLM does, ignoring build metadata after `+`. Source: github.com/blang/semver/v4 `Version.Compare`. */
export function compareSemver(a: SemanticVersion, b: SemanticVersion): number {
  for (const index of [0, 1, 2]) {
    const order = compareNumbers(a.core[index] ?? '0', b.core[index] ?? '0');
    if (order !== 0) return order;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  return compareIdentifiers(a.pre, b.pre);
}

/** Compares the dot-separated parts of two pre-releases, or of two releases, which have the same format. */
export function compareIdentifiers(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = comparePart(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function comparePart(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return compareNumbers(a, b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return compareCodeUnits(a, b);
}

/** Compares numbers given as text, written in digits without leading zeros. */
function compareNumbers(a: string, b: string): number {
  return a.length - b.length || compareCodeUnits(a, b);
}
