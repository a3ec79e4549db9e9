import { defineCommand, type CliContext, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { manifestsFolder } from '../flags/words.ts';
import { join, posix } from 'node:path';
import {
  describedBy,
  descriptionQuestions,
  mergeBase,
  newBase,
  ownedKinds,
  packageDescription,
  descriptionQuestions as questions,
  readIcon,
  type OperatorDescription,
  type OwnedKind,
  type DescriptionQuestion,
} from '../../olm/bundle/index.ts';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import { generateManifests } from '../../compiler/manifests/index.ts';
import { editYaml, layout, readFileOf, recordTemplates } from '../../project/project/index.ts';
import {
  contentHash,
  planFiles,
  type WantedFile,
  renderMachineDocument,
  manifestsFiles,
} from '../../project/scaffold/index.ts';
import { addToYamlList } from '../../kubernetes/yaml/index.ts';
import { displayName } from '../../base/util/kube-version.ts';
import { pathExists } from '../../base/util/fs.ts';
import { ask } from '../ui/prompts.ts';
import { carryOut } from '../actions/files/apply-plan.ts';
import { invalidFlag, missingFlag, folderFlag } from '../actions/input/flag-values.ts';
import { packageOf, type PackageOf } from '../actions/input/package-of.ts';

const flags = {
  package: flag.text('name', "the name of the package (default: the project's name)"),
  'display-name': flag.text('text', 'display name of the operator'),
  description: flag.text('text', 'what the operator does'),
  provider: flag.text('name', 'who provides the operator'),
  'provider-url': flag.text('url', "the provider's site"),
  keywords: flag.text('list', 'words to find the operator by, separated by commas'),
  maintainers: flag.text('list', 'maintainers of the operator: name:email, name:email'),
  icon: flag.text('file', 'a GIF, JPEG, PNG or SVG that catalogues show'),
  'input-dir': flag.text('folder', `the folder with the existing base (default: ${manifestsFolder})`),
  'output-dir': flag.text('folder', `the folder to write to (default: ${manifestsFolder})`),
  'apis-dir': flag.text('folder', 'the folder that declares the kinds (default: src)'),
  interactive: flag.boolean(
    'ask for the description; --no-interactive never asks (default: ask on a terminal, if the base is missing)',
    { unset: true },
  ),
  ...dryRunFlag,
};

export const command = defineCommand({
  locksProject: 'project',
  flags,
  help: `
Writes
  ${manifestsFolder}/bases/<package>.clusterserviceversion.yaml   the base ClusterServiceVersion
  ${manifestsFolder}/kustomization.yaml                           the contents of bundles, if it is missing
  config/scorecard                                       the tests of the bundle, if it is missing

An existing base keeps its content: new kinds are added, and values given by flags are replaced. For a new base the
description comes from flags, then from the key \`opsdk\` of package.json ({"displayName", "description", "provider":
{"name", "url"}, "keywords", "maintainers": [{"name", "email"}]}), then from questions, then from npm's own fields.`,
  async run(context, options) {
    const findings = new FindingList();
    const output = folderFlag(findings, context.cwd, '--output-dir', options.outputDir ?? manifestsFolder);
    const input = folderFlag(
      findings,
      context.cwd,
      '--input-dir',
      options.inputDir ?? options.outputDir ?? manifestsFolder,
    );
    checkInteractive(findings, context, options);
    findings.throwIfAny();
    const found = await packageOf(context.cwd, options.package);
    const owned = ownedKindsOf(context.cwd, options.apisDir);
    const file = `bases/${found.packageName}.clusterserviceversion.yaml`;
    const base = await makeBase(context, options, found, `${input}/${file}`, owned.kinds);
    const scaffold = await scaffoldFiles(context.cwd, found, output);
    const plan = await planFiles(context.cwd, {
      fresh: scaffold.fresh,
      maintained: [{ path: `${output}/${file}`, content: base.content }, ...scaffold.maintained],
    });
    context.report.step(`Generating kustomize files in ${output}`);
    const result = await carryOut(context, plan, { dryRun: options.dryRun === true });
    if (options.dryRun !== true) context.report.info('Kustomize files generated successfully');
    return { result, warnings: [...owned.warnings, ...base.warnings] };
  },
});

/** Asks the user one question; the answer is prefilled with `initial`. */
export type Ask = (question: DescriptionQuestion, initial: string) => Promise<string>;

/** Sources from which the description of an operator can be taken. */
export interface DescriptionSources {
  readonly questions: readonly DescriptionQuestion[];
  /** Values of flags by key. The values have not been checked. */
  readonly flags: Readonly<Partial<Record<keyof OperatorDescription, string | undefined>>>;
  /** Answers that package.json contains. The user is not asked for these again. */
  readonly declared: Partial<OperatorDescription>;
  /** Errors in package.json. */
  readonly problems?: readonly Finding[];
  /** Values that are proposed in a prompt, and used if no prompt is possible. */
  readonly proposed: Partial<OperatorDescription>;
  /** Function that prompts the user. Undefined if no prompt is possible. */
  readonly ask: Ask | undefined;
}

/**
 * Determines the description for a new base ClusterServiceVersion. Flags take precedence over package.json, package.json over prompts, and
 * prompts over proposals.
 * @throws OpSdkError with every invalid flag and every missing answer
 */
export async function decideDescription(sources: DescriptionSources): Promise<OperatorDescription> {
  const { questions, declared, proposed, ask, problems = [] } = sources;
  const findings = new FindingList();
  findings.add(...problems);
  const answers: Record<string, unknown> = { ...declared, ...readFlags(questions, sources.flags, findings) };
  // Do not prompt for the remaining values if the command fails anyway.
  if (ask !== undefined) findings.throwIfAny();
  for (const question of questions) {
    const { key, flag, required, read, write } = question;
    if (answers[key] !== undefined || sources.flags[key] !== undefined) continue;
    const proposal = proposed[key];
    if (ask === undefined) {
      if (proposal !== undefined) answers[key] = proposal;
      else if (required) findings.add(missing(question));
      continue;
    }
    const answer = await ask(question, proposal === undefined ? '' : write(proposal));
    if (answer.trim() !== '') answers[key] = read(answer);
    else if (required) findings.add(missingFlag(flag, `${flag} is missing`, `add ${flag}`));
  }
  findings.throwIfAny();
  return answers as unknown as OperatorDescription;
}

/**
 * Returns the checked and parsed values of the flags.
 * @param findings gets `cli/invalid-value` for each invalid value
 */
export function readFlags(
  questions: readonly DescriptionQuestion[],
  flags: DescriptionSources['flags'],
  findings: FindingList,
): Partial<OperatorDescription> {
  const values: Record<string, unknown> = {};
  for (const { key, flag, check, read, placeholder } of questions) {
    const text = flags[key];
    if (text === undefined) continue;
    const problem = check(text);
    if (problem === undefined) {
      values[key] = read(text);
      continue;
    }
    findings.add(
      invalidFlag(
        flag,
        `${flag} is ${JSON.stringify(text)}: ${problem}`,
        `give a value such as ${flag} '${placeholder}'`,
      ),
    );
  }
  return values;
}

function missing({ flag, key, placeholder }: DescriptionQuestion): ReturnType<typeof missingFlag> {
  const path = key === 'provider' ? 'opsdk.provider.name' : `opsdk.${key}`;
  return missingFlag(
    flag,
    `${flag} is missing, and package.json has no ${path}`,
    `add ${flag}, such as ${flag} '${placeholder}'`,
    `or add ${path} to package.json`,
  );
}

/** Returns a function that prompts on the terminal until the answer is valid; undefined if no prompt is possible. */
export function askPerson(context: CliContext): Ask | undefined {
  if (!context.interactive) return undefined;
  return async ({ question, placeholder, required, check }, initial) => {
    const answer = await ask(context, question, {
      check: (value) => (value.trim() === '' && !required ? undefined : check(value)),
      placeholder,
      initial,
    });
    return answer ?? '';
  };
}

type Options = ParsedOptions<typeof flags>;

/** Base ClusterServiceVersion to write, and warnings about the existing one. */
interface Base {
  readonly content: string;
  readonly warnings: readonly Finding[];
}

function checkInteractive(findings: FindingList, context: CliContext, { interactive }: Options): void {
  if (interactive !== true || context.interactive) return;
  findings.add(
    invalidFlag(
      '--interactive',
      '--interactive: expected a terminal',
      'give the answers as flags; `op-sdk generate kustomize manifests --help` lists them',
    ),
  );
}

function ownedKindsOf(
  cwd: string,
  apisDir: string | undefined,
): { readonly kinds: readonly OwnedKind[]; readonly warnings: readonly Finding[] } {
  const { files, warnings } = generateManifests({
    projectDir: cwd,
    only: 'crd',
    ...(apisDir === undefined ? {} : { apisDir }),
  });
  return { kinds: files.flatMap(({ document }) => ownedKinds(document)), warnings };
}

async function makeBase(
  context: CliContext,
  options: Options,
  { packageName, project }: PackageOf,
  file: string,
  owned: readonly OwnedKind[],
): Promise<Base> {
  const present = await readFileOf(context.cwd, file);
  const icon = options.icon === undefined ? undefined : await readIcon(context.cwd, options.icon);
  if (present === undefined) {
    const { description, homepage } = await describeNew(context, options, packageName);
    const document = newBase({
      packageName,
      description,
      homepage,
      icon,
      owned,
      namespaced: project?.namespaced,
    });
    return { content: await renderMachineDocument('csv-base', document), warnings: [] };
  }
  const description = await describeAgain(context, options, present, file);
  const { text, warnings } = mergeBase(present, { file, owned, description, icon });
  return { content: text, warnings };
}

/** Determines the description for a new base ClusterServiceVersion, and the URL of the operator's own page. */
async function describeNew(
  context: CliContext,
  options: Options,
  packageName: string,
): Promise<{ readonly description: OperatorDescription; readonly homepage: string | undefined }> {
  const described = packageDescription((await readFileOf(context.cwd, layout.packageJson)) ?? '{}');
  const description = await decideDescription({
    questions: descriptionQuestions,
    flags: options,
    declared: described.declared,
    problems: described.findings,
    proposed: { displayName: displayName(packageName), ...described.derived },
    ask: options.interactive === false ? undefined : askPerson(context),
  });
  return { description, homepage: described.homepage };
}

/** Applies the values of flags, or the answers given with --interactive, to the description in an existing base ClusterServiceVersion. */
async function describeAgain(
  context: CliContext,
  options: Options,
  base: string,
  file: string,
): Promise<Partial<OperatorDescription>> {
  if (options.interactive === true) {
    const proposed = describedBy(base, file);
    return decideDescription({ questions, flags: options, declared: {}, proposed, ask: askPerson(context) });
  }
  const findings = new FindingList();
  const values = readFlags(questions, options, findings);
  findings.throwIfAny();
  return values;
}

/**
 * Scaffolds the kustomization and the scorecard if they are missing. Adds the entry for samples to an existing kustomization that lacks it.
 */
async function scaffoldFiles(
  cwd: string,
  { packageName, project }: PackageOf,
  output: string,
): Promise<{ readonly fresh: readonly WantedFile[]; readonly maintained: readonly WantedFile[] }> {
  const hasSamples = (await readFileOf(cwd, layout.kustomization(layout.samples))) !== undefined;
  const config = posix.relative(output, 'config') || '.';
  // Projects of other tools have no node_modules, and Yarn's Plug'n'Play has none either.
  const hasSchemas = project !== undefined && !(await pathExists(join(cwd, '.pnp.cjs')));
  const rendered = await manifestsFiles({ packageName, hasSamples, config, hasSchemas }, cwd);
  const own = layout.kustomization(manifestsFolder);
  const present = await readFileOf(cwd, layout.kustomization(output));
  const hasScorecard = (await readFileOf(cwd, layout.kustomization('config/scorecard'))) !== undefined;
  // If the user removed both the scorecard tests and their entry in the kustomization, they are not restored.
  const wantsScorecard = !hasScorecard && (present?.includes(`${config}/scorecard`) ?? true);
  const fresh = rendered
    .filter(({ path }) => (path === own ? present === undefined : wantsScorecard))
    .map(({ path, content }) => ({ path: path === own ? layout.kustomization(output) : path, content }));
  const maintained: WantedFile[] = [];
  // A kustomization that was created before the first kind has no entry for samples, so the entry is added. A commented entry is intended
  // and stays as it is.
  const samples = `${config}/samples`;
  if (present !== undefined && hasSamples && !present.includes(samples)) {
    const path = layout.kustomization(output);
    const content = editYaml(path, `- ${samples}`, () => addToYamlList(present, ['resources'], samples));
    maintained.push({ path, content });
  }
  if (project !== undefined && fresh.length > 0) {
    const hashes = Object.fromEntries(fresh.map(({ path, content }) => [path, contentHash(content)]));
    maintained.push({ path: layout.projectFile, content: recordTemplates(project.text, hashes) });
  }
  return { fresh, maintained };
}
