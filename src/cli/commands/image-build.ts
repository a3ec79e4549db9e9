import { defineCommand, type CliContext, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags, outputFlags } from '../flags/registry-flags.ts';
import { buildOperator, type OperatorBundle } from '../../compiler/build/index.ts';
import { FindingList, type Finding, OpSdkError } from '../../base/errors/index.ts';
import {
  buildImage,
  createLayer,
  formatPlatform,
  joinPlatforms,
  parsePlatforms,
  selectPlatform,
  type BuiltImage,
  type ImageContent,
  type Layer,
  type Platform,
  type PlatformImage,
  pushImage,
  formatReference,
  openCached,
  parseReference,
  resolvePlace,
  readLayout,
  withDefaultTag,
  type ImageReference,
  type Place,
  pullImage,
  type RegistryOptions,
} from '../../images/index.ts';
import { layout, readFileOf } from '../../project/project/index.ts';
import { defaultBaseImage, operatorStart } from '../../project/scaffold/index.ts';
import { inProjectLock } from '../project-lock.ts';
import { cacheFolder } from '../../base/util/fs.ts';
import { registryOptions, noRegistryNamed } from '../actions/images/registry-options.ts';
import { attachSbom } from '../actions/images/attach-sbom.ts';
import { decideOutput, imageOutcome, writeOutput, type Output } from '../actions/images/output.ts';

const flags = {
  ...outputFlags,
  base: flag.text(
    'image',
    'the base image, or oci:DIR for a layout on disk (default: BASE_IMAGE of the Dockerfile)',
  ),
  platform: flag.text('list', 'os/architecture, several separated by commas (default: linux/amd64)'),
  entry: flag.text('file', 'the file that starts the operator (default: src/main.ts)'),
  push: flag.boolean('push the image after the build'),
  sbom: flag.boolean('attach a bill of materials (CycloneDX): packages of the bundle, base image, Node'),
  ...pullFlags,
};

export const command = defineCommand({
  flags,
  help: `
Bundles the operator as \`op-sdk build\` does and adds it to a base image: the image that the
Dockerfile of the project describes, without docker. One layer serves all platforms, since only
the base differs. The same sources and base give an image with the same bytes. The base is pulled
with the credentials of docker or podman and cached in $XDG_CACHE_HOME/op-sdk/images. With --sbom
the image gets a bill of materials as a referrer, which is pushed with it.`,
  async run(context, options) {
    const plan = await decide(context, options);
    const registry = registryOptions(context, options);
    const dryRun = options.dryRun === true;
    const operator = await inProjectLock(context, { writes: !dryRun }, ({ cwd }) =>
      buildOperator({
        projectDir: cwd,
        ...(options.entry === undefined ? {} : { entry: options.entry }),
      }),
    );
    const base = await openBase(context, plan.base, registry, !dryRun);
    context.report.step(`base ${base.name} ${base.content.root.digest}`);
    const built = await assemble(plan, base, operatorLayer(operator));
    const content = options.sbom === true ? withSbom(plan, base, operator, built) : built.content;
    const written = await writeOutput(context, plan.output, content, dryRun);
    const platforms = namesOf(plan.platforms);
    const result = { ...written, base: { image: base.name, digest: base.content.root.digest }, platforms };
    const pushed = options.push === true && !dryRun;
    if (pushed) await push(context, plan, options, content);
    const outcome = imageOutcome(written, plan.output, {
      warnings: operator.warnings,
      next: pushed ? [] : [`op-sdk image push ${written.image}`],
    });
    const [sbom] = content.referrers ?? [];
    return {
      ...outcome,
      result: { ...result, pushed, ...(sbom === undefined ? {} : { sbom: sbom.digest }) },
    };
  },
});

/** Base image, as the flag `--base` specifies it. */
export type Base =
  | { readonly kind: 'registry'; readonly reference: ImageReference }
  | { readonly kind: 'layout'; readonly layout: Place };

/**
 * Parses the value of `--base`: the name of an image, or `oci:DIR` for an OCI layout folder that contains one image.
 * @throws OpSdkError `oci/invalid-reference`
 */
export function parseBase(text: string, cwd: string): Base {
  // The prefix `oci:` always means a layout folder. A Docker Hub repository called oci can still be given by its full name.
  if (text.startsWith('oci:')) {
    const folder = text.slice('oci:'.length);
    if (folder !== '') return { kind: 'layout', layout: resolvePlace(cwd, folder) };
    throw new OpSdkError({
      code: 'oci/invalid-reference',
      message: `--base: expected oci: and the name of a folder, got '${text}'`,
      where: { flag: '--base' },
      fix: ['write --base oci:DIR'],
    });
  }
  return { kind: 'registry', reference: withDefaultTag(parseReference(text, '--base')) };
}

/** Suggested fixes for a registry that failed: take the base image from another registry, or from an OCI layout. */
const otherBases = [
  'or build on an image of a registry that you reach: --base REGISTRY/IMAGE',
  'or on a layout on disk: --base oci:DIR (made elsewhere by: skopeo copy docker://IMAGE oci:DIR)',
];

/**
 * Opens a base image. Its manifests are read at once, its layers only when they are needed.
 * @param useCache true to store the data that is read, so that the next build can use it; false in a dry run, which writes nothing
 * @throws OpSdkError with the errors of the layout, the registry or the cache
 */
export async function openBase(
  context: CliContext,
  base: Base,
  registry: RegistryOptions,
  useCache: boolean,
): Promise<OpenBase> {
  if (base.kind === 'layout') return { content: await readLayout(base.layout), name: base.layout.shown };
  const { reference } = base;
  const pull = (): Promise<ImageContent> => pullImage(reference, { ...registry, instead: otherBases });
  const cache = resolvePlace(context.cwd, cacheFolder(context.env, 'images'));
  const content = useCache ? await openCached(cache, reference, pull, context.signal) : await pull();
  return { content, name: formatReference(reference) };
}

type Options = ParsedOptions<typeof flags>;

/** Checked values of the flags of `image build`. */
interface Plan {
  readonly output: Output;
  readonly platforms: readonly Platform[];
  readonly base: Base;
}

async function decide({ cwd }: CliContext, options: Options): Promise<Plan> {
  const findings = new FindingList();
  const output = await decideOutput(cwd, options, findings);
  const platforms = await findings.gather(() =>
    parsePlatforms(options.platform ?? 'linux/amd64', '--platform'),
  );
  const base = await findings.gather(async () =>
    parseBase(options.base ?? (await scaffoldedBase(cwd)) ?? defaultBaseImage, cwd),
  );
  if (output?.destination.kind === 'docker-archive' && options.sbom === true) {
    findings.add({
      code: 'oci/archive-form',
      message: '--to: expected a form that holds a bill of materials beside the image, got a docker archive',
      where: { flag: '--to' },
      fix: ['write --to oci-archive:FILE', 'leave out --sbom'],
    });
  }
  if (output?.destination.kind === 'docker-archive' && (platforms?.length ?? 0) > 1) {
    findings.add({
      code: 'oci/archive-form',
      message:
        '--to: a docker archive can contain an image for only one platform, and several platforms were requested',
      where: { flag: '--to' },
      fix: ['name one platform', 'write --to oci-archive:FILE'],
    });
  }
  // The name is checked before the build, because the registry would reject the push only at the end, for example a push to an official
  // image of Docker Hub.
  if (options.push === true && output !== undefined) {
    const unnamed = noRegistryNamed(output.reference, options.tag ?? '', '--tag');
    if (unnamed !== undefined) findings.add(unnamed);
  }
  if (options.entry === undefined) findings.add(...(await notAProject(cwd)));
  findings.throwIfAny();
  // Without findings, none of these values can be undefined.
  if (output === undefined || platforms === undefined || base === undefined)
    throw new TypeError('a check failed without saying why');
  return { output, platforms, base };
}

/** Returns the default base image of the scaffolded Dockerfile; undefined if the project has no such Dockerfile. */
async function scaffoldedBase(cwd: string): Promise<string | undefined> {
  const dockerfile = await readFileOf(cwd, 'Dockerfile');
  return /^ARG BASE_IMAGE=(\S+)$/m.exec(dockerfile ?? '')?.[1];
}

/** Returns the layer that is the same on every platform. It contains the files that `COPY` puts into the image of the Dockerfile. */
function operatorLayer(operator: OperatorBundle): Layer {
  const entries = operator.files.map(({ path, content }) => ({
    path: path.replace(/^dist\//, `${operatorStart.folder.slice(1)}/`),
    content: Buffer.from(content),
  }));
  return createLayer(entries, 'op-sdk image build');
}

/** Base image with its name for messages. */
interface OpenBase {
  readonly content: ImageContent;
  readonly name: string;
}

interface Assembled {
  readonly content: ImageContent;
  /** The base for each platform. */
  readonly bases: readonly PlatformImage[];
}

async function assemble(
  { base: from, output: { format }, platforms }: Plan,
  base: OpenBase,
  layer: Layer,
): Promise<Assembled> {
  const findings = new FindingList();
  const images: BuiltImage[] = [];
  const bases: PlatformImage[] = [];
  for (const platform of platforms) {
    const image = await findings.gather(async () => {
      const platformBase = await selectPlatform(base.content, platform, base.name);
      bases.push(platformBase);
      return buildImage({
        format,
        platform,
        layers: [layer],
        base: platformBase,
        config: {
          User: operatorStart.user,
          WorkingDir: operatorStart.folder,
          Entrypoint: operatorStart.entrypoint,
        },
        // Scanners and update bots read the base of an image from these annotations.
        annotations: {
          'org.opencontainers.image.base.digest': base.content.root.digest,
          ...(from.kind === 'registry' ? { 'org.opencontainers.image.base.name': base.name } : {}),
        },
      });
    });
    if (image !== undefined) images.push(image);
  }
  findings.throwIfAny();
  return { content: joinPlatforms(images, format), bases };
}

function withSbom(
  { base: from, output }: Plan,
  base: OpenBase,
  operator: OperatorBundle,
  { content, bases: [platformBase] }: Assembled,
): ImageContent {
  const baseReference = from.kind === 'registry' ? from.reference : undefined;
  return attachSbom(content, { operator, image: output.reference, baseReference, base, platformBase });
}

async function push(
  context: CliContext,
  { base, output }: Plan,
  options: Options,
  content: ImageContent,
): Promise<void> {
  const mountFrom = base.kind === 'registry' ? [base.reference] : [];
  await pushImage(output.reference, content, { ...registryOptions(context, options), mountFrom });
}

function namesOf(platforms: readonly Platform[]): readonly string[] {
  return platforms.map(formatPlatform);
}

/**
 * Returns a finding if the folder is not a project, so that it is reported together with errors in the flags. The bundler would report it
 * only after the base image has been pulled.
 */
async function notAProject(cwd: string): Promise<readonly Finding[]> {
  if ((await readFileOf(cwd, layout.main)) !== undefined) return [];
  return [
    {
      code: 'build/entry-not-found',
      message: `${layout.main} not found in this folder`,
      where: { file: layout.main },
      fix: ['run the command in the folder of the project, or name the file with --entry'],
    },
  ];
}
