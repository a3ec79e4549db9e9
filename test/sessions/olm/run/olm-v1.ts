// A stand-in of OLM v1: serves ClusterCatalogs and installs ClusterExtensions from them, in the states of the recordings.
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import { ClusterCatalog, ClusterExtension } from '../../../../src/olm/run/run-names.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';
import { pulledDocuments } from './pulled-image.ts';
import { setStatus, StandIn } from '../stand-in.ts';
import { bring, ignoreRaces, runPods, type Faults } from './stand-in.ts';

/** Plays OLM v1 on an API server with its CustomResourceDefinitions, until it is disposed of. */
export function playOlmV1(client: KubeClient, faults: Faults = {}): AsyncDisposable {
  const olm = new OlmV1(client, faults);
  return new StandIn(() => olm.step());
}

class OlmV1 {
  readonly #client: KubeClient;
  readonly #faults: Faults;
  /** The documents of catalogues, by image. */
  readonly #catalogs = new Map<string, readonly Loose[]>();

  constructor(client: KubeClient, faults: Faults) {
    this.#client = client;
    this.#faults = faults;
  }

  async step(): Promise<void> {
    await runPods(this.#client, this.#faults);
    const catalogs: readonly Loose[] = (await this.#client.list(ClusterCatalog)).items;
    for (const catalog of catalogs) await this.#serve(catalog).catch(ignoreRaces);
    for (const extension of (await this.#client.list(ClusterExtension)).items)
      await this.#install(extension as Loose, catalogs).catch(ignoreRaces);
  }

  async #serve(catalog: Loose): Promise<void> {
    if (this.#faults.stopsBefore === 'catalog') return;
    const { ref } = catalog.spec.source.image;
    const { name, labels } = catalog.metadata;
    const label = 'olm.operatorframework.io/metadata.name';
    // A webhook of OLM adds it.
    if (labels?.[label] !== name)
      await this.#client.patch(
        ClusterCatalog,
        { name },
        { type: 'merge', body: { metadata: { labels: { [label]: name } } } },
      );
    if ((this.#faults.missingImages ?? []).some((form) => form.test(ref))) {
      const message = `source catalog content: error creating image source: reading manifest in ${ref}: manifest unknown`;
      return this.#sayOf(
        ClusterCatalog,
        catalog,
        [condition('Progressing', 'True', 'Retrying', message)],
        {},
      );
    }
    if (!this.#catalogs.has(ref)) this.#catalogs.set(ref, await pulledDocuments(ref, 'configs'));
    await this.#sayOf(
      ClusterCatalog,
      catalog,
      [
        condition(
          'Progressing',
          'True',
          'Succeeded',
          'Successfully unpacked and stored content from resolved source',
        ),
        condition('Serving', 'True', 'Available', 'Serving desired content from resolved source'),
      ],
      {
        resolvedSource: { type: 'Image', image: { ref } },
        urls: { base: `https://catalogd/catalogs/${name}` },
      },
    );
  }

  async #install(extension: Loose, catalogs: readonly Loose[]): Promise<void> {
    if (this.#faults.stopsBefore !== undefined && this.#faults.stopsBefore !== 'deployment') return;
    if (extension.metadata.deletionTimestamp !== undefined) return;
    const { packageName, version, selector } = extension.spec.source.catalog;
    const wanted = selector.matchLabels['olm.operatorframework.io/metadata.name'];
    const catalog = catalogs.find(({ metadata }) => metadata.name === wanted);
    const documents = this.#catalogs.get(catalog?.spec.source.image.ref ?? '');
    if (documents === undefined) return;
    const bundle = documents.find(
      ({ schema, package: of, name }) =>
        schema === 'olm.bundle' && of === packageName && String(name).endsWith(`.v${version}`),
    );
    if (bundle === undefined) return;
    const { name, uid } = extension.metadata;
    const { namespace } = extension.spec;
    const before = extension.status?.install?.bundle.version;
    if (before === version) return;
    const owner = {
      apiVersion: extension.apiVersion,
      kind: 'ClusterExtension',
      name,
      uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    for (const object of manifestsOf(await pulledDocuments(bundle.image, 'manifests'), namespace)) {
      const { metadata } = object;
      await this.#put({
        ...object,
        metadata: {
          ...metadata,
          labels: {
            ...metadata.labels,
            'olm.operatorframework.io/owner-kind': 'ClusterExtension',
            'olm.operatorframework.io/owner-name': name,
          },
          ownerReferences: [owner],
        },
      });
    }
    const message = `Installed bundle ${bundle.image} successfully`;
    await this.#sayOf(
      ClusterExtension,
      extension,
      [
        condition('Installed', 'True', 'Succeeded', message),
        condition('Progressing', 'True', 'Succeeded', 'Desired state reached'),
      ],
      { install: { bundle: { name: bundle.name, version } } },
    );
  }

  async #put(object: Loose): Promise<void> {
    await bring(this.#client, object);
    if (object.kind !== 'Deployment') return;
    const type = await this.#client.resourceOf(object);
    const { name, namespace } = object.metadata;
    await this.#client.patch(type, { name, namespace }, { type: 'merge', body: { spec: object.spec } });
  }

  async #sayOf(
    type: typeof ClusterCatalog,
    object: Loose,
    conditions: readonly object[],
    status: object,
  ): Promise<void> {
    const { generation } = object.metadata;
    const next = {
      ...status,
      conditions: conditions.map((each) => ({ ...each, observedGeneration: generation })),
    };
    const isSame = Object.entries(next).every(
      ([key, value]) => JSON.stringify(object.status?.[key]) === JSON.stringify(value),
    );
    if (!isSame) await setStatus(this.#client, type, object as KubeObject, next);
  }
}

function condition(type: string, status: string, reason: string, message: string): object {
  return { lastTransitionTime: '2026-01-01T00:00:00Z', message, reason, status, type };
}

/** What becomes of a bundle: everything but its ClusterServiceVersion, and what that asks for. */
function manifestsOf(objects: readonly Loose[], namespace: string): readonly Loose[] {
  const csv = objects.find(({ kind }) => kind === 'ClusterServiceVersion');
  const { deployments, clusterPermissions = [] } = csv?.spec.install.spec;
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  return [
    ...objects.filter(({ kind }) => kind !== 'ClusterServiceVersion'),
    ...(clusterPermissions as readonly Loose[]).flatMap(
      ({ serviceAccountName, rules }: Loose, index: number) => {
        const metadata = { name: `${csv?.metadata.name}-${index}` };
        return [
          { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: serviceAccountName, namespace } },
          { apiVersion, kind: 'ClusterRole', metadata, rules },
          {
            ...{ apiVersion, kind: 'ClusterRoleBinding', metadata },
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name },
            subjects: [{ kind: 'ServiceAccount', name: serviceAccountName, namespace }],
          },
        ];
      },
    ),
    ...(deployments as readonly Loose[]).map(({ name, spec }: Loose) => ({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', spec },
      metadata: { name, namespace },
    })),
  ];
}
