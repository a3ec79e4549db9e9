import { resolve } from 'node:path';
import { generateBundle, ownAnnotations, planBundle, renderBundle } from '../../bundle/index.ts';
import { FindingList, OpSdkError, type Finding } from '../../errors/index.ts';
import { renderKustomization } from '../../kustomize/index.ts';
import { describeKinds, type KindDescription } from '../../manifests/index.ts';
import { readFileOf } from '../../project/index.ts';
import { pathExists } from '../../util/fs.ts';
import { readManifest, type PlacedObject } from '../../yaml/index.ts';
import type { Action, CliContext } from '../command.ts';
import { packageInfo } from '../package-info.ts';
import { carryOut } from './files/apply-plan.ts';
import { checkChannel, checkVersionNumber, epochTime } from './input/bundle-values.ts';
import { folderFlag } from './input/folder-flag.ts';
import { packageOf } from './input/package-of.ts';
import { readObjects } from './input/read-objects.ts';
import { exclusiveFlags, invalidFlag, missingFlag } from './input/flag-values.ts';

interface Options {
  readonly version?: string;
  readonly channels: string;
  readonly defaultChannel?: string;
  readonly package?: string;
  readonly kustomizeDir?: string;
  readonly filename?: readonly string[];
  readonly inputDir?: string;
  readonly deployDir?: string;
  readonly crdsDir?: string;
  readonly outputDir?: string;
  readonly extraServiceAccounts?: string;
  readonly overwrite?: boolean;
  readonly sources?: boolean;
  readonly stdout?: boolean;
  readonly dryRun?: boolean;
}

/** Flags that have been checked. */
interface Wanted {
  readonly version: string;
  readonly channels: readonly string[];
  readonly extraServiceAccounts: readonly string[];
  /** Relative, with forward slashes. */
  readonly outputDir: string;
  readonly kustomizeDir: string;
  readonly createdAt: string | undefined;
}

/** `op-sdk generate bundle`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as unknown as Options;
  const wanted = checkFlags(context, options);
  const { packageName, project, layout } = await packageOf(context.cwd, options.package, true);
  const { outputDir, createdAt } = wanted;
  context.report.step(`Generating bundle version ${wanted.version}`);
  const objects = await readInput(context, options, wanted);
  const base = await baseOf(context.cwd, wanted.kustomizeDir, packageName);
  const generated = generateBundle({
    packageName,
    version: wanted.version,
    channels: wanted.channels,
    defaultChannel: options.defaultChannel,
    builder: `op-sdk-v${packageInfo().version}`,
    projectLayout: layout.length === 0 ? 'unknown' : layout.join(','),
    objects,
    base,
    described: project === undefined || options.sources === false ? [] : describedIn(context.cwd),
    extraServiceAccounts: wanted.extraServiceAccounts,
    createdAt,
    own: options.overwrite === false ? {} : await ownAnnotations(context.cwd, outputDir),
  });
  const rendered = await renderBundle(generated, outputDir, context.cwd);
  if (options.stdout === true) {
    const documents = generated.manifests.map(({ document }) => document);
    const text = rendered.manifests
      .filter(({ path }) => path.startsWith(`${outputDir}/manifests/`))
      .map(({ content }) => content)
      .join('---\n');
    return { result: { documents }, text, warnings: generated.warnings };
  }
  const { plan, warnings } = await planBundle(rendered, {
    root: context.cwd,
    folder: outputDir,
    overwrite: options.overwrite !== false,
  });
  const result = await carryOut(context, plan, { dryRun: options.dryRun === true });
  if (options.dryRun !== true) {
    context.report.info(`Bundle manifests generated successfully in ${outputDir}`);
    context.report.info('Bundle metadata generated successfully');
  }
  const all: readonly Finding[] = [...generated.warnings, ...warnings];
  return { result: { ...result, package: packageName, version: wanted.version }, warnings: all };
};

/** @throws OpSdkError with every flag that is missing or wrong */
function checkFlags(context: CliContext, options: Options): Wanted {
  const findings = new FindingList();
  const { version, defaultChannel } = options;
  if (version === undefined) {
    findings.add(
      missingFlag(
        '--version',
        '--version is missing',
        'add the version of the operator, such as --version 0.0.1',
      ),
    );
  } else {
    const problem = checkVersionNumber(version);
    if (problem !== undefined)
      findings.add(
        invalidFlag(
          '--version',
          `--version is ${JSON.stringify(version)}: ${problem}`,
          'give a version such as 1.2.3 or 1.2.3-rc.1',
        ),
      );
  }
  const channels = items(options.channels);
  for (const channel of channels.length === 0 ? [''] : channels) {
    const problem = checkChannel(channel);
    if (problem !== undefined)
      findings.add(
        invalidFlag(
          '--channels',
          `--channels has ${JSON.stringify(channel)}: ${problem}`,
          'give names such as stable,candidate',
        ),
      );
  }
  if (new Set(channels).size < channels.length)
    findings.add(invalidFlag('--channels', '--channels names a channel twice', 'name each channel once'));
  if (defaultChannel !== undefined && !channels.includes(defaultChannel)) {
    const known = channels.join(', ');
    findings.add(
      invalidFlag(
        '--default-channel',
        `--default-channel is ${JSON.stringify(defaultChannel)}, which is none of the channels ${known}`,
        `give one of ${known}`,
      ),
    );
  }
  const outputDir = folderFlag(findings, context.cwd, '--output-dir', options.outputDir ?? 'bundle');
  const kustomizeDir = options.kustomizeDir ?? 'config/manifests';
  checkSources(findings, options);
  const createdAt = epochTime(findings, context.env['SOURCE_DATE_EPOCH']);
  const extraServiceAccounts = items(options.extraServiceAccounts ?? '');
  findings.throwIfAny();
  return { version: version ?? '', channels, extraServiceAccounts, outputDir, kustomizeDir, createdAt };
}

/** The objects come from one place. */
function checkSources(findings: FindingList, options: Options): void {
  const sources = [
    ['--filename', options.filename],
    ['--input-dir', options.inputDir],
    ['--deploy-dir', options.deployDir],
  ] as const;
  const named = sources.filter(([, value]) => value !== undefined).map(([flag]) => flag);
  const [first, ...more] = named;
  for (const flag of more) findings.add(exclusiveFlags(first ?? '', flag));
  if (options.stdout === true && options.outputDir !== undefined)
    findings.add(exclusiveFlags('--stdout', '--output-dir'));
  if (options.crdsDir !== undefined && options.deployDir === undefined) {
    findings.add(
      invalidFlag(
        '--crds-dir',
        '--crds-dir goes with --deploy-dir only',
        'add --deploy-dir, or give both folders with -f',
      ),
    );
  }
}

async function readInput(
  context: CliContext,
  options: Options,
  { kustomizeDir, version }: Wanted,
): Promise<readonly PlacedObject[]> {
  const { filename, inputDir, deployDir, crdsDir } = options;
  if (filename !== undefined) return readObjects(context, '--filename', filename);
  if (inputDir !== undefined) return readObjects(context, '--input-dir', [inputDir]);
  if (deployDir !== undefined) {
    const folders = crdsDir === undefined ? [deployDir] : [deployDir, crdsDir];
    return readObjects(context, '--deploy-dir', folders);
  }
  await checkKustomization(context.cwd, kustomizeDir);
  const pipeInto = `op-sdk generate bundle --version ${version} -f -`;
  return renderKustomization(kustomizeDir, { cwd: context.cwd, pipeInto });
}

/** @throws OpSdkError `bundle/no-kustomization` where `generate kustomize manifests` has never run */
async function checkKustomization(cwd: string, folder: string): Promise<void> {
  for (const name of ['kustomization.yaml', 'kustomization.yml', 'Kustomization']) {
    if (await pathExists(resolve(cwd, folder, name))) return;
  }
  throw new OpSdkError({
    code: 'bundle/no-kustomization',
    message: `${folder} has no kustomization, so the contents of the bundle are unknown`,
    where: { file: folder },
    fix: [
      'create it with `op-sdk generate kustomize manifests`',
      'or name the objects: `op-sdk generate bundle -f <file>`, with - for standard input',
    ],
  });
}

/** The base of the package, for objects that come without one. */
async function baseOf(
  cwd: string,
  kustomizeDir: string,
  packageName: string,
): Promise<PlacedObject | undefined> {
  const file = `${kustomizeDir}/bases/${packageName}.clusterserviceversion.yaml`;
  const text = await readFileOf(cwd, file);
  return text === undefined ? undefined : readManifest(text, file)[0];
}

/** What the sources of the project say about its kinds; their warnings are those of `generate manifests`. */
function describedIn(projectDir: string): readonly KindDescription[] {
  return describeKinds({ projectDir }).kinds;
}

function items(value: string): readonly string[] {
  return value.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
}
