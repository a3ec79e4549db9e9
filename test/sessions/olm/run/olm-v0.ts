// A stand-in of OLM v0: reads the catalogues of CatalogSources and installs what Subscriptions ask for, in the states of the recordings.
import { gunzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { CustomResourceDefinition } from '../../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { ConfigMap, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { ClusterRole, ClusterRoleBinding } from '../../../../src/sdk/k8s/generated/rbac/v1.ts';
import { isNotFound, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import {
  CatalogSource,
  ClusterServiceVersion,
  InstallPlan,
  OperatorGroup,
  Subscription,
} from '../../../../src/olm/run/run-names.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';
import { pulledDocuments } from './pulled-image.ts';
import { setStatus, StandIn } from '../stand-in.ts';
import { bring, drop, ignoreRaces, isAvailable, runPods, type Faults } from './stand-in.ts';

/** Plays OLM v0 on an API server with its CustomResourceDefinitions, until it is disposed of. */
export function playOlmV0(client: KubeClient, faults: Faults = {}): AsyncDisposable {
  const olm = new OlmV0(client, faults);
  return new StandIn(() => olm.step());
}

class OlmV0 {
  readonly #client: KubeClient;
  readonly #faults: Faults;
  /** The documents of catalogues, by image or by address. */
  readonly #catalogs = new Map<string, readonly Loose[]>();

  constructor(client: KubeClient, faults: Faults) {
    this.#client = client;
    this.#faults = faults;
  }

  async step(): Promise<void> {
    await runPods(this.#client, this.#faults);
    for (const source of (await this.#client.list(CatalogSource)).items) await this.#serve(source);
    for (const subscription of (await this.#client.list(Subscription)).items)
      await this.#resolve(subscription as Loose);
    for (const plan of (await this.#client.list(InstallPlan)).items) await this.#install(plan as Loose);
    for (const csv of (await this.#client.list(ClusterServiceVersion)).items) await this.#watch(csv as Loose);
    await this.#collect();
  }

  async #serve(source: Loose): Promise<void> {
    if (this.#faults.stopsBefore === 'catalog') return;
    // As in Go, what is empty is not set.
    const { image = '', address = '' } = source.spec;
    if (image === '') return address === '' ? undefined : this.#connect(source);
    const isMissing = (this.#faults.missingImages ?? []).some((form) => form.test(image));
    if (!isMissing && !this.#catalogs.has(image))
      this.#catalogs.set(image, await pulledDocuments(image, 'configs'));
    if (isMissing) await this.#catalogPod(source);
    await this.#sayConnection(source, isMissing ? 'TRANSIENT_FAILURE' : 'READY');
  }

  /** A Pod that runs serves the catalogue of the ConfigMaps that it mounts. */
  async #connect(source: Loose): Promise<void> {
    const { namespace } = source.metadata;
    const { address } = source.spec;
    const pods = (await this.#client.list(Pod, { namespace })).items as readonly Loose[];
    const pod = pods.find(({ status }) => `${status?.podIP}:50051` === address);
    if (pod === undefined) return this.#sayConnection(source, 'TRANSIENT_FAILURE');
    const maps = (pod.spec.volumes as readonly Loose[]).flatMap(({ configMap }) => configMap ?? []);
    const documents = await Promise.all(
      maps.map(async ({ name }) => {
        const { binaryData = {} } = await this.#client.get(ConfigMap, { name, namespace });
        const text = gunzipSync(Buffer.from(binaryData['extraFBC'] ?? '', 'base64')).toString();
        return parseAllDocuments(text).map((document): Loose => document.toJS());
      }),
    );
    this.#catalogs.set(address, documents.flat());
    await this.#sayConnection(source, 'READY');
  }

  async #sayConnection(source: Loose, lastObservedState: string): Promise<void> {
    if (source.status?.connectionState?.lastObservedState === lastObservedState) return;
    await setStatus(this.#client, CatalogSource, source as KubeObject, {
      connectionState: { lastObservedState },
    });
  }

  async #catalogPod(source: Loose): Promise<void> {
    const { name, namespace, uid } = source.metadata;
    await bring(this.#client, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `${name}-abcde`,
        namespace,
        labels: { 'olm.catalogSource': name, 'olm.managed': 'true' },
        ownerReferences: [{ apiVersion: 'operators.coreos.com/v1alpha1', kind: 'CatalogSource', name, uid }],
      },
      spec: { containers: [{ name: 'registry-server', image: source.spec.image }] },
    });
  }

  async #resolve(subscription: Loose): Promise<void> {
    if (this.#faults.stopsBefore === 'plan') return;
    const { name, namespace, uid } = subscription.metadata;
    const { channel, name: packageName, source: catalog, startingCSV } = subscription.spec;
    const groups = await this.#client.list(OperatorGroup, { namespace });
    // OLM says nothing of it.
    if (groups.items.length !== 1) return;
    const source: Loose = await this.#client
      .get(CatalogSource, { name: catalog, namespace })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    const documents = this.#catalogs.get(source?.spec.image || source?.spec.address);
    if (documents === undefined) return;
    const entries = documents.find(
      ({ schema, name: own, package: of }) =>
        schema === 'olm.channel' && own === channel && of === packageName,
    )?.entries as readonly Loose[] | undefined;
    if (entries === undefined) {
      const message = `constraints not satisfiable: no operators found in channel ${channel} of package ${packageName} in the catalog referenced by subscription ${name}, subscription ${name} exists`;
      const conditions = [
        { type: 'ResolutionFailed', status: 'True', reason: 'ConstraintsNotSatisfiable', message },
      ];
      return setStatus(this.#client, Subscription, subscription as KubeObject, {
        conditions,
        lastUpdated: '2026-01-01T00:00:00Z',
      });
    }
    const installed = subscription.status?.installedCSV;
    const next =
      installed === undefined ? startingCSV : entries.find(({ replaces }) => replaces === installed)?.name;
    if (next === undefined || subscription.status?.currentCSV === next) return;
    const plan = `install-${String(next).replace(/[^a-z0-9]+/g, '-')}`;
    await bring(this.#client, {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'InstallPlan',
      metadata: {
        name: plan,
        namespace,
        ownerReferences: [{ apiVersion: subscription.apiVersion, kind: 'Subscription', name, uid }],
      },
      spec: { approval: 'Manual', approved: false, clusterServiceVersionNames: [next], generation: 1 },
    });
    await setStatus(this.#client, Subscription, subscription as KubeObject, {
      currentCSV: next,
      state: 'UpgradePending',
      installPlanRef: {
        apiVersion: 'operators.coreos.com/v1alpha1',
        kind: 'InstallPlan',
        name: plan,
        namespace,
      },
      lastUpdated: '2026-01-01T00:00:00Z',
    });
  }

  async #install(plan: Loose): Promise<void> {
    const { namespace } = plan.metadata;
    const [csvName] = plan.spec.clusterServiceVersionNames;
    const phase = plan.status?.phase;
    if (phase === 'Complete') return;
    const bundle = [...this.#catalogs.values()]
      .flat()
      .find(({ schema, name }) => schema === 'olm.bundle' && name === csvName);
    const lookup = { identifier: csvName, path: bundle?.image, replaces: '', catalogSourceRef: {} };
    const say = (next: string): Promise<void> =>
      setStatus(this.#client, InstallPlan, plan as KubeObject, {
        phase: next,
        catalogSources: [],
        plan: [],
        bundleLookups: bundle === undefined ? [] : [lookup],
      });
    if (plan.spec.approved !== true)
      return phase === 'RequiresApproval' ? undefined : say('RequiresApproval');
    if (this.#faults.stopsBefore === 'unpack') return phase === 'Installing' ? undefined : say('Installing');
    if (bundle === undefined) return;
    const label = `operators.coreos.com/${bundle.package}.${namespace}`;
    const objects = await pulledDocuments(bundle.image, 'manifests');
    // The ClusterServiceVersion owns the other objects of the namespace.
    const csv = objects.find(({ kind }) => kind === 'ClusterServiceVersion');
    for (const object of objects.toSorted((a, b) => Number(b === csv) - Number(a === csv))) {
      await bring(this.#client, await this.#owned(installed(object, { namespace, csvName, label }), csvName));
      // A definition that is there gets the versions of the new bundle.
      if (object.kind === 'CustomResourceDefinition')
        await this.#client.patch(CustomResourceDefinition, object.metadata, {
          type: 'merge',
          body: { spec: object.spec },
        });
    }
    await say('Complete');
    const { items } = await this.#client.list(Subscription, { namespace });
    for (const subscription of items as readonly Loose[])
      if (subscription.status?.currentCSV === csvName)
        await setStatus(this.#client, Subscription, subscription as KubeObject, {
          installedCSV: csvName,
          state: 'AtLatestKnown',
          lastUpdated: '2026-01-01T00:00:00Z',
        });
  }

  /** Returns an object of a bundle with the owner that OLM gives it, by which the garbage collector finds it. */
  async #owned(object: Loose, csvName: string): Promise<Loose> {
    const { namespaced } = await this.#client.resourceOf(object);
    if (!namespaced || object.kind === 'ClusterServiceVersion') return object;
    const key = { name: csvName, namespace: object.metadata.namespace };
    const { apiVersion, kind, metadata } = await this.#client.get(ClusterServiceVersion, key);
    const ownerReferences = [{ apiVersion, kind, name: csvName, uid: metadata.uid }];
    return { ...object, metadata: { ...object.metadata, ownerReferences } };
  }

  async #watch(csv: Loose): Promise<void> {
    const { name, namespace, uid } = csv.metadata;
    if (csv.metadata.deletionTimestamp !== undefined) return;
    const owner = { apiVersion: csv.apiVersion, kind: csv.kind, name, uid };
    const labels = { 'olm.managed': 'true', 'olm.owner': name };
    const own = { ...labels, 'olm.owner.kind': 'ClusterServiceVersion', 'olm.owner.namespace': namespace };
    const { deployments, clusterPermissions = [] } = csv.spec.install.spec;
    for (const [index, { serviceAccountName, rules }] of (clusterPermissions as readonly Loose[]).entries()) {
      const role = `${name}-${index}`;
      await bring(this.#client, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: serviceAccountName, namespace, ownerReferences: [owner] },
      });
      const apiVersion = 'rbac.authorization.k8s.io/v1';
      await bring(this.#client, {
        apiVersion,
        kind: 'ClusterRole',
        metadata: { name: role, labels: own },
        rules,
      });
      await bring(this.#client, {
        ...{ apiVersion, kind: 'ClusterRoleBinding', metadata: { name: role, labels: own } },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'ServiceAccount', name: serviceAccountName, namespace }],
      });
    }
    let isReady = true;
    for (const { name: deployment, spec } of deployments) {
      const before = await this.#client
        .get(Deployment, { name: deployment, namespace })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      if (before === undefined)
        await bring(this.#client, {
          ...{ apiVersion: 'apps/v1', kind: 'Deployment', spec },
          metadata: { name: deployment, namespace, labels: own, ownerReferences: [owner] },
        });
      else if (before.metadata.ownerReferences?.[0]?.uid !== uid && csv.spec.replaces !== undefined)
        await this.#client.patch(
          Deployment,
          { name: deployment, namespace },
          {
            type: 'merge',
            body: { metadata: { labels: own, ownerReferences: [owner] }, spec },
          },
        );
      isReady &&= await isAvailable(this.#client, deployment, namespace).catch(() => false);
    }
    const replaced = csv.spec.replaces ?? this.#replacedBy(name);
    if (isReady && replaced !== undefined)
      await drop(this.#client, ClusterServiceVersion, {
        metadata: { name: replaced, namespace },
      } as KubeObject);
    const phase = isReady ? 'Succeeded' : 'Installing';
    if (csv.status?.phase === phase) return;
    await setStatus(this.#client, ClusterServiceVersion, csv as KubeObject, {
      phase,
      reason: isReady ? 'InstallSucceeded' : 'InstallWaiting',
      message: isReady ? 'install strategy completed with no errors' : 'installing: waiting for deployment',
    }).catch(ignoreRaces);
  }

  #replacedBy(csv: string): string | undefined {
    const entries = [...this.#catalogs.values()].flat().flatMap(({ entries: own = [] }) => own as Loose[]);
    return entries.find(({ name, replaces }) => name === csv && replaces !== undefined)?.replaces;
  }

  /** The roles that OLM made for an operator go with it; those of the bundle stay. */
  async #collect(): Promise<void> {
    for (const kind of [ClusterRole, ClusterRoleBinding])
      for (const item of (await this.#client.list(kind, { labelSelector: 'olm.owner.kind' })).items) {
        const { labels = {} } = item.metadata;
        const key = { name: labels['olm.owner'] ?? '', namespace: labels['olm.owner.namespace'] ?? '' };
        await this.#client.get(ClusterServiceVersion, key).catch(async (error: unknown) => {
          if (!isNotFound(error)) throw error;
          await drop(this.#client, kind, item);
        });
      }
  }
}

/** An object of a bundle as OLM creates it. */
function installed(
  object: Loose,
  {
    namespace,
    csvName,
    label,
  }: { readonly namespace: string; readonly csvName: string; readonly label: string },
): Loose {
  const { labels, annotations, name } = object.metadata;
  const isDefinition = object.kind === 'CustomResourceDefinition';
  const isCsv = object.kind === 'ClusterServiceVersion';
  return {
    ...object,
    metadata: {
      ...{ name, namespace, annotations },
      labels: {
        ...labels,
        ...(isCsv || isDefinition ? { [label]: '' } : { 'olm.owner': csvName }),
        ...(isCsv ? {} : { 'olm.managed': 'true' }),
      },
    },
  };
}
