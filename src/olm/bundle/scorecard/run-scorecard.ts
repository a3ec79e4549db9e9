import type { Finding } from '../../../base/errors/index.ts';
import { builtInName, runBuiltIn } from './built-in-tests.ts';
import type { ConfiguredTest } from './configuration.ts';
import type { ScorecardPlan } from './plan-scorecard.ts';
import type { TestResult } from './test-result.ts';

/** A test, and what it said. */
export interface ScorecardTest {
  readonly spec: ConfiguredTest;
  /** Empty for a test that is named only. */
  readonly results: readonly TestResult[];
}

/** Runs a test of an image that is not operator-sdk's own. */
export type RunCustomTest = (spec: ConfiguredTest) => Promise<readonly TestResult[]>;

/**
 * Runs the tests of a plan: those of operator-sdk's image here, the others by `runCustom`. Stages follow one another; the tests of a
 * parallel stage run together.
 *
 * @returns the tests in the order of the configuration
 * @throws what `runCustom` throws, once the other tests of its stage have ended
 */
export async function runScorecard(
  { stages, verdict }: ScorecardPlan,
  runCustom: RunCustomTest,
): Promise<readonly ScorecardTest[]> {
  const run = async (spec: ConfiguredTest): Promise<ScorecardTest> => {
    const name = builtInName(spec);
    return { spec, results: name === undefined ? await runCustom(spec) : [runBuiltIn(name, verdict)] };
  };
  const done: ScorecardTest[] = [];
  for (const { parallel, tests } of stages) {
    if (!parallel) for (const spec of tests) done.push(await run(spec));
    else {
      const ends = await Promise.allSettled(tests.map(run));
      for (const end of ends) {
        if (end.status === 'rejected') throw end.reason;
        done.push(end.value);
      }
    }
  }
  return done;
}

/** The result of a test that would need a cluster. */
export function resultWithoutCluster(spec: ConfiguredTest): TestResult {
  return { name: testNameOf(spec), state: 'error', log: '', errors: [notRunMessage(spec)], suggestions: [] };
}

/** Finding that a test was not run, with its fix. */
export function notRunFinding(spec: ConfiguredTest): Finding {
  const { test } = spec.labels;
  const others = test === undefined ? [] : [`select the other tests: -l 'test!=${test}'`];
  const fix = [...others, 'run it on a cluster: leave out --local'];
  return { code: 'bundle/scorecard-image', message: notRunMessage(spec), where: spec.where, fix };
}

function notRunMessage(spec: ConfiguredTest): string {
  return `the test ${testNameOf(spec)} was not run: its image ${spec.image} needs a cluster`;
}

/** Returns the name of a test for people. */
export function testNameOf({ labels, entrypoint, image }: ConfiguredTest): string {
  return labels['test'] ?? (entrypoint.length > 0 ? entrypoint.join(' ') : image);
}
