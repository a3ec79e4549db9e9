import { escapeXml } from '../ui/xml.ts';
import { defineCommand, type CliContext, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { xunit } from '../flags/words.ts';
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
  type TestResult,
} from '../../olm/bundle/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import {
  LabelSelectorError,
  parseLabelSelector,
  type LabelRequirement,
} from '../../base/util/label-selector.ts';
import { compareCodeUnits } from '../../base/util/json-map.ts';
import { printable } from '../../base/util/terminal-words.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';
import type { PlannedBundle, PodFlags } from '../actions/scorecard/run-on-cluster.ts';
import { openBundle } from '../actions/validate/open-bundle.ts';

const flags = {
  local: flag.boolean('run nothing on a cluster: tests of other images get the state error'),
  config: flag.text('file', 'the configuration (default: the one of the bundle)', { short: 'c' }),
  selector: flag.text('selector', 'run the tests with these labels: suite=olm, test in (a,b)', {
    short: 'l',
  }),
  list: flag.boolean('list the tests that are selected, run nothing', { short: 'L' }),
  namespace: flag.text('name', 'where Pods run (default: the namespace of the kubeconfig)', { short: 'n' }),
  'service-account': flag.text(
    'name',
    "the ServiceAccount of Pods (default: the configuration's, else default)",
    { short: 's' },
  ),
  'wait-time': flag.text('duration', 'how long each Pod may take (default: 30s)', { short: 'w' }),
  'skip-cleanup': flag.boolean('leave the Pods and the ConfigMap on the cluster', { short: 'x' }),
  'untar-image': flag.text(
    'image',
    "unpacks the bundle in Pods by its tar (default: operator-sdk's scorecard-untar)",
    { short: 'u' },
  ),
  'pod-security': flag.choice(
    'level',
    ['legacy', 'restricted'],
    'restricted: as the Pod Security Standard demands',
    { default: 'legacy' },
  ),
  ...clusterFlags,
  ...pullFlags,
};

export const command = defineCommand({
  formats: [xunit],
  arguments: [['[bundle]', 'the folder of the bundle, an image, or oci:DIR (default: bundle)']],
  flags,
  help: `
Runs the tests that the configuration of the bundle lists, in its stages. Those of operator-sdk's
image scorecard-test read files only and run in this process, with the same verdicts:
basic-check-spec, olm-bundle-validation, olm-crds-have-validation, olm-crds-have-resources,
olm-spec-descriptors, olm-status-descriptors. No cluster is needed for them.

A test of another image runs in a Pod, as operator-sdk does it: the bundle lies in /bundle, the
namespace is in SCORECARD_NAMESPACE, and the log is one JSON document with the results. A Pod that
crashes, prints something else, or does not end in time gives a result with the state error and
the cause. Everything is checked by dry runs before anything is created, and deleted at the end,
also after Ctrl-C. The exit code is 1 if a test does not pass.

  -o json     the TestList of operator-sdk
  -o ${xunit}    JUnit's XML, as operator-sdk writes it`,
  async run(context, flags, [dir = 'bundle']) {
    const { output, config, selector = '' } = flags;
    const requirements = readSelector(selector);
    await using opened = await openBundle(context, dir, flags);
    const plan = await planScorecard(opened.dir, {
      cwd: context.cwd,
      ...(opened.shown === undefined ? {} : { shown: opened.shown }),
      ...(config === undefined ? {} : { config }),
      selector: requirements,
    });
    // Warnings are always printed on stderr, because the output documents have no field for warnings.
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
  },
});

/** Time that operator-sdk writes for tests without a time of their own. */
const noTime = '0001-01-01T00:00:00Z';

/**
 * Returns the results in JUnit's XML format, as operator-sdk writes them. Source: operator-sdk
 * `internal/cmd/operator-sdk/scorecard/xunit/xunit.go`. operator-sdk does not escape errors, so a `<` in an error makes its document
 * invalid. This function escapes errors.
 */
export function testListXml(tests: readonly ScorecardTest[]): string {
  const suites = tests.flatMap(suiteLines);
  return ['<testsuites name="scorecard">', ...suites, '</testsuites>'].join('\n');
}

function suiteLines({ spec, results }: ScorecardTest, index: number): readonly string[] {
  const name = spec.labels['test'] ?? `testsuite-${String(index + 1).padStart(3, '0')}`;
  const phase = spec.labels['cluster-phase'];
  const properties = {
    'spec.image': spec.image,
    'spec.entrypoint': spec.entrypoint.join(' '),
    'labels.test': name,
    ...(phase === undefined ? {} : { 'labels.cluster-phase': phase }),
  };
  const count = (wanted: string): number => results.filter(({ state }) => state === wanted).length;
  return [
    `  <testsuite name="${escapeXml(name)}" tests="${results.length}" skipped="0" failures="${count('fail')}" errors="${count('error')}">`,
    '    <properties>',
    ...Object.entries(properties).map(
      ([key, value]) => `      <property name="${key}" value="${escapeXml(value)}"></property>`,
    ),
    '    </properties>',
    ...results.flatMap(caseLines),
    '  </testsuite>',
  ];
}

function caseLines({ name, state, log, errors, createdAt = noTime }: TestResult): readonly string[] {
  const element = state === 'fail' ? 'failure' : state;
  // Keep the line breaks between errors.
  const text = errors.map(escapeXml).join('\n');
  return [
    `    <testcase name="${escapeXml(name)}" time="${escapeXml(createdAt)}">`,
    `      <system-out>${escapeXml(log)}</system-out>`,
    ...(state === 'pass' ? [] : [`      <${element} type="${element}">${text}</${element}>`]),
    '    </testcase>',
  ];
}

/**
 * Returns the results as human-readable text in operator-sdk's layout. Source: operator-framework/api
 * `pkg/apis/scorecard/v1alpha3/formatter.go`.
 */
export function testListText(tests: readonly ScorecardTest[]): string {
  return tests.map((test) => printable(`${linesOf(test).join('\n')}\n\n`)).join('');
}

function linesOf({ spec: { image, entrypoint, labels }, results }: ScorecardTest): readonly string[] {
  const pairs = Object.entries(labels).sort(([one], [other]) => compareCodeUnits(one, other));
  return [
    '-'.repeat(80),
    `Image:      ${image}`,
    ...(entrypoint.length === 0 ? [] : [`Entrypoint: [${entrypoint.join(' ')}]`]),
    ...headed(
      'Labels:',
      pairs.map(([key, value]) => `\t${JSON.stringify(key)}:${JSON.stringify(value)}`),
    ),
    ...headed(
      'Results:',
      results.flatMap(({ name, state, suggestions, errors, log }) => [
        `\tName: ${name}`,
        `\tState: ${state}`,
        '',
        ...headed('\tSuggestions:', suggestions.map(indented)),
        ...headed('\tErrors:', errors.flatMap(linesIn).map(indented)),
        ...headed('\tLog:', linesIn(log).map(indented)),
        '',
      ]),
    ),
  ];
}

/** Returns the heading followed by the lines; an empty list if there is nothing below the heading. */
function headed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

const indented = (line: string): string => `\t\t${line}`;

function linesIn(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

const apiVersion = 'scorecard.operatorframework.io/v1alpha3';

/**
 * Returns the document for `-o json`. It has the same fields as operator-sdk's document. Source: operator-framework/api
 * `pkg/apis/scorecard/v1alpha3` `TestList`.
 */
export function testListDocument(tests: readonly ScorecardTest[]): unknown {
  return { kind: 'TestList', apiVersion, items: tests.map(testDocument) };
}

function testDocument({ spec, results }: ScorecardTest): unknown {
  const { image, uniqueId, entrypoint, labels, mountPath } = spec;
  return {
    kind: 'Test',
    apiVersion,
    spec: {
      image,
      ...(uniqueId === undefined ? {} : { uniqueID: uniqueId }),
      ...(entrypoint.length === 0 ? {} : { entrypoint }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      storage: { spec: { mountPath: mountPath === undefined ? {} : { path: mountPath } } },
    },
    status: results.length === 0 ? {} : { results: results.map(resultDocument) },
  };
}

function resultDocument({ name, log, state, errors, suggestions, createdAt }: TestResult): unknown {
  return {
    name,
    ...(log === '' ? {} : { log }),
    state,
    ...(errors.length === 0 ? {} : { errors }),
    ...(suggestions.length === 0 ? {} : { suggestions }),
    creationTimestamp: createdAt ?? null,
  };
}

type ScorecardFlags = ParsedOptions<typeof flags>;

/** Runs the scorecard tests of a plan, or only lists them if `--list` is given. */
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

/**
 * Loads the modules for clusters and runs the tests that need a cluster. This is a separate function for the reason that `judge` in
 * bundle-validate.ts explains.
 */
async function runWithPods(
  context: CliContext,
  flags: PodFlags,
  bundle: PlannedBundle,
): Promise<readonly ScorecardTest[]> {
  const { runOnCluster } = await import('../actions/scorecard/run-on-cluster.ts');
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
