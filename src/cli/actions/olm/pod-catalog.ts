import { documentsIn, inWrittenOrder, printDocument } from '../../../olm/catalog/index.ts';
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
import type { Place } from '../../../images/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import type { RunBundleOptions } from '../../flags/run-bundle-flags.ts';
import type { BundleToRun } from './open-bundle-to-run.ts';
import { withRunCatalog, type FormerCatalog, type Predecessor } from './run-catalog.ts';

/** Parts of a catalogue of ConfigMaps. */
export interface PodCatalogRequest {
  readonly bundle: BundleToRun;
  readonly image: string;
  readonly names: RunNames;
  readonly namespace: string;
  readonly indexImage: string;
  /** Bundles of the catalogue before. */
  readonly bundles: readonly InjectedBundle[];
  readonly predecessor?: Predecessor | undefined;
  readonly pullSecret: string | undefined;
  readonly securityContext: PodCatalog['securityContext'];
  /** Flags for the registry. */
  readonly registry: RegistryFlags;
}

/** Makes the catalogue that a Pod serves. @throws OpSdkError what the catalogue could not hold, `oci/…` */
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
 * The catalogue that is in the ConfigMaps of a CatalogSource; undefined if there are none.
 *
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
