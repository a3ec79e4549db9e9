import { join, relative, resolve, sep } from 'node:path';
import { OpSdkError, type Finding } from '../../errors/index.ts';
import { closestName } from '../../util/closest-name.ts';
import { pathExists } from '../../util/fs.ts';
import { leadsInside } from '../../util/leads-inside.ts';
import { labelsMatch, type LabelRequirement } from '../../util/label-selector.ts';
import { readRegularYamlFile, readYamlFile } from '../../yaml/index.ts';
import { annotationOf } from '../validate/annotations.ts';
import { joinResults } from '../validate/findings/join-results.ts';
import { validateBundle, type BundleVerdict } from '../validate/validate-bundle.ts';
import { builtInName, builtInTests, runBuiltIn } from './built-in-tests.ts';
import { readConfiguration, type ConfiguredTest } from './configuration.ts';
import type { TestResult } from './test-result.ts';

export interface ScorecardOptions {
  /** The folder that all paths are relative to. */
  readonly cwd: string;
  /** The configuration. Default: the one that the bundle's annotations name, else `tests/scorecard/config.yaml`. */
  readonly config?: string;
  /** What the labels of a test must meet. */
  readonly selector: readonly LabelRequirement[];
  /** Whether the tests are named only. */
  readonly listOnly: boolean;
}

/** A test, and what it said. */
export interface ScorecardTest {
  readonly spec: ConfiguredTest;
  /** Empty for a test that is named only. */
  readonly results: readonly TestResult[];
}

export interface Scorecard {
  readonly tests: readonly ScorecardTest[];
  /** A finding for each test that needs a cluster. */
  readonly notRun: readonly Finding[];
}

/**
 * Runs the tests that a bundle's configuration of scorecard selects, here and without a cluster: those of operator-sdk's own image. A
 * test of another image has the state `error`.
 *
 * @param dir the folder that holds `manifests/` and `metadata/`
 * @throws OpSdkError `bundle/not-a-folder`, `bundle/missing-folder`, `bundle/scorecard-config` and those of reading the configuration
 */
export async function runScorecard(dir: string, options: ScorecardOptions): Promise<Scorecard> {
  const verdict = await validateBundle(dir, { cwd: options.cwd });
  const file = options.config ?? configurationFile(verdict, options.cwd);
  // What people name may be a pipe, and be anywhere; what a bundle brings may not.
  const readFile = options.config === undefined ? readRegularYamlFile : readYamlFile;
  if (options.config === undefined) await checkIsInside(verdict, resolve(options.cwd, file), file);
  const all = await readConfiguration(options.cwd, file, readFile);
  const selected = all.filter(({ labels }) => labelsMatch(options.selector, labels));
  if (selected.length === 0) throw nothingSelected(all);
  if (options.listOnly) return { tests: selected.map((spec) => ({ spec, results: [] })), notRun: [] };
  const unknown = selected.flatMap(unknownTest);
  if (unknown.length > 0) throw new OpSdkError(unknown);
  const tests = selected.map((spec) => {
    const name = builtInName(spec);
    return { spec, results: [name === undefined ? notRun(spec) : runBuiltIn(name, verdict)] };
  });
  const custom = selected.filter((spec) => builtInName(spec) === undefined);
  return { tests, notRun: custom.map((spec) => notRunFinding(spec)) };
}

const testConfig = 'operators.operatorframework.io.test.config.v1';

function configurationFile({ dir, bundle, results }: BundleVerdict, cwd: string): string {
  if (bundle === undefined)
    throw new OpSdkError(joinResults(results.filter(({ level }) => level === 'error')));
  const folder = annotationOf(bundle, testConfig) ?? 'tests/scorecard/';
  const inside = relative(bundle.path, resolve(bundle.path, folder));
  if (folder.startsWith('/') || inside === '..' || inside.startsWith(`..${sep}`))
    throw new OpSdkError({
      code: 'bundle/scorecard-config',
      message: `the annotation ${testConfig}: expected a folder of the bundle, got ${JSON.stringify(folder)}`,
      where: { file: bundle.annotations?.file ?? dir },
      fix: ['write tests/scorecard/, or name the file: -c FILE'],
    });
  return relative(cwd, join(bundle.path, inside, 'config.yaml'));
}

/** A link of the bundle may lead to any file of this machine, whose content would be quoted. */
async function checkIsInside({ bundle }: BundleVerdict, path: string, file: string): Promise<void> {
  if (bundle === undefined || !(await pathExists(path)) || (await leadsInside(bundle.path, path))) return;
  throw new OpSdkError({
    code: 'bundle/scorecard-config',
    message: `${file} is a symbolic link to a place outside of the bundle`,
    where: { file },
    fix: ['write the file itself, or name it: -c FILE'],
  });
}

function nothingSelected(all: readonly ConfiguredTest[]): OpSdkError {
  const labels = all.flatMap((test) => Object.entries(test.labels).map(([key, value]) => `${key}=${value}`));
  const fix =
    labels.length === 0 ? 'leave the selector out: no test has labels' : `select by one of ${unique(labels)}`;
  const message = `--selector: none of the ${all.length} tests of the configuration is selected`;
  return new OpSdkError({ code: 'cli/invalid-value', message, where: { flag: '--selector' }, fix: [fix] });
}

function unknownTest(spec: ConfiguredTest): readonly Finding[] {
  const name = builtInName(spec);
  if (name === undefined || builtInTests.includes(name)) return [];
  const meant = closestName(name, builtInTests);
  const message = `the entrypoint: expected a test of scorecard-test, got ${JSON.stringify(name)}`;
  const fix = meant === undefined ? `write one of ${builtInTests.join(', ')}` : `did you mean ${meant}?`;
  return [{ code: 'bundle/scorecard-config', message, where: spec.where, fix: [fix] }];
}

function notRun(spec: ConfiguredTest): TestResult {
  return { name: nameOf(spec), state: 'error', log: [], errors: [notRunMessage(spec)], suggestions: [] };
}

function notRunFinding(spec: ConfiguredTest): Finding {
  const { test } = spec.labels;
  const others = test === undefined ? [] : [`select the other tests: -l 'test!=${test}'`];
  const fix = [...others, 'run the test on a cluster with operator-sdk scorecard'];
  return { code: 'bundle/scorecard-image', message: notRunMessage(spec), where: spec.where, fix };
}

function notRunMessage(spec: ConfiguredTest): string {
  return `the test ${nameOf(spec)} was not run: its image ${spec.image} needs a cluster`;
}

function nameOf({ labels, entrypoint, image }: ConfiguredTest): string {
  return labels['test'] ?? (entrypoint.length > 0 ? entrypoint.join(' ') : image);
}

function unique(texts: readonly string[]): string {
  return [...new Set(texts)].join(', ');
}
