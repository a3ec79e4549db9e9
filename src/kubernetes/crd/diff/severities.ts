import { closestName } from '../../../base/util/closest-name.ts';
import { invalid, placeInside, readAt, type JsonReader } from '../../../base/util/read-json.ts';
import { anyObject, mapped, oneOf } from '../../../base/util/json-reader.ts';
import { changeCodes, severities, type ChangeCode, type Severity } from './change-codes.ts';

/** Severities of a project that differ from those of {@link changeCodes}. */
export type Severities = Readonly<Partial<Record<ChangeCode, Severity>>>;

export function isChangeCode(code: string): code is ChangeCode {
  return Object.hasOwn(changeCodes, code);
}

/** Codes that may have been meant: the one with the fewest edits first, then those that share words, of which rare ones say more. */
function nearestCodes(code: string): readonly ChangeCode[] {
  const codes = Object.keys(changeCodes) as ChangeCode[];
  const words = new Set(code.toLowerCase().split(/[^a-z]+/));
  const rarity = (word: string): number => 1 / codes.filter((each) => each.split('-').includes(word)).length;
  const shared = (other: string): number =>
    other
      .split('-')
      .filter((word) => words.has(word))
      .reduce((sum, word) => sum + rarity(word), 0);
  const closest = codes.filter((each) => each === closestName(code, codes));
  const related = codes.filter((each) => shared(each) > 0).sort((a, b) => shared(b) - shared(a));
  return [...new Set([...closest, ...related])].slice(0, 5);
}

/** Returns the fix for an unknown code. */
export function codeFix(code: string): string {
  const nearest = nearestCodes(code);
  return nearest.length === 0
    ? 'write a code that `op-sdk crd diff` prints, such as enum-value-added'
    : `write one of ${nearest.join(', ')}`;
}

/** Severities by code: `{"enum-value-added": "breaking"}`. */
export const severitiesReader: JsonReader<Severities> = mapped(anyObject, (value, place) => {
  const read = Object.entries(value).flatMap(([code, severity]): readonly (readonly [string, Severity])[] => {
    const at = placeInside(place, code);
    if (!isChangeCode(code)) {
      invalid(at, 'unknown code of a change', codeFix(code));
      return [];
    }
    const known = readAt(oneOf(...severities), severity, at);
    return known === undefined ? [] : [[code, known]];
  });
  return Object.fromEntries(read);
});
