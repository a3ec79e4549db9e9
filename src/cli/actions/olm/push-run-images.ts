import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  catalogLabels,
  catalogLayer,
  configsFolder,
  planAddition,
  renderCatalogBundle,
} from '../../../catalog/index.ts';
import { FindingList, isOpSdkError, OpSdkError } from '../../../errors/index.ts';
import { formatReference, type ImageReference, type Layer } from '../../../oci/index.ts';
import { pushImage } from '../../../oci/registry/index.ts';
import { runChannel } from '../../../olm/index.ts';
import { applyPlan } from '../../../scaffold/writer.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { openSource } from '../catalog/open-source.ts';
import { bundleLayer } from '../images/bundle-layer.ts';
import { labelledImage } from '../images/labelled-image.ts';
import { registryOptions } from '../images/registry-options.ts';
import type { BundleToRun } from './open-bundle-to-run.ts';

/** What the new version is the update of. */
export interface Predecessor {
  /** The name of the installed ClusterServiceVersion. */
  readonly csv: string;
  /** The image of the catalogue that it came from; undefined if it came from none: the new catalogue has the new version only. */
  readonly catalogImage: string | undefined;
}

/** The images of a run, by their digests. */
export interface RunImages {
  readonly bundle: string;
  readonly catalog: string;
}

/**
 * Pushes what OLM pulls: the bundle if it was named by its folder, and a catalogue with it, on top of the one before.
 *
 * @throws OpSdkError `oci/…`; what the catalogue could not hold
 */
export async function pushRunImages(
  context: CliContext,
  bundle: BundleToRun,
  flags: RegistryFlags,
  predecessor?: Predecessor,
): Promise<RunImages> {
  const image = bundle.isFolder ? await pushFolder(context, bundle, flags) : formatReference(bundle.image);
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-catalog-'));
  try {
    if (predecessor?.catalogImage !== undefined)
      await bringCatalogue(context, predecessor.catalogImage, join(folder, configsFolder), flags);
    const plan = await additionTo(
      {
        folder: { root: folder, path: configsFolder, shown: configsFolder },
        bundle: await renderCatalogBundle(bundle.place, image),
        channels: [runChannel],
        defaultChannel: runChannel,
        entry: { name: bundle.csv, replaces: predecessor?.csv ?? '', skips: [], skipRange: '' },
      },
      bundle,
      predecessor,
    );
    await applyPlan(plan);
    const layer = await catalogLayer({ path: join(folder, configsFolder), shown: configsFolder });
    return { bundle: image, catalog: await push(context, bundle.catalogImage, layer, catalogLabels, flags) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws OpSdkError `olm/foreign-head` where the catalogue leads somewhere else than the installed version */
async function additionTo(
  addition: Parameters<typeof planAddition>[0],
  { packageName }: BundleToRun,
  predecessor: Predecessor | undefined,
): ReturnType<typeof planAddition> {
  try {
    return await planAddition(addition);
  } catch (error) {
    if (predecessor === undefined || !isOpSdkError(error) || error.code !== 'catalog/several-heads')
      throw error;
    const graph = error.findings.map(({ message }) => message).join('; ');
    throw new OpSdkError(
      {
        code: 'olm/foreign-head',
        message: `the installed ${predecessor.csv} is not the head of its catalogue ${predecessor.catalogImage}: ${graph}`,
        where: { object: predecessor.catalogImage ?? '' },
        fix: [
          'wait until OLM has installed the head of the catalogue',
          `or remove the operator, and install this version: op-sdk cleanup ${packageName}`,
        ],
      },
      { cause: error },
    );
  }
}

async function pushFolder(context: CliContext, bundle: BundleToRun, flags: RegistryFlags): Promise<string> {
  const findings = new FindingList();
  const read = await bundleLayer(bundle.place, findings);
  findings.throwIfAny();
  // It is missing only after a finding.
  if (read === undefined) throw new TypeError('a check failed without a reason');
  for (const warning of read.warnings) context.report.warn(warning);
  return push(context, bundle.image, read.layer, read.metadata.annotations, flags);
}

/** Copies the catalogue of an image. */
async function bringCatalogue(
  context: CliContext,
  image: string,
  to: string,
  flags: RegistryFlags,
): Promise<void> {
  await using source = await openSource(context, image, flags);
  if (source.kind !== 'catalog')
    throw new OpSdkError({
      code: 'catalog/not-renderable',
      message: `${image} is a bundle; expected the catalogue of the installed version`,
      where: { object: image },
    });
  await cp(source.place.path, to, { recursive: true });
}

/** @returns the image, by its digest */
async function push(
  context: CliContext,
  reference: ImageReference,
  layer: Layer,
  labels: Readonly<Record<string, string>>,
  flags: RegistryFlags,
): Promise<string> {
  const content = labelledImage(layer, labels, 'oci');
  context.report.step(`pushing ${formatReference(reference)}`);
  const { registry, repository } = reference;
  try {
    const { digest } = await pushImage(reference, content, registryOptions(context, flags));
    return formatReference({ registry, repository, digest });
  } catch (error) {
    throw withOtherRepository(error);
  }
}

/** Who may not push there may push elsewhere. */
function withOtherRepository(error: unknown): unknown {
  if (!isOpSdkError(error)) return error;
  const codes: readonly string[] = ['oci/denied', 'oci/authentication-required', 'oci/wrong-credentials'];
  if (!error.findings.some(({ code }) => codes.includes(code))) return error;
  const way = 'or push to a repository of yours: --push-to registry.example.com/team/operator-catalog';
  return new OpSdkError(
    error.findings.map((finding) => ({ ...finding, fix: [...(finding.fix ?? []), way] })),
    { cause: error },
  );
}
