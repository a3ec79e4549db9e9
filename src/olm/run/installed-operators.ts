import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt, textOf } from '../bundle/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import {
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  ClusterServiceVersion,
  Subscription,
} from './run-names.ts';

/** An operator that OLM v0 has installed in a namespace, or is about to install. */
export interface InstalledV0 {
  readonly subscription: KubeObject;
  /** Name of the CatalogSource from which the Subscription installs. */
  readonly source: string;
  /** The CatalogSource from which the Subscription installs; undefined if it has been deleted. */
  readonly catalog: KubeObject | undefined;
  /** Name of the installed ClusterServiceVersion; `''` if none is installed yet. */
  readonly csv: string;
  /** `spec.version` of the installed ClusterServiceVersion; `''` if none is installed yet. */
  readonly version: string;
}

/**
 * Returns the operators that OLM v0 has installed from a package in a namespace: at most one, unless several Subscriptions name the
 * package.
 */
export async function installedByV0(
  client: KubeClient,
  packageName: string,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly InstalledV0[]> {
  const { items } = await client.list(Subscription, { namespace, signal });
  const own = items.filter((item) => textOf(fieldAt(item, 'spec', 'name')) === packageName);
  return Promise.all(
    own.map(async (subscription) => {
      const source = textOf(fieldAt(subscription, 'spec', 'source'));
      const catalogNamespace = textOf(fieldAt(subscription, 'spec', 'sourceNamespace'));
      const csv = textOf(fieldAt(subscription, 'status', 'installedCSV'));
      const installed =
        csv === ''
          ? undefined
          : await client.find(ClusterServiceVersion, { name: csv, namespace }, { signal });
      return {
        subscription,
        source,
        catalog:
          source === ''
            ? undefined
            : await client.find(CatalogSource, { name: source, namespace: catalogNamespace }, { signal }),
        csv: installed === undefined ? '' : csv,
        version: textOf(fieldAt(installed, 'spec', 'version')),
      };
    }),
  );
}

/** An operator that OLM v1 has installed, or is about to install. */
export interface InstalledV1 {
  readonly extension: KubeObject;
  /** Name of the catalogue that the ClusterExtension selects; `''` if it does not select exactly one. */
  readonly source: string;
  /** Catalogue that the ClusterExtension selects; undefined if it does not select exactly one, or if the catalogue has been deleted. */
  readonly catalog: KubeObject | undefined;
  /**
   * Name of the installed bundle; `''` if none is installed yet. `version` is the version of this bundle, also `''` if none is installed
   * yet.
   */
  readonly csv: string;
  readonly version: string;
}

/** Returns the operators that OLM v1 has installed from a package. OLM v1 allows one installation of a package per cluster. */
export async function installedByV1(
  client: KubeClient,
  packageName: string,
  signal: AbortSignal,
): Promise<readonly InstalledV1[]> {
  const { items } = await client.list(ClusterExtension, { signal });
  const own = items.filter(
    (item) => textOf(fieldAt(item, 'spec', 'source', 'catalog', 'packageName')) === packageName,
  );
  return Promise.all(
    own.map(async (extension) => {
      const source = textOf(
        fieldAt(
          extension,
          ...[
            'spec',
            'source',
            'catalog',
            'selector',
            'matchLabels',
            'olm.operatorframework.io/metadata.name',
          ],
        ),
      );
      const bundle = fieldAt(extension, 'status', 'install', 'bundle');
      return {
        extension,
        source,
        catalog: source === '' ? undefined : await client.find(ClusterCatalog, { name: source }, { signal }),
        csv: textOf(fieldAt(bundle, 'name')),
        version: textOf(fieldAt(bundle, 'version')),
      };
    }),
  );
}
