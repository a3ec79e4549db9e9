import type { Shape } from './shape.ts';

/** Clients, what they read and write. */
export const clientShapes: readonly Shape[] = [
  // Where clients come from.
  {
    name: 'a promise of a client',
    code: `const later = Promise.resolve(client); await (await later).delete(Pod, key); await later.then((c) => c.delete(Service, key));`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a client in a map',
    code: `const clients = new Map([['a', client]]); await clients.get('a')?.delete(Pod, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'a client in a closure that is returned',
    code: `function open() { const c = client; return { drop: () => c.delete(Pod, key) }; } await open().drop();`,
    rules: 'pods:delete',
  },
  {
    name: 'a private field with a client',
    code: `class Store { readonly #c: ControllerClient; constructor(c: ControllerClient) { this.#c = c; } drop() { return this.#c.delete(Pod, key); } }
use(new Store(client));`,
    rules: 'pods:delete',
  },
  {
    name: 'a public field with a client, in somebody else’s hands',
    code: `class Store { constructor(readonly c: ControllerClient) {} drop() { return this.c.delete(Pod, key); } }
use(new Store(client));`,
    error: 'manifests/client-escapes',
    rules: 'pods:delete',
  },
  {
    name: 'a callback that gets a client',
    code: `const within = (f: (c: ControllerClient) => Promise<unknown>) => f(client); await within((c) => c.delete(Pod, key));`,
    rules: 'pods:delete',
  },
  {
    name: 'a part of a client',
    code: `const f = (c: Pick<ControllerClient, 'delete'>) => c.delete(Pod, key); await f(client);`,
    rules: 'pods:delete',
  },
  {
    name: 'a copy of a client',
    code: `const copy = Object.assign({}, client); await copy.delete(Pod, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'a context with its client and recorder',
    code: `async function step({ client: c, events }: ReconcileContext) { await c.delete(Pod, key); events.normal('A', 'b'); events.about(site).warning('C', 'd'); }
export const run = step;`,
    rules: 'events:create,patch pods:delete',
  },
  {
    name: 'the client of a manager, and of a runnable',
    code: `declare const manager: Manager; await manager.client.delete(Pod, key); manager.add({ name: 'a', run: async ({ client: c }) => { await c.delete(Service, key); } });`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a mapper of a watch',
    code: `export const w = watch(Secret, { map: async (secret, { client: c }) => (await c.list(ConfigMap)).items.map((each) => each.metadata) });`,
    rules: 'configmaps:list,watch',
  },
  // Readers.
  {
    name: 'live reads',
    code: `await client.live.get(Pod, key); await client.live.find(Service, key); await client.live.list(Node);`,
    rules: 'nodes:list pods:get services:get',
  },
  {
    name: 'cached reads',
    code: `await client.get(Secret, key); await client.find(ConfigMap, key); await client.list(Deployment);`,
    rules: 'configmaps:list,watch deployments:list,watch secrets:list,watch',
  },
  {
    name: 'a read by an index',
    code: `const byName = defineIndex(ConfigMap, 'name', (each) => each.metadata.name); await client.byIndex(byName, 'a');`,
    rules: 'configmaps:list,watch',
  },
  {
    name: 'a cached list of a kind that nobody declares',
    code: `await client.list(DaemonSet);`,
    error: 'manifests/undeclared-cached-kind',
  },
  {
    name: 'a reader that is not called',
    code: `export async function f(r: Reader) { await r.get(Secret, key); await r.get(Pod, key); }`,
    rules: 'pods:get secrets:get,list,watch',
  },
  {
    name: 'two readers, each with its own kind',
    code: `async function f<T extends KubeObject>(r: Reader, k: Resource<T>) { await r.get(k, key); }
await f(client, Secret); await f(client.live, Pod);`,
    rules: 'pods:get secrets:list,watch',
  },
  {
    name: 'a reader in a field',
    code: `class Lookup { constructor(private readonly reader: Reader) {} secret() { return this.reader.get(Secret, key); } }
await new Lookup(client.live).secret();`,
    rules: 'secrets:get',
  },
  {
    name: 'a reader with a default',
    code: `async function f(r: Reader = client.live) { await r.get(Secret, key); }
await f();`,
    rules: 'secrets:get',
  },
  {
    name: 'a reader in an object',
    code: `interface Deps { readonly reader: Reader } const f = (deps: Deps) => deps.reader.list(Pod); await f({ reader: client.live });`,
    rules: 'pods:list',
  },
  // Other clusters.
  {
    name: 'a client of another cluster',
    code: `declare const other: ClusterHandle; await other.client.get(Pod, key); await other.client.delete(Pod, key); await other.client.live.list(Service);`,
    rules: '',
  },
  {
    name: 'live reads of another cluster, taken out and handed on',
    code: `declare const other: ClusterHandle; const { live } = other.client; await live.get(Pod, key);
async function f(r: LiveReader) { await r.get(Service, key); } await f(other.client.live);`,
    rules: '',
  },
  {
    name: 'one function for both clusters',
    code: `declare const other: ClusterReader; async function f(r: LiveReader) { await r.get(Service, key); } await f(other.live); await f(client.live);`,
    rules: 'services:get',
  },
  // Writes.
  {
    name: 'every write',
    code: `await client.create(Pod, null!); await client.update(Service, null!); await client.apply(DaemonSet, null!); await client.delete(Node, key);
await client.patch(StatefulSet, key, { type: 'merge', body: {} }); await client.updateStatus(Site, null!); await client.applyStatus(Site, key, {});`,
    rules:
      'daemonsets:create,patch nodes:delete pods:create services:update sites/status:patch,update statefulsets:patch',
  },
  {
    name: 'writes that read',
    code: `await client.createOrUpdate(Pod, key, () => null!); await client.modify(Service, key, () => {});
if (client.isServed(DaemonSet)) await client.mergeStatus(Site, key, {});`,
    rules: 'pods:create,get,update services:get,update sites/status:get,patch',
  },
  {
    name: 'all that a client of a cluster has',
    code: `for await (const page of cluster.pages(Pod)) void page; for await (const event of cluster.watch(Service)) void event;
await cluster.deleteCollection(ConfigMap, { all: true }); await cluster.getScale(Deployment, key); await cluster.scale(StatefulSet, key, 1); await cluster.discover(); await cluster.close();`,
    rules:
      'configmaps:deletecollection deployments/scale:get pods:list services:watch statefulsets/scale:patch',
  },
  {
    name: 'subresources',
    code: `await cluster.subresource(Pod, key, 'eviction').create({}); const scale = cluster.subresource(Deployment, key, 'scale'); await scale.get(); await scale.update({}); await scale.patch({ type: 'merge', body: {} });`,
    rules: 'deployments/scale:get,patch,update pods/eviction:create',
  },
  {
    name: 'a subresource that is chosen at run time',
    code: `await cluster.subresource(Pod, key, name).create({});`,
    error: 'manifests/unknown-subresource',
  },
  {
    name: 'options with a subresource',
    code: `const dry = { dryRun: true }; const status = { subresource: 'status' } as const;
await client.patch(Pod, key, { type: 'merge', body: {} }, { ...dry }); await client.patch(Service, key, { type: 'merge', body: {} }, { ...dry, ...status }); await client.patch(Deployment, key, { type: 'merge', body: {} }, cond ? status : undefined);`,
    rules: 'deployments/status:patch deployments:patch pods:patch services/status:patch',
  },
  {
    name: 'options with a subresource of a variable, and with one that a spread may replace',
    code: `const subresource = 'scale'; declare const may: { readonly subresource?: 'status' };
await client.patch(Deployment, key, { type: 'merge', body: {} }, { subresource }); await client.patch(StatefulSet, key, { type: 'merge', body: {} }, { subresource: 'scale', ...may });`,
    rules: 'deployments/scale:patch statefulsets/scale:patch statefulsets/status:patch',
  },
  {
    name: 'options of a type that names subresources',
    code: `async function f(options: WriteOptions & { readonly subresource?: string }) { await client.patch(Pod, key, { type: 'merge', body: {} }, options); }
await f({});`,
    error: 'manifests/unknown-subresource',
  },
  {
    name: 'raw requests',
    code: 'await cluster.raw.request({ path: `/api/v1/namespaces/${name}/pods/${name}/log` }); await cluster.raw.request({ method: "POST", path: "/apis/apps/v1/namespaces/a/deployments" }); await cluster.raw.request({ path: "/healthz" });',
    rules: '/healthz:get deployments:create pods/log:get',
  },
  {
    name: 'a raw request whose resource is chosen at run time',
    code: 'await cluster.raw.request({ path: `/api/v1/${name}` });',
    error: 'manifests/unknown-request',
  },
  {
    name: 'a raw request made elsewhere',
    code: `declare const request: { path: string }; await cluster.raw.request(request);`,
    error: 'manifests/unknown-request',
  },
  {
    name: 'raw requests that watch: by a query, in the path, and by a path of old',
    code: `await cluster.raw.request({ path: "/api/v1/pods?limit=1&watch=true" }); await cluster.raw.request({ path: \`/api/v1/services?watch=\${name}\` }); declare const more: { watch?: string } | undefined; await cluster.raw.request({ path: "/api/v1/secrets", query: { limit: 1, ...more } }); await cluster.raw.request({ path: "/api/v1/watch/namespaces/a/configmaps" });`,
    rules: 'configmaps:watch pods:list,watch secrets:list,watch services:list,watch',
  },
  {
    name: 'raw requests whose query does not watch',
    code: `const query = { limit: 1 }; await cluster.raw.request({ path: "/api/v1/pods?labelSelector=a%3Dwatch", query }); declare const any: Record<string, string>; await cluster.raw.request({ method: "POST", path: "/api/v1/pods", query: any });`,
    rules: 'pods:create,list',
  },
  {
    name: 'a raw request with a query of any keys',
    code: `const query: Record<string, string> = { watch: 'true' }; await cluster.raw.request({ path: "/api/v1/pods", query });`,
    error: 'manifests/unknown-request',
  },
  {
    name: 'a raw request with a query of any keys among others',
    code: `declare const more: Record<string, string>; await cluster.raw.request({ path: "/api/v1/pods", query: { limit: 1, ...more } });`,
    error: 'manifests/unknown-request',
  },
  {
    name: 'a raw request whose query is chosen at run time, in the path',
    code: `await cluster.raw.request({ path: \`/api/v1/pods?\${name}\` });`,
    error: 'manifests/unknown-request',
  },
  {
    name: 'raw requests that apply, or may apply',
    code: `await cluster.raw.request({ method: "PATCH", path: "/api/v1/namespaces/a/pods/b", contentType: "application/apply-patch+yaml" }); await cluster.raw.request({ method: "PATCH", path: "/api/v1/namespaces/a/services/b", contentType: name }); await cluster.raw.request({ method: "PATCH", path: "/api/v1/namespaces/a/secrets/b", headers: { "Content-Type": "application/apply-patch+cbor" } }); await cluster.raw.request({ method: "PATCH", path: "/api/v1/namespaces/a/pods/b/status", contentType: "application/apply-patch+yaml" });`,
    rules: 'pods/status:patch pods:create,patch secrets:create,patch services:create,patch',
  },
  {
    name: 'raw requests that patch and do not apply',
    code: `await cluster.raw.request({ method: "PATCH", path: "/api/v1/namespaces/a/pods/b", contentType: "application/merge-patch+json", headers: { accept: "application/json" } });`,
    rules: 'pods:patch',
  },
  {
    name: 'owner references',
    code: `ownedBy(site); function f<T extends KubeObject>(owner: T) { setControllerReference(owner, { metadata: {} }); } f(null! as Deployment); ownerReference(null!, Service);`,
    rules: 'deployments/finalizers:update services/finalizers:update sites/finalizers:update',
  },
  {
    name: 'an owner of any kind',
    code: `export const f = (owner: KubeObject) => ownedBy(owner);`,
    error: 'manifests/unknown-kind',
  },
  {
    name: 'the condition of the operator, whose permissions OLM gives',
    code: `await operatorCondition(client).set('Upgradeable', 'True', 'Done');`,
    rules: '',
  },
  {
    name: 'a kind that is watched in another cluster',
    code: `declare const far: ClusterHandle;
export const mirror = defineController({ name: 'mirror', for: Site, watches: [watch(Service, { cluster: far, map: () => [] })], reconcile() {}, failureEvents: false });`,
    rules: 'sites:list,watch',
  },
];
