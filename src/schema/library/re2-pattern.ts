import { patternProblem } from '../../crd/value/re2.ts';
import type { JSONSchemaProps } from '../../crd/json-schema-props.ts';

/** What a regular expression of JavaScript is in a schema: RE2 has no look-ahead, but look-ahead at the start can be said beside the pattern. */
export type PatternSchema = Pick<JSONSchemaProps, 'pattern' | 'allOf'>;

/**
 * A pattern for the API server: `^(?!a)(?=b)c` is `^c`, `^b` and not `^a`.
 * @returns what is wrong with it for RE2, if it cannot be said
 */
export function re2Pattern(source: string): PatternSchema | { readonly problem: string } {
  const { conditions, rest } = leadingLookAheads(source);
  const schema: PatternSchema =
    conditions.length === 0
      ? { pattern: source }
      : {
          pattern: rest,
          allOf: conditions.map(({ isNegative, pattern }) =>
            isNegative ? { not: { pattern } } : { pattern },
          ),
        };
  const patterns = [schema.pattern ?? '', ...conditions.map(({ pattern }) => pattern)];
  const problem = patterns.map(patternProblem).find((each) => each !== undefined);
  return problem === undefined ? schema : { problem };
}

interface Condition {
  readonly isNegative: boolean;
  readonly pattern: string;
}

function leadingLookAheads(source: string): {
  readonly conditions: readonly Condition[];
  readonly rest: string;
} {
  const none = { conditions: [], rest: source };
  if (!source.startsWith('^')) return none;
  const conditions: Condition[] = [];
  let position = 1;
  while (/^\(\?[!=]/.test(source.slice(position))) {
    const end = endOfGroup(source, position);
    if (end === undefined) return none;
    conditions.push({
      isNegative: source[position + 2] === '!',
      pattern: `^(?:${source.slice(position + 3, end)})`,
    });
    position = end + 1;
  }
  const rest = source.slice(position);
  // In `^(?!a)b|c` the condition is about `b` alone.
  return hasAlternatives(rest) ? none : { conditions, rest: `^${rest}` };
}

/** The position of the parenthesis that closes the group at a position. */
function endOfGroup(source: string, start: number): number | undefined {
  let depth = 0;
  for (const { text, index } of tokens(source, start)) {
    if (text === '(') depth += 1;
    if (text === ')' && (depth -= 1) === 0) return index;
  }
  return undefined;
}

function hasAlternatives(source: string): boolean {
  let depth = 0;
  for (const { text } of tokens(source, 0)) {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (text === '|' && depth === 0) return true;
  }
  return false;
}

/** Escaped characters and classes as a whole, everything else one by one. */
function tokens(source: string, start: number): readonly { readonly text: string; readonly index: number }[] {
  return [...source.slice(start).matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu)].map(({ 0: text, index }) => ({
    text,
    index: index + start,
  }));
}
