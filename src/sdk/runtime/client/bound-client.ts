import type { CallOptions, LiveClient, WriteOptions } from '../../kube/index.ts';

/** Fills in the options of a call that it leaves out: the signal, and for writes the field manager. */
interface Defaults {
  readonly call: <O extends CallOptions>(given: O | undefined) => O;
  readonly write: <O extends WriteOptions>(given: O | undefined) => O;
}

/** Returns a client whose calls have the defaults of one controller or runnable. */
export function boundClient(live: LiveClient, { call, write }: Defaults): LiveClient {
  return {
    source: 'server',
    get: (resource, key, options) => live.get(resource, key, call(options)),
    find: (resource, key, options) => live.find(resource, key, call(options)),
    list: (resource, options) => live.list(resource, call(options)),
    pages: (resource, options) => live.pages(resource, call(options)),
    deleteCollection: (resource, options) => live.deleteCollection(resource, call(options)),
    getScale: (resource, key, options) => live.getScale(resource, key, call(options)),
    scale: (resource, key, replicas, options) => live.scale(resource, key, replicas, write(options)),
    subresource(resource, key, name) {
      const client = live.subresource(resource, key, name);
      return {
        get: (options) => client.get(call(options)),
        create: (body, options) => client.create(body, write(options)),
        update: (body, options) => client.update(body, write(options)),
        patch: (patch, options) => client.patch(patch, write(options)),
      };
    },
    evict: (pod, options) => live.evict(pod, call(options)),
    logs: (pod, options) => live.logs(pod, call(options)),
    exec: (pod, options) => live.exec(pod, call(options)),
    portForward: (pod, port, options) => live.portForward(pod, port, call(options)),
    raw: { request: (request) => live.raw.request(call(request)) },
  };
}
