import { isJsonMap, type JsonMap } from '../../../base/util/json-map.ts';
import type { Finding } from '../../../base/errors/index.ts';
import type { TestResult, TestState, ConfiguredTest } from './configuration.ts';
import { builtInName, runBuiltIn } from './built-in-tests.ts';
import type { ScorecardPlan } from './plan-scorecard.ts';

/** Results in the log of a test's container, or the problem with the log. */
type ReadResults =
  | { readonly results: readonly TestResult[] }
  | {
      /** Problem with the log, worded as the end of a sentence whose subject is the log. */
      readonly problem: string;
    };

const states: readonly string[] = ['pass', 'fail', 'error'] satisfies readonly TestState[];

/**
 * Reads the results that a test printed. The log must be a single JSON document `{"results": [{"name", "state", "log", "errors",
 * "suggestions"}]}` without other text. Unknown fields are ignored, and field names are case-insensitive, as in Go. Source:
 * operator-framework/api `pkg/apis/scorecard/v1alpha3` `TestStatus`.
 * @param name name for results that have none
 */
export function readResults(log: string, name: string): ReadResults {
  if (log.trim() === '') return { problem: 'is empty' };
  const status = parsed(log);
  if (status !== undefined) return resultsOf(status, name);
  // Detect the usual mistake: a program that also prints its progress around the JSON document.
  const isSurrounded = log
    .split('\n')
    .some((line) => line.startsWith('{') && 'results' in resultsOf(parsed(line), name));
  return { problem: isSurrounded ? 'has other text around its JSON' : 'is not JSON' };
}

/** Parses JSON. @returns undefined if the text is not JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function resultsOf(status: unknown, name: string): ReadResults {
  const list = isJsonMap(status) ? fieldOf(status, 'results') : undefined;
  if (!Array.isArray(list)) return { problem: 'is not an object with the list `results`' };
  if (list.length === 0) return { problem: 'has no results' };
  const read = list.map((item: unknown, index) => readResult(item, `results[${index}]`, name));
  const problems = read.flatMap((each) => (typeof each === 'string' ? [each] : []));
  if (problems.length > 0) return { problem: `has invalid results: ${problems.join('; ')}` };
  return { results: read.filter((each) => typeof each !== 'string') };
}

/** Reads one result. @returns the reason as text if the result is invalid */
function readResult(item: unknown, path: string, otherName: string): TestResult | string {
  if (!isJsonMap(item)) return `${path}: expected an object`;
  const text = (field: string): string | undefined => {
    const value = fieldOf(item, field) ?? '';
    return typeof value === 'string' ? value : undefined;
  };
  const [name, state, log, createdAt] = ['name', 'state', 'log', 'creationTimestamp'].map(text);
  const errors = textsOf(fieldOf(item, 'errors'));
  const suggestions = textsOf(fieldOf(item, 'suggestions'));
  if (name === undefined) return `${path}.name: expected a string`;
  if (state === undefined || !states.includes(state))
    return `${path}.state: expected ${states.join(', ')}, got ${JSON.stringify(fieldOf(item, 'state') ?? null)}`;
  if (log === undefined) return `${path}.log: expected a string`;
  if (createdAt === undefined) return `${path}.creationTimestamp: expected a string`;
  if (errors === undefined) return `${path}.errors: expected a list of strings`;
  if (suggestions === undefined) return `${path}.suggestions: expected a list of strings`;
  return {
    name: name === '' ? otherName : name,
    state: state as TestState,
    log,
    errors,
    suggestions,
    ...(createdAt === '' ? {} : { createdAt }),
  };
}

function fieldOf(item: JsonMap, name: string): unknown {
  return item[name] ?? Object.entries(item).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((each): each is string => typeof each === 'string');
  return texts.length === value.length ? texts : undefined;
}

/** A test with its results. */
export interface ScorecardTest {
  readonly spec: ConfiguredTest;
  /** Results of the test; empty if the test was listed but not run. */
  readonly results: readonly TestResult[];
}

/** Runs a custom test: a test whose image is not operator-sdk's own. */
type RunCustomTest = (spec: ConfiguredTest) => Promise<readonly TestResult[]>;

/**
 * Runs the tests of a plan. Tests of operator-sdk's image run in this process; `runCustom` runs the other tests. Stages run one after the
 * other; the tests of a parallel stage run at the same time.
 * @returns the tests in the order of the configuration
 * @throws the error of `runCustom`, after the other tests of the stage have ended
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

/** Returns the result of a custom test that was not run, because it would need a cluster. */
export function resultWithoutCluster(spec: ConfiguredTest): TestResult {
  return { name: testNameOf(spec), state: 'error', log: '', errors: [notRunMessage(spec)], suggestions: [] };
}

/** Returns the finding that a test was not run, with its fix. */
export function notRunFinding(spec: ConfiguredTest): Finding {
  const { test } = spec.labels;
  const others = test === undefined ? [] : [`select the other tests: -l 'test!=${test}'`];
  const fix = [...others, 'run it on a cluster: leave out --local'];
  return { code: 'bundle/scorecard-image', message: notRunMessage(spec), where: spec.where, fix };
}

function notRunMessage(spec: ConfiguredTest): string {
  return `the test ${testNameOf(spec)} was not run: its image ${spec.image} needs a cluster`;
}

/** Returns the name of a test for people: the label `test`, otherwise the entrypoint or the image. */
export function testNameOf({ labels, entrypoint, image }: ConfiguredTest): string {
  return labels['test'] ?? (entrypoint.length > 0 ? entrypoint.join(' ') : image);
}
