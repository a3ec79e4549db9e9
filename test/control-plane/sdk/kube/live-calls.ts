// A call of each method of `client.live`. The test reads this file twice: it infers roles from the text, and runs the functions.
import { once } from 'node:events';
import type { LiveClient, ObjectKey } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Pod, ServiceAccount } from 'opsdk/k8s/core/v1';

const namespace = 'default';
/** The Pod and the Deployment of the calls. */
export const key: ObjectKey = { name: 'target', namespace };
export const port = 7000;

type Call = (live: LiveClient) => Promise<unknown>;

/** The calls, by the name under which inference knows them. */
export const liveCalls: Readonly<Record<string, Call>> = {
  get: (live) => live.get(Pod, key),
  find: (live) => live.find(Pod, key),
  list: (live) => live.list(ConfigMap, { namespace }),
  pages: async (live) => {
    for await (const page of live.pages(ConfigMap, { namespace, limit: 1 })) void page;
  },
  deleteCollection: (live) => live.deleteCollection(ConfigMap, { namespace, all: true, dryRun: true }),
  getScale: (live) => live.getScale(Deployment, key),
  scale: (live) => live.scale(Deployment, key, 0),
  'subresource.get': (live) => live.subresource(Pod, key, 'ephemeralcontainers').get(),
  'subresource.create': (live) =>
    live.subresource(ServiceAccount, { name: 'default', namespace }, 'token').create({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    }),
  'subresource.update': (live) =>
    live.subresource(Deployment, key, 'scale').update({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: key,
      spec: { replicas: 0 },
    }),
  'subresource.patch': (live) =>
    live.subresource(Pod, key, 'status').patch({ type: 'merge', body: { status: { message: 'patched' } } }),
  evict: (live) => live.evict(key, { dryRun: true }),
  logs: async (live) => {
    for await (const line of live.logs(key)) void line;
  },
  exec: (live) => live.exec(key, { command: ['true'] }),
  portForward: async (live) => {
    const stream = await live.portForward(key, port);
    const closed = once(stream, 'close');
    stream.destroy();
    await closed;
  },
  request: (live) => live.raw.request({ path: `/api/v1/namespaces/${namespace}/pods/${key.name}/status` }),
};
