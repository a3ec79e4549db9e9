import type { Shape } from './shape.ts';

/** Subresources and raw requests. */
export const requestShapes: readonly Shape[] = [
  {
    name: 'subresources of a permitted client',
    code: `declare const options: any; await permitted(client, []).patch(Pod, key, { type: 'merge', body: {} }, options); await permitted(cluster, []).subresource(Pod, key, name as 'log').get(); await permitted(cluster, []).subresource(Pod, key, name).create({});`,
    rules: '',
  },
  {
    name: 'a subresource that may be absent',
    code: `declare const options: { readonly subresource?: 'status' }; await client.patch(Pod, key, { type: 'merge', body: {} }, options);`,
    rules: 'pods/status:patch pods:patch',
  },
  {
    name: 'options of the type any',
    code: `declare const options: any; await client.patch(Pod, key, { type: 'merge', body: {} }, options);`,
    error: 'manifests/unknown-subresource',
  },
  {
    name: 'a client of a subresource that is made elsewhere',
    code: `export const f = (of: ReturnType<ClusterClient['subresource']>) => of.get();`,
    error: 'manifests/unknown-subresource',
  },
  {
    name: 'a raw request with a computed name in its query',
    code: `await cluster.raw.request({ path: '/api/v1/pods', query: { [name]: 'true' } });`,
    error: 'manifests/unknown-request',
  },
  {
    name: 'a raw request with a computed literal in its query',
    code: `const watching = 'watch' as const; await cluster.raw.request({ path: '/api/v1/pods', query: { [watching]: 'true' } });`,
    rules: 'pods:list,watch',
  },
  {
    name: 'a raw request of a permitted client',
    code: 'await permitted(cluster, []).raw.request({ path: `/api/v1/${name}` });',
    rules: '',
  },
  {
    name: 'a raw request that is spread',
    code: `declare const request: { path: string }; await cluster.raw.request({ ...request, path: '/healthz' });`,
    error: 'manifests/unknown-request',
  },
  {
    name: 'a raw request whose method is chosen at run time',
    code: `await cluster.raw.request({ method: name as 'GET', path: '/healthz' }); await cluster.raw.request({ method: name as 'GET' | 'POST', path: '/healthz' });`,
    error: 'manifests/unknown-request',
    rules: '/healthz:get',
  },
  {
    name: 'a raw request with headers of any names',
    code: `declare const headers: Record<string, string>; await cluster.raw.request({ method: 'PATCH', path: '/api/v1/namespaces/a/pods/b', contentType: 'application/merge-patch+json', headers });`,
    rules: 'pods:create,patch',
  },
  {
    name: 'a raw request with a literal in its path',
    code: 'const plural = "pods" as const; await cluster.raw.request({ path: `/api/v1/${plural}` });',
    rules: 'pods:list',
  },
  {
    name: 'a raw request of a URL that is known at run time',
    code: 'await cluster.raw.request({ path: `/healthz/${name}` });',
    error: 'manifests/unknown-request',
  },
  {
    name: 'commands, ports and logs of Pods, and evictions',
    code: `await client.live.exec(key, { command: ['ls'] }); await client.live.portForward(key, 80); for await (const line of client.live.logs(key)) console.log(line); await client.live.evict(key);`,
    rules: 'pods/eviction:create pods/exec:create,get pods/log:get pods/portforward:create,get',
  },
  {
    name: 'commands of a client that is handed on, permitted, or of another cluster',
    code: `declare const other: ClusterHandle; const { live } = other.client; await live.exec(key, { command: ['ls'] }); await permitted(client, []).live.evict(key);
const logs = async (reader: LiveClient) => { for await (const line of reader.logs(key)) console.log(line); }; await logs(client.live);`,
    rules: 'pods/log:get',
  },
  {
    name: 'scales, collections, pages and merge patches',
    code: `await client.live.scale(StatefulSet, key, 3); await client.live.getScale(Deployment, key); await client.live.deleteCollection(Secret, { namespace: 'a', all: true }); for await (const page of client.live.pages(ConfigMap)) console.log(page); await client.mergePatch(Service, key, {}); await client.mergePatch(Pod, key, {}, { subresource: 'status' });`,
    rules:
      'configmaps:list deployments/scale:get pods/status:patch secrets:deletecollection services:patch statefulsets/scale:patch',
  },
  {
    name: 'subresources and raw requests of a reconcile',
    code: "await client.live.subresource(Pod, key, 'ephemeralcontainers').get(); await client.live.raw.request({ path: '/version' }); await client.live.raw.request({ path: `/${name}` });",
    rules: '/version:get pods/ephemeralcontainers:get',
    error: 'manifests/unknown-request',
  },
  {
    name: 'a raw request of a relative path',
    code: `await cluster.raw.request({ path: 'healthz' });`,
    error: 'manifests/unknown-request',
  },
  {
    name: 'raw requests of a namespace, and of one object or all of them',
    code: `await cluster.raw.request({ path: '/api/v1/namespaces/a/status' }); await cluster.raw.request({ method: 'DELETE', path: '/api/v1/namespaces/a/pods' }); await cluster.raw.request({ method: 'DELETE', path: '/api/v1/namespaces/a/services/b' });`,
    rules: 'namespaces/status:get pods:deletecollection services:delete',
  },
];
