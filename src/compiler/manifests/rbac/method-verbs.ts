/** The permissions that a call of a client method needs: verbs on the kind of its argument, or on a fixed resource. */
export type MethodNeed =
  /** A read. A cached kind needs list and watch; a read from the API server needs the verb given here. */
  | { readonly type: 'read'; readonly verb: 'get' | 'list' }
  /** Reads of the cache by an index, which names the kind. */
  | { readonly type: 'index' }
  /**
   * Requests about the kind of the first argument. `subresource`: a fixed one; `fromOptions`: the one that the fourth argument names, if it
   * names one.
   */
  | {
      readonly type: 'request';
      readonly verbs: readonly string[];
      readonly subresource?: string;
      readonly fromOptions?: true;
      /** Additional verbs for kinds for which no cache contains all objects. */
      readonly uncached?: readonly string[];
    }
  /** A request to a subresource of the Pod whose name is the first argument. */
  | { readonly type: 'pod'; readonly subresource: string; readonly verbs: readonly string[] }
  /** Makes a client of the subresource that the third argument names; its calls need permissions, this one does not. */
  | { readonly type: 'subresource' }
  /** A request to the subresource of the client that it is called on. */
  | { readonly type: 'ofSubresource'; readonly verb: string }
  /** A request whose path and method are in its argument. */
  | { readonly type: 'raw' }
  /** An Event. */
  | { readonly type: 'event' }
  /** Requests that every authenticated user may make, or none. */
  | { readonly type: 'free' };

const read = (verb: 'get' | 'list'): MethodNeed => ({ type: 'read', verb });
const request = (...verbs: readonly string[]): MethodNeed => ({ type: 'request', verbs });
const of = (subresource: string, ...verbs: readonly string[]): MethodNeed => ({
  type: 'request',
  verbs,
  subresource,
});
const ofSubresource = (verb: string): MethodNeed => ({ type: 'ofSubresource', verb });
const ofPod = (subresource: string, ...verbs: readonly string[]): MethodNeed => ({
  type: 'pod',
  subresource,
  verbs,
});
const free: MethodNeed = { type: 'free' };

const reads = { get: read('get'), find: read('get'), list: read('list') };

/**
 * Verbs that each client method needs, grouped by the interface that declares the method (src/sdk/kube/types.ts,
 * src/sdk/kube/client/live-client.ts, src/sdk/kube/client/kube-client.ts, src/sdk/runtime/client, src/sdk/runtime/cache/cached-reader.ts, src/sdk/runtime/events). A test
 * compares the names with the interfaces, so that a new method cannot be forgotten in this table.
 */
export const methodVerbs = {
  Reader: reads,
  LiveReader: reads,
  CachedReader: { ...reads, byIndex: { type: 'index' }, isServed: free },
  Writer: {
    create: request('create'),
    update: request('update'),
    updateStatus: of('status', 'update'),
    patch: { type: 'request', verbs: ['patch'], fromOptions: true },
    mergePatch: { type: 'request', verbs: ['patch'], fromOptions: true },
    // `apply` needs both verbs: the API server creates the object if it is missing, and always requires both.
    apply: request('create', 'patch'),
    applyStatus: of('status', 'patch'),
    delete: request('delete'),
  },
  ControllerClient: {
    // Reads the fields that it owns before it applies them.
    mergeStatus: of('status', 'get', 'patch'),
    createOrUpdate: { type: 'request', verbs: ['create', 'update'], uncached: ['get'] },
    // `get` is needed because `modify` reads from the API server after a conflict.
    modify: request('get', 'update'),
  },
  LiveClient: {
    pages: request('list'),
    deleteCollection: request('deletecollection'),
    getScale: of('scale', 'get'),
    scale: of('scale', 'patch'),
    subresource: { type: 'subresource' },
    evict: ofPod('eviction', 'create'),
    logs: ofPod('log', 'get'),
    // A WebSocket begins with a GET, and the API server, from 1.35 on, asks for `create` as well.
    exec: ofPod('exec', 'get', 'create'),
    portForward: ofPod('portforward', 'get', 'create'),
    request: { type: 'raw' },
  },
  ClusterClient: {
    watch: request('watch'),
    resourceOf: free,
    discover: free,
    close: free,
  },
  SubresourceClient: {
    get: ofSubresource('get'),
    create: ofSubresource('create'),
    update: ofSubresource('update'),
    patch: ofSubresource('patch'),
  },
  EventRecorder: { normal: { type: 'event' }, warning: { type: 'event' }, about: free },
} as const satisfies Readonly<Record<string, Readonly<Record<string, MethodNeed>>>>;

const tables: Readonly<Record<string, Readonly<Record<string, MethodNeed>>>> = methodVerbs;

/** The names of all methods in the table. */
export const methodNames: ReadonlySet<string> = new Set(Object.values(tables).flatMap(Object.keys));

/**
 * Returns the verbs that a method needs.
 * @param owner name of the interface that declares the method, such as `Writer`
 * @returns undefined for methods that are not in the table
 */
export function needOf(owner: string, method: string): MethodNeed | undefined {
  const table = Object.hasOwn(tables, owner) ? tables[owner] : undefined;
  return table !== undefined && Object.hasOwn(table, method) ? table[method] : undefined;
}
