// Replays recordings on an API server: whatever OLM, its controllers and a node did to a cluster is done again, without the pauses.
import type { KubeObject, Resource } from '../../../../src/sdk/api/index.ts';
import { ServiceAccount } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { isNotFound, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';
import { keyOf, type RecordedEvent } from '../../../unit/olm/run/recording.ts';

/** What judges look at; the rest of a recording is left out. */
const kinds = new Set([
  ...['CatalogSource', 'OperatorGroup', 'Subscription', 'InstallPlan', 'ClusterServiceVersion'],
  ...['ClusterCatalog', 'ClusterExtension', 'CustomResourceDefinition', 'Deployment', 'Job', 'Pod'],
]);

/** Holds objects until their recording says that they are gone. */
const held = 'example.com/recorded';

interface Replayed {
  readonly type: Resource<KubeObject>;
  readonly live: KubeObject;
  /** As it was recorded, at its last event. */
  readonly recorded: KubeObject;
}

/** An API server in the states of a recording. */
export class ReplayedCluster implements AsyncDisposable {
  readonly #client: KubeClient;
  readonly #objects = new Map<string, Replayed>();
  /** The uids of the API server, by those of the recording. */
  readonly #uids = new Map<string, string>();
  readonly #namespaces = new Set<string>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Reads as others do, but for the time at which objects were created, which the API server sets: it is that of the recording. */
  get reader(): KubeClient {
    const created = new Map(
      [...this.#objects.values()].map(({ live, recorded }) => [
        live.metadata.uid,
        recorded.metadata.creationTimestamp,
      ]),
    );
    const list: KubeClient['list'] = async (type, options) => {
      const all = await this.#client.list(type, options);
      const items = all.items.map((item) => {
        const creationTimestamp = created.get(item.metadata.uid);
        return creationTimestamp === undefined
          ? item
          : { ...item, metadata: { ...item.metadata, creationTimestamp } };
      });
      return { ...all, items };
    };
    return new Proxy(this.#client, {
      get: (client, name) => (name === 'list' ? list : Reflect.get(client, name, client)),
    });
  }

  async play(event: RecordedEvent): Promise<void> {
    if (!kinds.has(event.kind)) return;
    const key = keyOf(event);
    const before = this.#objects.get(key);
    if (event.type === 'DELETED') return this.#remove(key);
    // Another object of the same name.
    if (before !== undefined && before.recorded.metadata.uid !== event.object.metadata.uid)
      await this.#remove(key);
    const known = this.#objects.get(key);
    const { type, live } = known ?? (await this.#create(event));
    const changed = known === undefined ? live : await this.#update(known, event.object);
    const after = await this.#writeStatus(type, changed, event.object);
    const { uid, deletionTimestamp } = event.object.metadata;
    if (uid !== undefined) this.#uids.set(uid, after.metadata.uid ?? '');
    const isDeleted = deletionTimestamp !== undefined && after.metadata.deletionTimestamp === undefined;
    if (isDeleted) await this.#delete(type, after);
    const last = isDeleted ? await this.#client.get(type, placeOf(after.metadata)) : after;
    this.#objects.set(key, { type, live: last, recorded: event.object });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const key of [...this.#objects.keys()].reverse()) await this.#remove(key);
  }

  async #create({ object }: RecordedEvent): Promise<Replayed> {
    const { namespace } = object.metadata;
    if (namespace !== undefined) await this.#bringNamespace(namespace);
    const type = await this.#client.resourceOf(object);
    const { status: _, ...written } = this.#written(object);
    const live = await this.#client.create(type, withRequired(written) as KubeObject);
    return { type, live, recorded: object };
  }

  async #update({ type, live, recorded }: Replayed, next: Loose): Promise<KubeObject> {
    const { spec, metadata } = this.#written(next);
    // What these kinds may change is in their status, or was left out.
    const isFixed = ['Pod', 'Job', 'CustomResourceDefinition'].includes(type.kind);
    const before = this.#written(recorded);
    const hasSpec = isFixed || isSame(spec, before.spec);
    // The controller of Deployments writes annotations with the status, which does not count as a new generation.
    if (hasSpec && (type.kind === 'Deployment' || isSame(metadata, before.metadata))) return live;
    // The API server itself writes into definitions.
    const current = isFixed ? await this.#client.get(type, placeOf(live.metadata)) : live;
    const object = {
      ...current,
      ...(hasSpec ? {} : { spec }),
      metadata: { ...current.metadata, ...metadata },
    };
    return this.#client.update(type, object);
  }

  async #writeStatus(type: Resource<KubeObject>, live: KubeObject, object: Loose): Promise<KubeObject> {
    const { status } = object;
    if (status === undefined || type.kind === 'CustomResourceDefinition') return live;
    const { annotations } = object.metadata;
    return this.#client.updateStatus(type, {
      ...live,
      metadata: { ...live.metadata, ...(annotations === undefined ? {} : { annotations }) },
      status,
    } as KubeObject);
  }

  /** What a user of the API would write of an object. */
  #written(object: Loose): Loose {
    const { apiVersion, kind, metadata, spec, status } = object;
    const { name, namespace, labels, annotations, ownerReferences = [] } = metadata;
    const owners = (ownerReferences as readonly Loose[]).map((owner) => ({
      ...owner,
      uid: this.#uids.get(owner.uid) ?? owner.uid,
    }));
    return {
      ...{ apiVersion, kind, spec, status },
      metadata: { name, namespace, labels, annotations, ownerReferences: owners, finalizers: [held] },
    };
  }

  async #bringNamespace(name: string): Promise<void> {
    if (this.#namespaces.has(name)) return;
    const type = await this.#client.resourceOf({ apiVersion: 'v1', kind: 'Namespace' });
    if ((await this.#client.find(type, { name })) === undefined) {
      await this.#client.create(type, { metadata: { name } });
      // The API server takes no Pods before the control plane has made it.
      await eventually(async () => this.#client.get(ServiceAccount, { name: 'default', namespace: name }));
    }
    this.#namespaces.add(name);
  }

  async #delete(type: Resource<KubeObject>, { metadata }: KubeObject): Promise<void> {
    await this.#client.delete(type, placeOf(metadata)).catch(ignoreMissing);
  }

  async #remove(key: string): Promise<void> {
    const replayed = this.#objects.get(key);
    if (replayed === undefined) return;
    const { type, live } = replayed;
    this.#objects.delete(key);
    await this.#delete(type, live);
    const body = { metadata: { finalizers: null } };
    await this.#client.patch(type, placeOf(live.metadata), { type: 'merge', body }).catch(ignoreMissing);
  }
}

function placeOf({ name = '', namespace }: KubeObject['metadata']) {
  return namespace === undefined ? { name } : { name, namespace };
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Puts in what recordings leave out, and leaves out what only the API server may write. */
function withRequired(object: Loose): Loose {
  const { kind, spec } = object;
  if (kind === 'CustomResourceDefinition') {
    const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const version = { name: 'v1alpha1', served: true, storage: true, schema: { openAPIV3Schema } };
    return { ...object, spec: { ...spec, versions: [version] } };
  }
  if (kind === 'Pod') return { ...object, spec: { ...spec, serviceAccountName: 'default' } };
  if (kind !== 'Job') return object;
  const { selector: _selector, manualSelector: _manual, template, ...rest } = spec;
  const labels = Object.entries(template.metadata.labels).filter(
    ([name]) => !name.includes('controller-uid'),
  );
  return {
    ...object,
    spec: { ...rest, template: { ...template, metadata: { labels: Object.fromEntries(labels) } } },
  };
}
