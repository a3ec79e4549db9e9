import { defineCommand, type CliContext, type CommandOutcome } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags, type RegistryFlags } from '../flags/registry-flags.ts';
import { dryRunFlag } from '../flags/common.ts';
import { resolve } from 'node:path';
import {
  checkFolderSize,
  checkPlanned,
  DEFAULT_IMAGE,
  generateBundle,
  namedImages,
  ownAnnotations,
  packageDescription,
  pinImages,
  planBundle,
  readMetadataSources,
  renderBundle,
  writtenCreatedAt,
  type BundleInput,
  type BundlePlan,
  type GeneratedBundle,
  type RenderedBundle,
  type ImagePins,
} from '../../olm/bundle/index.ts';
import { OpSdkError, type Finding, FindingList } from '../../base/errors/index.ts';
import { renderKustomization } from '../../kubernetes/kustomize/index.ts';
import { describeKinds, type KindDescription } from '../../compiler/manifests/index.ts';
import { layout, readFileOf } from '../../project/project/index.ts';
import { pathExists } from '../../base/util/fs.ts';
import { readManifest, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { packageInfo } from '../package-info.ts';
import { formatReference, parseReference, pullImage } from '../../images/index.ts';
import { carryOut } from '../actions/files/apply-plan.ts';
import { boundMemory } from '../actions/validate/open-bundle.ts';
import { checkBundleFlags, type BundleOptions, type WantedBundle } from '../actions/input/bundle-flags.ts';
import { packageOf } from '../actions/input/package-of.ts';
import { readObjects } from '../actions/input/read-objects.ts';
import { registryOptions } from '../actions/images/registry-options.ts';

export const command = defineCommand({
  locksProject: 'project',
  flags: {
    version: flag.text('version', 'the version of the operator, such as 1.2.3', { short: 'v' }),
    channels: flag.text('list', 'the channels of the bundle, separated by commas', { default: 'alpha' }),
    'default-channel': flag.text('name', 'the channel used when a subscription names none'),
    package: flag.text('name', "the name of the package (default: the project's name)"),
    'kustomize-dir': flag.text('folder', 'the kustomization of the bundle (default: config/manifests)'),
    filename: flag.list(
      'file',
      'read the objects from this file or folder instead, - for standard input; repeatable',
      { short: 'f' },
    ),
    'input-dir': flag.text('folder', 'read the objects from the files below this folder'),
    'deploy-dir': flag.text('folder', 'the same as --input-dir, for use with --crds-dir'),
    'crds-dir': flag.text('folder', 'read the CustomResourceDefinitions from this folder'),
    'output-dir': flag.text('folder', 'the folder of the bundle (default: bundle)'),
    'extra-service-accounts': flag.text(
      'list',
      'ServiceAccounts that no Deployment uses but whose rules OLM should grant, separated by commas',
    ),
    replaces: flag.text('name', 'the ClusterServiceVersion that this version is the update of'),
    skips: flag.text('list', 'ClusterServiceVersions that this version replaces too, separated by commas'),
    'skip-range': flag.text('range', 'versions that this version is the update of, such as ">=1.0.0 <1.2.0"'),
    'min-kube-version': flag.text('version', 'the oldest Kubernetes that the operator works on'),
    'use-image-digests': flag.boolean('name all images by digest, as their registries give it now'),
    ...pullFlags,
    'user-roles': flag.boolean("keep ClusterRoles for the operator's users in the bundle"),
    overwrite: flag.negated('keep annotations.yaml and bundle.Dockerfile as they are'),
    sources: flag.negated('do not read descriptors and resources of kinds from src'),
    stdout: flag.boolean('print the manifests instead of writing anything'),
    ...dryRunFlag,
  },
  help: `
Creates a bundle from the objects of config/manifests, as op-sdk renders them, and writes
  bundle/manifests              the ClusterServiceVersion, the CustomResourceDefinitions, and the other objects that OLM installs
  bundle/metadata               the package and channels of the bundle
  bundle/tests/scorecard        the tests of the bundle, if the objects have a scorecard configuration
  bundle.Dockerfile             the image of the bundle, for tools that build from Dockerfiles

In a project of op-sdk, the descriptors, resources and display names of its kinds come from the TypeScript sources. What the
base says about a kind wins, field by field.

Objects are read from standard input only with -f -. What --replaces, --skips, --skip-range and --min-kube-version say can
be written into package.json, below "opsdk"; dependencies.yaml and properties.yaml go into bundle/metadata from the folder
of the base. Nothing is written unless the bundle passes \`op-sdk bundle validate\`. The annotation createdAt changes only
when something else does; SOURCE_DATE_EPOCH sets it.`,
  async run(context, options) {
    const wanted = checkBundleFlags(context, options);
    await checkFolderSize(context.cwd, wanted.outputDir);
    const noted: Finding[] = [];
    const onWarning = (warning: Finding): number => noted.push(warning);
    const input = await readBundleInput(context, options, wanted, onWarning);
    if (options.stdout === true) return printBundle(context, generateBundle(input), wanted.outputDir, noted);
    const { plan, warnings, rendered, generated } = await planCurrent(context, options, wanted, input);
    const overwrite = options.overwrite !== false;
    // The bundle is in memory both as objects and as texts. The next step reads the bundle once more, so memory is freed first.
    boundMemory();
    const staying = await checkPlanned(plan, rendered, { folder: wanted.outputDir, overwrite });
    const result = await carryOut(context, plan, { dryRun: options.dryRun === true });
    sayLeftRoles(context, generated);
    if (options.dryRun !== true) {
      context.report.info(`Bundle manifests generated successfully in ${wanted.outputDir}`);
      context.report.info('Bundle metadata generated successfully');
    }
    const all: readonly Finding[] = [...noted, ...generated.warnings, ...warnings, ...staying];
    return { result: { ...result, package: input.packageName, version: wanted.version }, warnings: all };
  },
});

/**
 * Resolves images to digests by querying their registries. For names that already have a digest, only the tag is removed.
 * @returns a map from the name as written to `registry/repository@sha256:…`
 * @throws OpSdkError with the errors of all images: `oci/…`
 */
export async function resolveImages(
  context: CliContext,
  images: readonly string[],
  flags: RegistryFlags,
): Promise<ImagePins> {
  const findings = new FindingList();
  const options = registryOptions(context, flags);
  const pins = new Map<string, string>();
  for (const image of images) {
    await findings.gather(async () => {
      const { tag: _tag, ...reference } = parseReference(image);
      if (reference.digest === undefined) context.report.step(`resolving ${image}`);
      const digest = reference.digest ?? (await pullImage(parseReference(image), options)).root.digest;
      pins.set(image, formatReference({ ...reference, digest }));
    });
  }
  findings.throwIfAny();
  return pins;
}

/** Reads and resolves all inputs of the bundle. */
async function readBundleInput(
  context: CliContext,
  options: BundleOptions,
  wanted: WantedBundle,
  onWarning: (warning: Finding) => void,
): Promise<BundleInput> {
  const { cwd } = context;
  const found = await packageOf(cwd, options.package, true);
  const { packageName } = found;
  const said = packageDescription((await readFileOf(cwd, layout.packageJson)) ?? '{}');
  const [first, ...more] = said.findings;
  if (first !== undefined) throw new OpSdkError([first, ...more]);
  context.report.step(`Generating bundle version ${wanted.version}`);
  const bases = `${wanted.kustomizeDir}/bases`;
  const { objects, base } = await pinned(context, options, {
    objects: await readInput(context, options, wanted, onWarning),
    base: await baseOf(cwd, bases, packageName),
  });
  return {
    packageName,
    version: wanted.version,
    channels: wanted.channels,
    defaultChannel: options.defaultChannel,
    builder: `op-sdk-v${packageInfo().version}`,
    projectLayout: found.layout.length === 0 ? 'unknown' : found.layout.join(','),
    objects,
    base,
    described: found.project === undefined || options.sources === false ? [] : describedIn(cwd),
    extraServiceAccounts: wanted.extraServiceAccounts,
    createdAt: wanted.createdAt,
    release: { ...said.release, ...wanted.release },
    userRoles: options.userRoles === true,
    listImages: options.useImageDigests === true,
    metadata: await readMetadataSources(cwd, bases),
    own: options.overwrite === false ? {} : await ownAnnotations(cwd, wanted.outputDir),
  };
}

interface Objects {
  readonly objects: readonly PlacedObject[];
  readonly base: PlacedObject | undefined;
}

/** Returns the objects and the base ClusterServiceVersion. With `--use-image-digests`, their images are pinned to the current digests. */
async function pinned(
  context: CliContext,
  options: BundleOptions,
  { objects, base }: Objects,
): Promise<Objects> {
  if (options.useImageDigests !== true) return { objects, base };
  const own = base === undefined ? [] : [base];
  const images = namedImages([...objects, ...own]);
  if (images.includes(DEFAULT_IMAGE))
    throw new OpSdkError({
      code: 'bundle/default-image',
      message: `--use-image-digests: expected images that a registry serves, found the placeholder ${DEFAULT_IMAGE}, which has no digest`,
      where: { flag: '--use-image-digests' },
      fix: ['name the image: `make bundle IMG=<registry>/<image>:<tag>`'],
    });
  const pins = await resolveImages(context, images, options);
  return { objects: pinImages(objects, pins), base: pinImages(own, pins)[0] };
}

/**
 * Plans the bundle with the time of its last change. The time of the existing bundle is kept unless something else in the bundle changes.
 */
async function planCurrent(
  context: CliContext,
  options: BundleOptions,
  { outputDir, createdAt }: WantedBundle,
  input: BundleInput,
): Promise<BundlePlan & { readonly rendered: RenderedBundle; readonly generated: GeneratedBundle }> {
  const { cwd } = context;
  const planned = async (generatedAt: string | undefined): ReturnType<typeof planCurrent> => {
    const generated = generateBundle({ ...input, generatedAt });
    const rendered = await renderBundle(generated, outputDir, cwd);
    const overwrite = options.overwrite !== false;
    const { plan, warnings } = await planBundle(rendered, { root: cwd, folder: outputDir, overwrite });
    return { plan, warnings, rendered, generated };
  };
  const current = await planned(await writtenCreatedAt(cwd, outputDir, input.packageName));
  const isChanged = current.plan.changes.some(({ action }) => action !== 'unchanged');
  if (!isChanged || createdAt !== undefined) return current;
  return planned(new Date().toISOString().replace(/\.\d+Z$/, 'Z'));
}

async function printBundle(
  context: CliContext,
  generated: GeneratedBundle,
  outputDir: string,
  noted: readonly Finding[],
): Promise<CommandOutcome> {
  const rendered = await renderBundle(generated, outputDir, context.cwd);
  const documents = generated.manifests.map(({ document }) => document);
  const text = rendered.manifests
    .filter(({ path }) => path.startsWith(`${outputDir}/manifests/`))
    .map(({ content }) => content)
    .join('---\n');
  sayLeftRoles(context, generated);
  return { result: { documents }, text, warnings: [...noted, ...generated.warnings] };
}

function sayLeftRoles({ report }: CliContext, { leftRoles }: GeneratedBundle): void {
  if (leftRoles.length === 0) return;
  report.info(`left out, as no binding names them (--user-roles keeps them): ${leftRoles.join(', ')}`);
}

async function readInput(
  context: CliContext,
  options: BundleOptions,
  { kustomizeDir, version }: WantedBundle,
  onWarning: (warning: Finding) => void,
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
  return renderKustomization(kustomizeDir, { cwd: context.cwd, pipeInto, onWarning });
}

/**
 * Checks that the folder has a kustomization. @throws OpSdkError `bundle/no-kustomization` if `generate kustomize manifests` has never been
 * run
 */
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

/** Reads the base ClusterServiceVersion of the package. It is needed if the objects of the bundle contain no ClusterServiceVersion. */
async function baseOf(cwd: string, bases: string, packageName: string): Promise<PlacedObject | undefined> {
  const file = `${bases}/${packageName}.clusterserviceversion.yaml`;
  const text = await readFileOf(cwd, file);
  return text === undefined ? undefined : readManifest(text, file)[0];
}

/** Returns the descriptions of the kinds in the sources of the project. Warnings are dropped, because `generate manifests` reports them. */
function describedIn(projectDir: string): readonly KindDescription[] {
  return describeKinds({ projectDir }).kinds;
}
