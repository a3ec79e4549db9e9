import { RE2JS } from 're2js';

/** Few patterns stand in many places: every Quantity has the same one. */
const verdicts = new Map<string, string | undefined>();

/** What is wrong with a pattern for the API server, which matches with RE2 (Go's regexp); undefined if nothing is. */
export function patternProblem(pattern: string): string | undefined {
  if (!verdicts.has(pattern)) verdicts.set(pattern, problemOf(pattern));
  return verdicts.get(pattern);
}

function problemOf(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
  }
}

/** Whether a text holds a match of the pattern anywhere, as the API server decides it. */
export function patternMatches(pattern: string, text: string): boolean {
  return RE2JS.compile(pattern).matcher(text).find();
}
