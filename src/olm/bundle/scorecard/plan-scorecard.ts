import { join, relative, resolve, sep } from 'node:path';
import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import { pathExists } from '../../../base/util/fs.ts';
import { labelsMatch, type LabelRequirement } from '../../../base/util/label-selector.ts';
import { leadsInside } from '../../../base/util/folders.ts';
import { readRegularYamlFile, readYamlFile } from '../../../kubernetes/yaml/index.ts';
import { annotationOf } from '../validate/annotations.ts';
import { joinResults } from '../validate/findings/collect-findings.ts';
import { validateBundle, type BundleVerdict } from '../validate/validate-bundle.ts';
import { builtInName, builtInTests } from './built-in-tests.ts';
import {
  readConfiguration,
  type ConfigurationPlace,
  type ConfiguredStage,
  type ConfiguredTest,
} from './configuration.ts';

interface ScorecardOptions {
  /** Folder to which all paths in the options are relative. */
  readonly cwd: string;
  /** Name of the bundle in findings. Default: path of the bundle relative to `cwd`. */
  readonly shown?: string;
  /** Path of the scorecard configuration. Default: the file that the bundle's annotations name, else `tests/scorecard/config.yaml`. */
  readonly config?: string;
  /** Requirements that the labels of a test must meet for the test to run. */
  readonly selector: readonly LabelRequirement[];
}

/** The tests of a bundle that will be run, with the result of validating the bundle. */
export interface ScorecardPlan {
  readonly verdict: BundleVerdict;
  /** Name of the ServiceAccount that the configuration sets for the Pods of the tests. */
  readonly serviceAccount: string | undefined;
  /** Stages with their selected tests. Stages without a selected test are left out. */
  readonly stages: readonly ConfiguredStage[];
  /** Warnings; contains one if no test is selected. */
  readonly warnings: readonly Finding[];
}

/**
 * Validates a bundle, reads its scorecard configuration, and selects the tests.
 * @param dir the folder that contains `manifests/` and `metadata/`
 * @throws OpSdkError `bundle/not-a-folder`, `bundle/missing-folder`, `bundle/scorecard-config` and the errors of reading the configuration
 */
export async function planScorecard(dir: string, options: ScorecardOptions): Promise<ScorecardPlan> {
  const { cwd, shown, config, selector } = options;
  const verdict = await validateBundle(dir, { cwd, ...(shown === undefined ? {} : { shown }) });
  // The user may give a configuration path that is a pipe or lies outside the bundle. A configuration path that the bundle gives may not.
  const place =
    config === undefined
      ? await configurationInside(verdict, options)
      : { path: resolve(cwd, config), shown: config };
  const readFile = config === undefined ? readRegularYamlFile : readYamlFile;
  const { serviceAccount, stages: all } = await readConfiguration(place, readFile);
  const stages = all
    .map(({ parallel, tests }) => ({
      parallel,
      tests: tests.filter(({ labels }) => labelsMatch(selector, labels)),
    }))
    .filter(({ tests }) => tests.length > 0);
  const warnings = stages.length > 0 ? [] : [nothingSelected(all.flatMap(({ tests }) => tests))];
  return { verdict, serviceAccount, stages, warnings };
}

/** Returns the selected tests of all stages, in order. */
export function testsOf({ stages }: Pick<ScorecardPlan, 'stages'>): readonly ConfiguredTest[] {
  return stages.flatMap(({ tests }) => tests);
}

/** Returns the selected tests that do not run in operator-sdk's own image. */
export function customTestsOf(plan: Pick<ScorecardPlan, 'stages'>): readonly ConfiguredTest[] {
  return testsOf(plan).filter((spec) => builtInName(spec) === undefined);
}

/**
 * Refuses tests that operator-sdk's image does not contain.
 * @throws OpSdkError `bundle/scorecard-config`
 */
export function checkBuiltIns(plan: Pick<ScorecardPlan, 'stages'>): void {
  const unknown = testsOf(plan).flatMap(unknownTest);
  if (unknown.length > 0) throw new OpSdkError(unknown);
}

/**
 * Refuses custom tests that need storage for their output.
 * @throws OpSdkError `bundle/scorecard-storage`
 */
export function refuseStorage(plan: Pick<ScorecardPlan, 'stages'>): void {
  const findings = customTestsOf(plan).flatMap(({ mountPath, where }): readonly Finding[] => {
    if (mountPath === undefined) return [];
    const message = `the test has storage at ${mountPath}, which op-sdk does not support: files that a test writes are not kept`;
    const fix = ['remove the path of storage, and let the test print what it found in its results'];
    return [{ code: 'bundle/scorecard-storage', message, where, fix }];
  });
  if (findings.length > 0) throw new OpSdkError(findings);
}

const testConfig = 'operators.operatorframework.io.test.config.v1';

async function configurationInside(
  { dir, bundle, results }: BundleVerdict,
  { cwd, shown }: ScorecardOptions,
): Promise<ConfigurationPlace> {
  if (bundle === undefined)
    throw new OpSdkError(joinResults(results.filter(({ level }) => level === 'error')));
  const folder = annotationOf(bundle, testConfig) ?? 'tests/scorecard/';
  const inside = relative(bundle.path, resolve(bundle.path, folder));
  if (folder.startsWith('/') || inside === '..' || inside.startsWith(`..${sep}`))
    throw new OpSdkError({
      code: 'bundle/scorecard-config',
      message: `the annotation ${testConfig}: expected a folder of the bundle, got ${JSON.stringify(folder)}`,
      where: { file: bundle.annotations?.file ?? dir },
      fix: ['set the annotation to tests/scorecard/, or name the configuration file: -c FILE'],
    });
  const path = join(bundle.path, inside, 'config.yaml');
  const file = shown === undefined ? relative(cwd, path) : join(shown, inside, 'config.yaml');
  // Refuse links that lead outside the bundle. They could lead to any file of this machine, and errors would quote the content of that
  // file.
  if ((await pathExists(path)) && !(await leadsInside(bundle.path, path)))
    throw new OpSdkError({
      code: 'bundle/scorecard-config',
      message: `${file} is a symbolic link to a place outside of the bundle`,
      where: { file },
      fix: ['replace the link by a regular file, or name the configuration file: -c FILE'],
    });
  return { path, shown: file };
}

function nothingSelected(all: readonly ConfiguredTest[]): Finding {
  const labels = all.flatMap((test) => Object.entries(test.labels).map(([key, value]) => `${key}=${value}`));
  const fix =
    labels.length === 0
      ? 'leave the selector out: no test has labels'
      : `select by one of ${[...new Set(labels)].join(', ')}`;
  const message = `0 tests selected: none of the ${all.length} tests of the configuration has these labels`;
  return { code: 'bundle/scorecard-selection', message, where: { flag: '--selector' }, fix: [fix] };
}

function unknownTest(spec: ConfiguredTest): readonly Finding[] {
  const name = builtInName(spec);
  if (name === undefined || builtInTests.includes(name)) return [];
  const meant = closestName(name, builtInTests);
  const message = `the entrypoint: expected a test of scorecard-test, got ${JSON.stringify(name)}`;
  const fix = meant === undefined ? `write one of ${builtInTests.join(', ')}` : `did you mean ${meant}?`;
  return [{ code: 'bundle/scorecard-config', message, where: spec.where, fix: [fix] }];
}
