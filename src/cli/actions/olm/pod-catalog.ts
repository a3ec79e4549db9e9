import {
  documentsIn,
  inWrittenOrder,
  printDocument,
  catalogLabels,
  catalogLayer,
} from '../../../olm/catalog/index.ts';
import type { KubeObject } from '../../../sdk/api/index.ts';
import {
  catalogParts,
  defaultDecompressionImage,
  injectedBundle,
  type InjectedBundle,
  type PodCatalog,
  type RunNames,
} from '../../../olm/run/index.ts';
import { ConfigMap } from '../../../sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import {
  type Place,
  formatReference,
  type ImageReference,
  type Layer,
  pushImage,
} from '../../../images/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import type { RunBundleOptions } from '../../flags/olm-flags.ts';
import { FindingList, isOpSdkError, OpSdkError } from '../../../base/errors/index.ts';
import { labelledImage, bundleLayer } from '../images/output.ts';
import { registryOptions } from '../images/registry-options.ts';
import type { BundleToRun } from './open-bundle-to-run.ts';
import { withRunCatalog, type FormerCatalog, type Predecessor } from './run-catalog.ts';

/** Input for a catalogue that is stored in ConfigMaps and served by a Pod. */
interface PodCatalogRequest {
  readonly bundle: BundleToRun;
  readonly image: string;
  readonly names: RunNames;
  readonly namespace: string;
  readonly indexImage: string;
  /** Bundles that the catalogue contained before this bundle was added. */
  readonly bundles: readonly InjectedBundle[];
  readonly predecessor?: Predecessor | undefined;
  readonly pullSecret: string | undefined;
  readonly securityContext: PodCatalog['securityContext'];
  readonly registry: RegistryFlags;
}

/** Builds the catalogue that a Pod serves from ConfigMaps. @throws OpSdkError if the catalogue would be invalid, or `oci/…` */
export async function podCatalog(
  context: CliContext,
  request: PodCatalogRequest,
  options: RunBundleOptions,
): Promise<PodCatalog> {
  const { bundle, image, names, namespace, indexImage, bundles, predecessor, pullSecret } = request;
  const { securityContext, registry: flags } = request;
  const documents = await withRunCatalog(
    context,
    { bundle, image, flags, predecessor, indexImage },
    printedDocuments,
  );
  const added = injectedBundle(image, indexImage);
  return {
    ...{ names, namespace, indexImage, documents, pullSecret, securityContext },
    packageName: bundle.packageName,
    bundles: [...bundles.filter(({ imageTag }) => imageTag !== image), added],
    decompressionImage: options.decompressionImage ?? defaultDecompressionImage,
    imagePullPolicy: options.imagePullPolicy ?? 'Always',
    serviceAccount: options.serviceAccount,
  };
}

async function printedDocuments(place: Place): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const document of inWrittenOrder(await documentsIn(place)))
    texts.push(printDocument(await document.load(), 'yaml'));
  return texts;
}

/**
 * Returns the catalogue that is stored in the ConfigMaps of a CatalogSource; undefined if the CatalogSource has no catalogue ConfigMaps.
 * @throws OpSdkError `olm/config-map-unreadable`
 */
export async function catalogInConfigMaps(
  client: KubeClient,
  catalog: KubeObject | undefined,
  signal: AbortSignal,
): Promise<FormerCatalog | undefined> {
  if (catalog === undefined) return undefined;
  const { name, namespace = '' } = catalog.metadata;
  const { items } = await client.list(ConfigMap, { namespace, signal });
  const parts = catalogParts(items, catalog);
  return parts.length === 0 ? undefined : { parts, shown: `catalogsource/${name} -n ${namespace}` };
}

/** References, each with a digest, of the images that `run bundle` pushes or uses. */
export interface RunImages {
  readonly bundle: string;
  readonly catalog: string;
}

/**
 * Pushes the images that OLM pulls: the image of the bundle, if an argument named the bundle by its folder, and the image of the catalogue,
 * which is the previous catalogue with the bundle added.
 * @throws OpSdkError `oci/…`, or if the catalogue would be invalid
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

/**
 * Pushes the image of the bundle if an argument named the bundle by its folder.
 * @returns the reference of the bundle's image
 * @throws OpSdkError `oci/…`
 */
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
  // `bundleLayer` has added no findings, so its result cannot be undefined.
  if (read === undefined) throw new TypeError('a check failed without a reason');
  for (const warning of read.warnings) context.report.warn(warning);
  return push(context, bundle.image, read.layer, read.metadata.annotations, flags);
}

/**
 * Pushes an image.
 * @returns the reference of the image, with its digest
 */
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

/** Adds a suggested fix to the error of a refused push: push to another repository. */
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
