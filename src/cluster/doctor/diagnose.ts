import { isOpSdkError } from '../../base/errors/index.ts';
import type { Check, Verdict } from './check.ts';
import { problemOf, skipped } from './check.ts';
import { checks } from './checks.ts';
import { createFacts, missing, type Attempt, type DoctorWorld, type FactName, type Facts } from './facts.ts';

/** A check and what it found. */
export interface CheckResult extends Verdict {
  readonly name: string;
}

/**
 * Looks at a project and its cluster, one check after the other. Writes nothing, here or there.
 *
 * @param table the checks, in the order of the report
 * @param onResult is called with each result as it comes
 */
export async function diagnose(
  world: DoctorWorld,
  onResult: (result: CheckResult) => void = () => undefined,
  table: readonly Check[] = checks,
): Promise<readonly CheckResult[]> {
  const facts = createFacts(world);
  const results: CheckResult[] = [];
  try {
    for (const check of table) {
      world.signal.throwIfAborted();
      const result = { name: check.name, ...(await verdictOf(check, world, facts.attempt)) };
      results.push(result);
      onResult(result);
    }
  } finally {
    await facts.close();
  }
  return results;
}

async function verdictOf(check: Check, world: DoctorWorld, attempt: Attempt): Promise<Verdict> {
  const facts: Partial<Record<FactName, unknown>> = {};
  for (const name of check.needs) {
    const fact = await attempt(name);
    if ('error' in fact) return skipped(missing[name]);
    facts[name] = fact.value;
  }
  try {
    return await check.run(facts as Facts, world, attempt);
  } catch (error) {
    world.signal.throwIfAborted();
    if (!isOpSdkError(error)) throw error;
    return problemOf(error.findings);
  }
}
