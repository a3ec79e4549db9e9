import { createTestApi } from '../api/create-test-api.ts';
import { notRun, runCase, type CaseResult, type KindCases } from './run-cases.ts';

/** Runs cases of kinds, each kind on an API server in memory of its own. */
export async function runCasesInMemory(kinds: readonly KindCases[]): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const { kind, cases } of kinds) {
    await using api = await createTestApi({ kinds: [], crds: [kind.definition] });
    for (const test of cases) {
      try {
        results.push(await runCase(api.client, kind, test));
      } catch (error) {
        results.push(notRun(test, error));
      }
    }
  }
  return results;
}
