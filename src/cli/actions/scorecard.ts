import {
  checkBuiltIns,
  refuseStorage,
  customTestsOf,
  notRunFinding,
  planScorecard,
  resultWithoutCluster,
  runScorecard,
  testsOf,
  type ScorecardTest,
} from '../../olm/bundle/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import {
  LabelSelectorError,
  parseLabelSelector,
  type LabelRequirement,
} from '../../base/util/label-selector.ts';
import type { Action, CliContext } from '../command.ts';
import type { RegistryFlags } from '../flags/registry-flags.ts';
import { xunit } from '../flags/words.ts';
import { invalidFlag } from './input/flag-values.ts';
import type { PlannedBundle, PodFlags } from './scorecard/run-on-cluster.ts';
import { testListDocument } from './scorecard/test-list-document.ts';
import { testListText } from './scorecard/test-list-text.ts';
import { testListXml } from './scorecard/test-list-xml.ts';
import { openBundle } from './validate/open-bundle.ts';

interface ScorecardFlags extends RegistryFlags, PodFlags {
  readonly output: string;
  readonly local: boolean;
  readonly config?: string;
  readonly selector?: string;
  readonly list: boolean;
}

/** `op-sdk scorecard`. */
export const run: Action = async (context, parsed, [dir = 'bundle']) => {
  const flags = parsed as unknown as ScorecardFlags;
  const { output, config, selector = '' } = flags;
  const requirements = readSelector(selector);
  await using opened = await openBundle(context, dir, flags);
  const plan = await planScorecard(opened.dir, {
    cwd: context.cwd,
    ...(opened.shown === undefined ? {} : { shown: opened.shown }),
    ...(config === undefined ? {} : { config }),
    selector: requirements,
  });
  // On stderr whatever the format is: the document has no place for it.
  for (const warning of plan.warnings) context.report.warn(warning);
  const { tests, errors = [] } = await testsFor(context, flags, { plan, dir: opened.dir });
  const isPassed = tests.every(
    ({ results }) => flags.list || (results.length > 0 && results.every(({ state }) => state === 'pass')),
  );
  return {
    result: null,
    document: testListDocument(tests),
    text: output === xunit ? testListXml(tests) : testListText(tests),
    errors,
    exitCode: isPassed ? 0 : 1,
  };
};

/** Runs the tests of a plan, or names them. */
async function testsFor(
  context: CliContext,
  flags: ScorecardFlags,
  bundle: PlannedBundle,
): Promise<{ readonly tests: readonly ScorecardTest[]; readonly errors?: readonly Finding[] }> {
  const { plan } = bundle;
  if (flags.list) return { tests: testsOf(plan).map((spec) => ({ spec, results: [] })) };
  checkBuiltIns(plan);
  const custom = customTestsOf(plan);
  if (flags.local || custom.length === 0) {
    const tests = await runScorecard(plan, (spec) => Promise.resolve([resultWithoutCluster(spec)]));
    return { tests, errors: custom.map((spec) => notRunFinding(spec)) };
  }
  refuseStorage(plan);
  return { tests: await runWithPods(context, flags, bundle) };
}

/** Loads the modules for clusters, for tests that need one. In a function of its own: see `judge` in bundle-validate.ts. */
async function runWithPods(
  context: CliContext,
  flags: PodFlags,
  bundle: PlannedBundle,
): Promise<readonly ScorecardTest[]> {
  const { runOnCluster } = await import('./scorecard/run-on-cluster.ts');
  return runOnCluster(context, flags, bundle);
}

function readSelector(selector: string): readonly LabelRequirement[] {
  try {
    return parseLabelSelector(selector);
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    const message = `--selector: ${JSON.stringify(selector)} is not a label selector: ${error.message}`;
    throw new OpSdkError(invalidFlag('--selector', message, 'write suite=olm, or test in (a,b)'));
  }
}
