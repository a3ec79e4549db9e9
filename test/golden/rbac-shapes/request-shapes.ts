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
