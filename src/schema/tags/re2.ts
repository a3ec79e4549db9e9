import { RE2JS } from 're2js';

/** What is wrong with a pattern for the API server, which matches with RE2 (Go's regexp); undefined if nothing is. */
export function patternProblem(pattern: string): string | undefined {
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
