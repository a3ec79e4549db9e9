import { isSemver } from '../../bundle/validate/semver.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';

/** A version of Semantic Versioning 2.0.0. Its numbers are texts: Go takes larger ones than JavaScript does. */
export interface SemanticVersion {
  readonly text: string;
  readonly core: readonly string[];
  readonly pre: readonly string[];
  readonly build: readonly string[];
}

/** @returns undefined if the text is not a version, whole, as OLM reads one */
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

/** Orders versions as OLM does: what comes behind `+` does not count. Source: github.com/blang/semver/v4 `Version.Compare`. */
export function compareSemver(a: SemanticVersion, b: SemanticVersion): number {
  for (const index of [0, 1, 2]) {
    const order = compareNumbers(a.core[index] ?? '0', b.core[index] ?? '0');
    if (order !== 0) return order;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  return compareIdentifiers(a.pre, b.pre);
}

/** Orders the parts of pre-releases, and of releases, which have the same form. */
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

/** Compares numbers written as digits without leading zeros. */
function compareNumbers(a: string, b: string): number {
  return a.length - b.length || compareCodeUnits(a, b);
}
