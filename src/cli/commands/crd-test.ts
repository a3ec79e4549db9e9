import { defineCommand, type CliContext, type CommandOutcome, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { junit } from '../flags/words.ts';
import { resolve } from 'node:path';
import { formatWhere, isOpSdkError, type Where } from '../../base/errors/index.ts';
import { printableLine } from '../../base/util/terminal-words.ts';
import { diskView, observe, type FileView } from '../../base/util/observe-files.ts';
import { nextChange } from '../../base/util/watch-observed.ts';
import { crdFieldLocator, generateManifests } from '../../compiler/manifests/index.ts';
import { createSourceMemory, type SourceMemory } from '../../compiler/schema/index.ts';
import type { CrdDocument } from '../../kubernetes/crd/index.ts';
import {
  caseKinds,
  readCrdDefinitions,
  runInMemory,
  unknownKinds,
  type CaseKind,
  type CaseResult,
  type Cause,
  type CrdCase,
  type KindCases,
} from '../../testing/index.ts';
import { readCaseFiles } from '../actions/crd/case-files.ts';
import { runOnControlPlane } from '../actions/crd/run-on-control-plane.ts';
import { schemaPath } from '../actions/crd/schema-path.ts';
import { junitXml } from '../ui/junit.ts';

const flags = {
  crds: flag.list(
    'path',
    'test the CRDs of this file or folder; may be repeated (default: those that the sources generate now)',
  ),
  verify: flag.boolean('ask a test control plane, a real API server, as well'),
  watch: flag.boolean('run the cases again whenever a source or a case changes, until Ctrl-C'),
};

export const command = defineCommand({
  formats: [junit],
  arguments: [['[files...]', 'files and folders with cases (default: the folders in test/crds)']],
  flags,
  help: `
Sends the objects of cases to an API server in memory, with the CRDs that the sources generate now, and compares what
it accepts, refuses and stores with what the cases say: schema, rules of CEL, defaults and pruning, without a cluster.

  base:
    apiVersion: cache.example.com/v1
    kind: Memcached
    spec: { size: 3 }
  valid:
  - name: the port has a default
    object: {}
    stored: { spec: { port: 11211 } }
  invalid:
  - name: a negative size
    object: { spec: { size: -1 } }
    field: spec.size
  update:
  - name: the class stays
    from: { spec: { class: small } }
    to: { spec: { class: big } }
    message: class is immutable

The object of a case is a merge patch for base. A case that is refused names the field or a part of the message.

  -o ${junit}   JUnit's XML, for build servers

The exit code is 0 if all cases pass, 1 if one fails or something cannot be read, and 2 for wrong usage.`,
  async run(context, options, names) {
    if (options.watch === true) return watchCases(context, options, names);
    const run = await runCases(context, options, names, { files: diskView });
    return outcomeOf(context, options, run);
  },
});

type Options = ParsedOptions<typeof flags>;

interface Sources {
  readonly files: FileView;
  readonly memory?: SourceMemory;
}

interface Run {
  readonly results: readonly CaseResult[];
  /** Results that a real API server gave otherwise; none without `--verify`. */
  readonly disagreements: readonly CaseResult[];
  /** Returns the place in the sources of a field that a case is about. */
  readonly placeOf: (result: CaseResult) => Where | undefined;
}

async function runCases(
  context: CliContext,
  options: Options,
  names: readonly string[],
  sources: Sources,
): Promise<Run> {
  const { cwd } = context;
  const cases = readCaseFiles(cwd, names, sources.files);
  const definitions = await definitionsOf(context, options, sources);
  const kinds = caseKinds(definitions);
  const strange = cases.filter((test) => !kinds.has(typeOf(test)));
  if (strange.length > 0) throw unknownKinds(strange, [...kinds.keys()]);
  const all = [...kinds].flatMap(([type, kind]): readonly KindCases[] => {
    const members = cases.filter((test) => typeOf(test) === type);
    return members.length === 0 ? [] : [{ kind, cases: members }];
  });
  const results = await runInMemory(all);
  const verified = options.verify === true ? await runOnControlPlane(context, all) : [];
  const isBad = ({ problems }: CaseResult): boolean => problems.length > 0;
  return {
    results: inOrder(results, cases),
    disagreements: verified.filter((each) => {
      const here = results.find((result) => result.case === each.case);
      return here !== undefined && isBad(here) !== isBad(each);
    }),
    placeOf: options.crds === undefined ? sourcePlaces(cwd, sources, kinds, definitions) : () => undefined,
  };
}

function typeOf({ object }: CrdCase): string {
  return `${String(object['apiVersion'])} ${String(object['kind'])}`;
}

function inOrder(results: readonly CaseResult[], cases: readonly CrdCase[]): readonly CaseResult[] {
  return [...results].sort((a, b) => cases.indexOf(a.case) - cases.indexOf(b.case));
}

async function definitionsOf(
  { cwd, report }: CliContext,
  { crds }: Options,
  sources: Sources,
): Promise<readonly CrdDocument[]> {
  if (crds !== undefined) return readCrdDefinitions(crds.map((path) => resolve(cwd, path)));
  const { files, warnings } = generateManifests({ projectDir: cwd, only: 'crd', ...sources });
  for (const warning of warnings) report.warn(warning);
  return readCrdDefinitions(files.map(({ document }) => document));
}

/** Returns a function that finds the place in the sources of the field about which a case says something. */
function sourcePlaces(
  cwd: string,
  sources: Sources,
  kinds: ReadonlyMap<string, CaseKind>,
  definitions: readonly CrdDocument[],
): Run['placeOf'] {
  const locate = crdFieldLocator({ projectDir: cwd, only: 'crd', ...sources });
  return ({ case: test, causes }) => {
    const kind = kinds.get(typeOf(test));
    const definition = definitions.find(({ metadata }) => metadata.name === kind?.definition.metadata.name);
    const field = test.refusal?.field ?? causes.find((cause) => cause.field !== undefined)?.field;
    if (kind === undefined || definition === undefined || field === undefined) return undefined;
    return locate(definition.metadata.name, schemaPath(definition, kind.resource.version, field));
  };
}

function outcomeOf(
  { report }: CliContext,
  { output }: { readonly output?: string | undefined },
  run: Run,
): CommandOutcome {
  const { results, disagreements, placeOf } = run;
  const failed = results.filter(({ problems }) => problems.length > 0);
  const plain = results.map((result) => ({
    file: 'file' in result.case.where ? result.case.where.file : '',
    line: 'file' in result.case.where ? result.case.where.line : undefined,
    ...{ group: result.case.group, name: result.case.name, passed: result.problems.length === 0 },
    ...{ problems: result.problems, causes: result.causes },
    source: result.problems.length === 0 ? undefined : placeOf(result),
  }));
  const summary = `${results.length - failed.length} passed, ${failed.length} failed`;
  return {
    result: { passed: results.length - failed.length, failed: failed.length, cases: plain },
    text:
      output === junit
        ? junitXml(
            'op-sdk crd test',
            plain.map(({ file, group, name, problems, causes }) => ({
              ...{ suite: file, name: `${group}: ${name}` },
              failures: problems.length === 0 ? [] : [...problems, ...causes.map(causeText)],
            })),
          )
        : [...failed.flatMap((result) => failureLines(result, placeOf(result))), summary].join('\n'),
    errors: disagreements.map(({ case: test, problems }) => ({
      code: 'crdtest/server-differs',
      message: `the case ${JSON.stringify(test.name)} ${problems.length === 0 ? 'passes' : `fails (${problems.join('; ')})`} on a real API server, but not in memory`,
      where: test.where,
      fix: ['trust the real API server, and report the difference'],
    })),
    exitCode: failed.length === 0 ? 0 : 1,
  };

  function failureLines(
    { case: test, problems, causes }: CaseResult,
    place: Where | undefined,
  ): readonly string[] {
    return [
      `${report.paint('severity', '✗')} ${test.group}: ${printableLine(test.name)} (${formatWhere(test.where)})`,
      ...problems.map((problem) => `    ${printableLine(problem)}`),
      ...causes.map((cause) => `    ${printableLine(causeText(cause))}`),
      ...(place === undefined ? [] : [`    declared at ${formatWhere(place)}`]),
    ];
  }
}

function causeText({ field, message }: Cause): string {
  return `the API server: ${field === undefined ? '' : `${field}: `}${message}`;
}

/** Runs the cases now, and again whenever something changes that the last run has read, until the signal aborts. */
async function watchCases(
  context: CliContext,
  options: Options,
  names: readonly string[],
): Promise<CommandOutcome> {
  const { report, signal } = context;
  const memory = createSourceMemory();
  for (let runs = 1; ; runs++) {
    const observed = observe();
    try {
      const run = await runCases(context, options, names, { files: observed.view, memory });
      const { text = '', errors = [] } = outcomeOf(context, {}, run);
      for (const line of text.split('\n')) report.info(line);
      for (const error of errors) report.error(error);
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      for (const finding of error.findings) report.error(finding);
    }
    report.info('waiting for changes, Ctrl-C ends');
    const seen = observed.observations();
    if (seen === undefined ? signal.aborted : !(await nextChange(seen, signal))) return { result: { runs } };
  }
}
