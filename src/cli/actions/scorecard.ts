import { runScorecard, type ScorecardTest } from '../../bundle/index.ts';
import { OpSdkError } from '../../errors/index.ts';
import { LabelSelectorError, parseLabelSelector, type LabelRequirement } from '../../util/label-selector.ts';
import type { Action } from '../command.ts';
import { xunit } from '../flags/words.ts';
import { invalidFlag, missingFlag } from './input/flag-values.ts';
import { testListDocument } from './scorecard/test-list-document.ts';
import { testListText } from './scorecard/test-list-text.ts';
import { testListXml } from './scorecard/test-list-xml.ts';

interface ScorecardFlags {
  readonly output: string;
  readonly local: boolean;
  readonly config?: string;
  readonly selector?: string;
  readonly list: boolean;
}

/** `op-sdk scorecard`. */
export const run: Action = async (context, parsed, [dir = 'bundle']) => {
  const { output, local, config, selector = '', list } = parsed as unknown as ScorecardFlags;
  if (!local && !list)
    throw new OpSdkError(
      missingFlag(
        '--local',
        'running scorecard on a cluster is not supported in this version: expected --local',
        `op-sdk scorecard --local ${dir}`,
        'run custom tests on a cluster with operator-sdk scorecard',
      ),
    );
  const { tests, notRun } = await runScorecard(dir, {
    cwd: context.cwd,
    ...(config === undefined ? {} : { config }),
    selector: readSelector(selector),
    listOnly: list,
  });
  const isPassed = tests.every(({ results }) => results.every(({ state }) => state === 'pass'));
  const document = testListDocument(tests);
  const exitCode = isPassed ? 0 : 1;
  return { result: null, document, text: textOf(tests, output), errors: notRun, exitCode };
};

function textOf(tests: readonly ScorecardTest[], output: string): string {
  return output === xunit ? testListXml(tests) : testListText(tests);
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
