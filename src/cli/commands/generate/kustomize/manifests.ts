import { posix } from 'node:path';
import type { OperatorDescription, OwnedKind } from '../../../../bundle/index.ts';
import { FindingList, type Finding } from '../../../../errors/index.ts';
import type { WantedFile } from '../../../../scaffold/index.ts';
import type { CliContext, CommandModule } from '../../../command.ts';
import { booleanFlag, dryRunFlag } from '../../../flags.ts';
import { folderFlag } from '../shared/folder-flag.ts';
import { packageOf, type PackageOf } from '../shared/package-of.ts';

interface Options {
  readonly package?: string;
  readonly inputDir?: string;
  readonly outputDir?: string;
  readonly apisDir?: string;
  readonly interactive?: boolean;
  readonly displayName?: string;
  readonly description?: string;
  readonly provider?: string;
  readonly providerUrl?: string;
  readonly keywords?: string;
  readonly maintainers?: string;
  readonly icon?: string;
  readonly dryRun?: boolean;
}

/** A base as it is to be, and what is strange about the one that is there. */
interface Base {
  readonly content: string;
  readonly warnings: readonly Finding[];
}

const FOLDER = 'config/manifests';

/** `op-sdk generate kustomize manifests`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--package <name>', "the name of the package (default: the project's name)");
    command.option('--display-name <text>', 'what the operator is called');
    command.option('--description <text>', 'what the operator does');
    command.option('--provider <name>', 'who provides the operator');
    command.option('--provider-url <url>', "the provider's site");
    command.option('--keywords <list>', 'words to find the operator by, separated by commas');
    command.option('--maintainers <list>', 'who answers for the operator: name:email, name:email');
    command.option('--icon <file>', 'a GIF, JPEG, PNG or SVG that catalogues show');
    command.option('--input-dir <folder>', `the folder with the base that is there (default: ${FOLDER})`);
    command.option('--output-dir <folder>', `the folder to write to (default: ${FOLDER})`);
    command.option('--apis-dir <folder>', 'the folder that declares the kinds (default: src)');
    booleanFlag(
      command,
      'interactive',
      'ask for the description (default: on a terminal, if there is no base)',
    );
    dryRunFlag(command);
    command.addHelpText(
      'after',
      `
Writes
  ${FOLDER}/bases/<package>.clusterserviceversion.yaml   what people are told of the operator
  ${FOLDER}/kustomization.yaml                           what a bundle is made of, if it is missing
  config/scorecard                                       the tests of the bundle, if it is missing

A base that is there keeps all that stands in it: new kinds are added, and what flags say is replaced. For a new base the
description comes from flags, then from the key \`opsdk\` of package.json ({"displayName", "description", "provider":
{"name", "url"}, "keywords", "maintainers": [{"name", "email"}]}), then from questions, then from npm's own fields.`,
    );
  },
  async run(context, given) {
    const options = given as Options;
    const findings = new FindingList();
    const output = folderFlag(findings, context.cwd, '--output-dir', options.outputDir ?? FOLDER);
    const input = folderFlag(
      findings,
      context.cwd,
      '--input-dir',
      options.inputDir ?? options.outputDir ?? FOLDER,
    );
    checkInteractive(findings, context, options);
    findings.throwIfAny();
    const found = await packageOf(context.cwd, options.package);
    const { carryOut } = await import('../../../apply-plan.ts');
    const { planFiles } = await import('../../../../scaffold/index.ts');
    const owned = await ownedKindsOf(context.cwd, options.apisDir);
    const file = `bases/${found.packageName}.clusterserviceversion.yaml`;
    const base = await makeBase(context, options, found.packageName, `${input}/${file}`, owned.kinds);
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
};

function checkInteractive(findings: FindingList, context: CliContext, { interactive }: Options): void {
  if (interactive !== true || context.interactive) return;
  findings.add({
    code: 'cli/invalid-value',
    message: '--interactive needs a terminal and somebody who sits there',
    where: { flag: '--interactive' },
    fix: ['give the answers as flags; `op-sdk generate kustomize manifests --help` lists them'],
  });
}

async function ownedKindsOf(
  cwd: string,
  apisDir: string | undefined,
): Promise<{ readonly kinds: readonly OwnedKind[]; readonly warnings: readonly Finding[] }> {
  const { ownedKinds } = await import('../../../../bundle/index.ts');
  const { generateManifests } = await import('../../../../manifests/index.ts');
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
  packageName: string,
  file: string,
  owned: readonly OwnedKind[],
): Promise<Base> {
  const { mergeBase, newBase, readIcon } = await import('../../../../bundle/index.ts');
  const { readFileOf } = await import('../../../../project/index.ts');
  const { renderMachineDocument } = await import('../../../../scaffold/machine-document.ts');
  const present = await readFileOf(context.cwd, file);
  const icon = options.icon === undefined ? undefined : await readIcon(context.cwd, options.icon);
  if (present === undefined) {
    const { description, homepage } = await describeNew(context, options, packageName);
    const document = newBase({ packageName, description, homepage, icon, owned });
    return { content: await renderMachineDocument('csv-base', document), warnings: [] };
  }
  const description = await describeAgain(context, options, present, file);
  const { text, warnings } = mergeBase(present, { file, owned, description, icon });
  return { content: text, warnings };
}

/** The description for a new base, and the operator's own page. */
async function describeNew(
  context: CliContext,
  options: Options,
  packageName: string,
): Promise<{ readonly description: OperatorDescription; readonly homepage: string | undefined }> {
  const { descriptionQuestions, displayName, packageDescription } =
    await import('../../../../bundle/index.ts');
  const { layout, readFileOf } = await import('../../../../project/index.ts');
  const { decideDescription } = await import('./shared/decide-description.ts');
  const { askPerson } = await import('./shared/ask-person.ts');
  const said = packageDescription((await readFileOf(context.cwd, layout.packageJson)) ?? '{}');
  const description = await decideDescription({
    questions: descriptionQuestions,
    flags: options,
    given: said.given,
    problems: said.findings,
    proposed: { displayName: displayName(packageName), ...said.derived },
    ask: options.interactive === false ? undefined : askPerson(context),
  });
  return { description, homepage: said.homepage };
}

/** What flags, or a person who wants to be asked, say anew of an operator that has a base. */
async function describeAgain(
  context: CliContext,
  options: Options,
  base: string,
  file: string,
): Promise<Partial<OperatorDescription>> {
  const { describedBy, descriptionQuestions: questions } = await import('../../../../bundle/index.ts');
  const { askPerson } = await import('./shared/ask-person.ts');
  const { decideDescription, readFlags } = await import('./shared/decide-description.ts');
  if (options.interactive === true) {
    const proposed = describedBy(base, file);
    return decideDescription({ questions, flags: options, given: {}, proposed, ask: askPerson(context) });
  }
  const findings = new FindingList();
  const values = readFlags(questions, options, findings);
  findings.throwIfAny();
  return values;
}

/** The kustomization and the scorecard, where they are missing, and samples that came since. */
async function scaffoldFiles(
  cwd: string,
  { packageName, project }: PackageOf,
  output: string,
): Promise<{ readonly fresh: readonly WantedFile[]; readonly maintained: readonly WantedFile[] }> {
  const { editYaml, layout, readFileOf, recordTemplates } = await import('../../../../project/index.ts');
  const { contentHash } = await import('../../../../scaffold/index.ts');
  const { manifestsFiles } = await import('../../../../scaffold/sets/bundle.ts');
  const { addToYamlList } = await import('../../../../yaml/splice.ts');
  const hasSamples = (await readFileOf(cwd, layout.kustomization(layout.samples))) !== undefined;
  const config = posix.relative(output, 'config') || '.';
  const rendered = await manifestsFiles({ packageName, hasSamples, config }, cwd);
  const own = layout.kustomization(FOLDER);
  const present = await readFileOf(cwd, layout.kustomization(output));
  const hasScorecard = (await readFileOf(cwd, layout.kustomization('config/scorecard'))) !== undefined;
  // Who removed both the tests and their line does not want them back.
  const wantsScorecard = !hasScorecard && (present?.includes(`${config}/scorecard`) ?? true);
  const fresh = rendered
    .filter(({ path }) => (path === own ? present === undefined : wantsScorecard))
    .map(({ path, content }) => ({ path: path === own ? layout.kustomization(output) : path, content }));
  const maintained: WantedFile[] = [];
  // A file from before the first kind does not name them; in a comment, somebody does not want them.
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
