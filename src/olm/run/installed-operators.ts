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

/** An operator that OLM v0 has installed in a namespace, or is about to. */
export interface InstalledV0 {
  readonly subscription: KubeObject;
  /** The name of its catalogue. */
  readonly source: string;
  /** Undefined if it is deleted. */
  readonly catalog: KubeObject | undefined;
  /** The name of the ClusterServiceVersion that is installed; `''` before there is one. */
  readonly csv: string;
  /** Its `spec.version`; `''` if none is installed yet. */
  readonly version: string;
}

/** Returns the installations of a package in a namespace by OLM v0: at most one, unless there are several Subscriptions to the package. */
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

/** An operator that OLM v1 has installed, or is about to. */
export interface InstalledV1 {
  readonly extension: KubeObject;
  /** Name of the catalogue in its selector; `''` if it selects no single one. */
  readonly source: string;
  /** Catalogue in its selector; undefined if none is named, or it has been deleted. */
  readonly catalog: KubeObject | undefined;
  /** The name of the bundle that is installed, and its version; `''` before there is one. */
  readonly csv: string;
  readonly version: string;
}

/** Returns the installations of a package by OLM v1, which allows one per cluster. */
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
