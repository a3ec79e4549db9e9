import { patternProblem } from '../../../kubernetes/crd/value/re2.ts';
import type { JSONSchemaProps } from '../../../kubernetes/crd/json-schema-props.ts';

/** Form of a regular expression of JavaScript in a schema: RE2 has no look-ahead, but look-ahead at the start can stand beside the pattern. */
export type PatternSchema = Pick<JSONSchemaProps, 'pattern' | 'allOf'>;

/**
 * A pattern for the API server: `^(?!a)(?=b)c` is `^c`, `^b` and not `^a`.
 * @returns what is wrong with it for RE2, if it cannot be said
 */
export function re2Pattern(source: string): PatternSchema | { readonly problem: string } {
  if (source.length > longestPattern) return { problem: `it has more than ${longestPattern} characters` };
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

/** Compiling a longer one takes long, here and in the API server. */
const longestPattern = 10_000;

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
  let [position, depth, opened] = [1, 0, 1];
  // In one pass: a pattern of a stranger may be long.
  for (const { text, index } of tokens(source, 1)) {
    if (depth === 0 && !/^\(\?[!=]/.test(source.slice(index, index + 3))) break;
    if (depth === 0) opened = index;
    if (text === '(') depth += 1;
    if (text !== ')' || (depth -= 1) > 0) continue;
    conditions.push({
      isNegative: source[opened + 2] === '!',
      pattern: `^(?:${source.slice(opened + 3, index)})`,
    });
    position = index + 1;
  }
  if (depth > 0) return none;
  const rest = source.slice(position);
  // In `^(?!a)b|c` the condition is about `b` alone.
  return hasAlternatives(rest) ? none : { conditions, rest: `^${rest}` };
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

/** Escaped characters and classes as a whole, everything else one by one. A class without an end takes the rest. */
function* tokens(
  source: string,
  start: number,
): Generator<{ readonly text: string; readonly index: number }, void> {
  for (const { 0: text, index } of source.slice(start).matchAll(/\\.|\[(?:\\.|[^\]\\])*(?:\]|$)|./gsu))
    yield { text, index: index + start };
}
