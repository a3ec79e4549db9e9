import type { CaseResult, KindCases } from './run-cases.ts';

/** Runs cases on an API server in memory. */
export async function runInMemory(kinds: readonly KindCases[]): Promise<readonly CaseResult[]> {
  // The API server is loaded on demand: the command line takes that of the library, in place of a copy of its own.
  const { runCasesInMemory } = await import('./in-memory-cases.ts');
  return runCasesInMemory(kinds);
}
