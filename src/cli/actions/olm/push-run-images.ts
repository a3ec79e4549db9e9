import { catalogLabels, catalogLayer } from '../../../olm/catalog/index.ts';
import { FindingList, isOpSdkError, OpSdkError } from '../../../base/errors/index.ts';
import { formatReference, type ImageReference, type Layer } from '../../../images/index.ts';
import { pushImage } from '../../../images/registry/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { bundleLayer } from '../images/bundle-layer.ts';
import { labelledImage } from '../images/labelled-image.ts';
import { registryOptions } from '../images/registry-options.ts';
import type { BundleToRun } from './open-bundle-to-run.ts';
import { withRunCatalog, type Predecessor } from './run-catalog.ts';

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
  const image = await pushRunBundle(context, bundle, flags);
  const layer = await withRunCatalog(context, { bundle, image, flags, predecessor }, catalogLayer);
  return { bundle: image, catalog: await push(context, bundle.catalogImage, layer, catalogLabels, flags) };
}

/** Pushes the bundle if it was named by its folder. @returns its image @throws OpSdkError `oci/…` */
export async function pushRunBundle(
  context: CliContext,
  bundle: BundleToRun,
  flags: RegistryFlags,
): Promise<string> {
  return bundle.isFolder ? pushFolder(context, bundle, flags) : formatReference(bundle.image);
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

/** Adds a fix to a refused push: another repository. */
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
