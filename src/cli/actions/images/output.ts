import { readdir } from 'node:fs/promises';
import { OpSdkError, type FindingList, type Finding } from '../../../base/errors/index.ts';
import {
  checkDestination,
  formatReference,
  isIndex,
  parseDestination,
  parseReference,
  readImageManifest,
  withDefaultTag,
  writeImage,
  type Destination,
  type ImageContent,
  type ImageFormat,
  type ImageReference,
  buildImage,
  type Layer,
  createLayer,
  folderEntries,
  type Place,
} from '../../../images/index.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import type { OutputOptions } from '../../flags/registry-flags.ts';
import { missingFlag } from '../input/flag-values.ts';
import { readBundleMetadata, type BundleMetadata } from '../../../olm/bundle/index.ts';
import { isLeftover } from '../../../base/util/folders.ts';

/** Name of an image to write, its destination, and its format. */
export interface Output {
  /** Name of the image, including a tag. */
  readonly reference: ImageReference;
  readonly destination: Destination;
  readonly format: ImageFormat;
}

/**
 * Evaluates the flags of {@link outputFlags}, and checks that the destination can be written.
 * @returns undefined if there are findings
 */
export async function decideOutput(
  cwd: string,
  options: OutputOptions,
  findings: FindingList,
): Promise<Output | undefined> {
  const reference = await findings.gather(() => readTag(options.tag));
  const destination = await findings.gather(async () => {
    const parsed = parseDestination(options.to, cwd);
    findings.add(...(await checkDestination(parsed)));
    return parsed;
  });
  if (reference === undefined || destination === undefined) return undefined;
  const format = options.format ?? (destination.kind === 'docker-archive' ? 'docker' : 'oci');
  return { reference, destination, format };
}

function readTag(tag: string | undefined): ImageReference {
  if (tag === undefined) {
    throw new OpSdkError(
      missingFlag(
        '--tag',
        'the image needs a name',
        'give it one, such as --tag registry.example.com/team/name:v0.1.0',
      ),
    );
  }
  const reference = parseReference(tag, '--tag');
  if (reference.digest === undefined) return withDefaultTag(reference);
  throw new OpSdkError({
    code: 'oci/invalid-reference',
    message: `--tag: expected a name without a digest, got '${tag}': the digest is computed from the content of the image`,
    where: { flag: '--tag' },
    fix: [`write ${tag.split('@')[0]}`],
  });
}

/** Result of a command that writes an image. */
interface WrittenImage {
  readonly image: string;
  /** Digest of the image's manifest or, for several platforms, its index. */
  readonly digest: string;
  readonly mediaType: string;
  /** Digest of the image's configuration; absent for an image with several platforms. docker identifies a loaded image by this digest. */
  readonly id?: string;
  /** Destination of the image: `oci:DIR`, `oci-archive:FILE` or `docker-archive:FILE`. */
  readonly to: string;
  readonly changed: boolean;
  readonly dryRun: boolean;
}

/**
 * Writes an image to the destination that the flags name. A dry run only reports what would be written.
 * @throws OpSdkError like `writeImage`
 */
export async function writeOutput(
  { cwd, report, signal }: CliContext,
  { destination, reference }: Output,
  content: ImageContent,
  dryRun: boolean,
): Promise<WrittenImage> {
  const image = formatReference(reference);
  const changed = dryRun || (await writeImage(destination, reference, content, signal));
  const { kind, place } = destination;
  const action = changed ? 'create' : 'unchanged';
  report.info(`${report.paint(changed ? 'good' : 'dim', action)}  ${place.shown}  ${image}`);
  if (dryRun) report.info('dry run: nothing was written');
  const id = isIndex(content.root)
    ? undefined
    : (await readImageManifest(content, content.root)).config.digest;
  return {
    image,
    digest: content.root.digest,
    mediaType: content.root.mediaType,
    ...(id === undefined ? {} : { id }),
    to: `${kind === 'store' ? 'oci' : kind}:${place.shown === cwd ? '.' : place.shown}`,
    changed,
    dryRun,
  };
}

/** Returns the line for stdout that identifies exactly this image, for use in the next command. */
function imageLine({ image, digest, id, to }: WrittenImage): string {
  // A docker-archive contains no manifest, so the image in it cannot be found by the manifest digest. The line therefore has the
  // configuration digest.
  if (to.startsWith('docker-archive:') && id !== undefined) return `${image} ${id}`;
  return `${image}@${digest}`;
}

/** Returns the outcome of a command that wrote an image without pushing it. */
export function imageOutcome(
  written: WrittenImage,
  { destination }: Output,
  more: Partial<CommandOutcome>,
): CommandOutcome {
  const canPush = destination.kind === 'store' && !written.dryRun;
  return {
    result: written,
    text: imageLine(written),
    ...more,
    ...(canPush ? {} : { next: [] }),
  };
}

/**
 * Creates an image that has one layer, labels, and no base image. OLM expects the images of bundles and catalogues in this form and does
 * not run them.
 */
export function labelledImage(
  layer: Layer,
  labels: Readonly<Record<string, string>>,
  format: ImageFormat,
): ImageContent {
  return buildImage({
    format,
    platform: { os: 'linux', architecture: 'amd64' },
    layers: [layer],
    config: { Labels: labels },
  }).content;
}

interface BundleLayer {
  readonly metadata: BundleMetadata;
  readonly layer: Layer;
  readonly warnings: readonly Finding[];
}

/**
 * Reads the files in a bundle's folder that are part of the bundle image.
 * @returns undefined if there are findings
 */
export async function bundleLayer(folder: Place, findings: FindingList): Promise<BundleLayer | undefined> {
  const metadata = await findings.gather(() => readBundleMetadata(folder.path, folder.shown));
  if (metadata === undefined) return undefined;
  const { manifests, folders } = metadata;
  const entries = await folderEntries(folder, folders, findings);
  if (!entries.some(({ path, content }) => path.startsWith(`${manifests}/`) && content !== undefined)) {
    findings.add({
      code: 'bundle/empty',
      message: `${folder.shown}/${manifests} has no files, so the bundle would install nothing`,
      where: { file: `${folder.shown}/${manifests}` },
      fix: ['create the bundle with `op-sdk generate bundle`'],
    });
  }
  if (!findings.isEmpty) return undefined;
  return {
    metadata,
    layer: createLayer(entries, 'op-sdk bundle build'),
    warnings: [...metadata.warnings, ...(await leftOut(folder, folders))],
  };
}

/**
 * Returns warnings about files in the bundle's folder that are not part of the bundle image. An image built with bundle.Dockerfile does not
 * contain these files either.
 */
async function leftOut(folder: Place, folders: readonly string[]): Promise<readonly Finding[]> {
  const names = (await readdir(folder.path)).sort();
  return names
    .filter(
      (name) => !isLeftover(name) && !folders.some((path) => path === name || path.startsWith(`${name}/`)),
    )
    .map((name) => ({
      code: 'oci/left-out',
      message: `${folder.shown}/${name} is not part of the image, which holds ${folders.join(', ')} only`,
      where: { file: `${folder.shown}/${name}` },
      fix: ['move it out of the bundle if it does not belong there'],
    }));
}
