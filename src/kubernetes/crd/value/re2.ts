// Bundles often begin with an import of createRequire: another name for ours.
import { createRequire as createOwnRequire } from 'node:module';
import type * as Re2 from 're2js';
import { isPlainPattern } from './plain-pattern.ts';

let loaded: typeof Re2.RE2JS | undefined;

/** Loaded with the first pattern that needs it: it is one of the largest modules of all, and most patterns are plain. */
function re2(): typeof Re2.RE2JS {
  return (loaded ??= (createOwnRequire(import.meta.url)('re2js') as typeof Re2).RE2JS);
}

/** Few patterns stand in many places: every Quantity has the same one. */
const verdicts = new Map<string, string | undefined>();

/** Returns the fault of a pattern for the API server, which matches with RE2 (Go's regexp); undefined if it is valid. */
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

/** Returns true if a text has a match of the pattern anywhere, as the API server decides it. */
export function patternMatches(pattern: string, text: string): boolean {
  return re2().compile(pattern).matcher(text).find();
}
