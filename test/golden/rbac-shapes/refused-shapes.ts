import type { Shape } from './shape.ts';

/** What cannot be followed, and the ways out. */
export const refusedShapes: readonly Shape[] = [
  // Clients that cannot be followed.
  {
    name: 'a client as any',
    code: `const loose: any = client; loose.anything();`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a client as unknown, by a function of the project',
    code: `function log(value: unknown) { return String(value); } log(client);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'an array of clients as unknown',
    code: `function log(values: readonly unknown[]) { return values.length; } log([client]);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a context as an object of other people',
    code: `async function step(context: ReconcileContext) { use({ context }); }
export const run = step;`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a client that a generic function loses',
    code: `function same<T>(value: T): T { use(value); return value; } await same(client).delete(Pod, key);`,
    error: 'manifests/client-escapes',
    rules: 'pods:delete',
  },
  {
    name: 'a client that a generic function keeps',
    code: `function same<T>(value: T): T { return value; } await same(client).delete(Pod, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'an overload that hides any',
    code: `function f(c: ControllerClient): void; function f(c: any): void { c.whatever(); } f(client);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'clients that a callback of other people gets',
    code: `[client].forEach(use);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a function of other people in the place of one that takes a client',
    code: `const within = (f: (c: ControllerClient) => void) => f(client); within(use);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a function that takes any in the place of one that takes a client',
    code: `const within = (f: (c: ControllerClient) => void) => f(client); within((c: any) => c.delete(Pod, key));`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a method that takes any in the place of one that takes a client',
    code: `interface Step { run(c: ControllerClient): void } class Loose implements Step { run(c: any) { c.delete(Pod, key); } } const step: Step = new Loose(); step.run(client);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a closure that gives a client to others',
    code: `wrap(() => client);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a closure for others that calls',
    code: `await wrap(() => client.delete(Pod, key));`,
    rules: 'pods:delete',
  },
  {
    name: 'a function that returns a client as unknown',
    code: `const give = (): unknown => client; give();`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a client as JSON',
    code: `JSON.stringify({ client });`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a client that is thrown',
    code: `export function f() { throw client; }`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'objects and other values in library calls',
    code: `use(site); use(await client.live.get(Pod, key)); use([key, name]); JSON.stringify(site.spec);`,
    rules: 'pods:get',
  },
  {
    name: 'a recorder of Events in somebody else’s hands',
    code: `async function step({ events }: ReconcileContext) { use(events); }
export const run = step;`,
    rules: 'events:create,patch',
  },
  // The way out.
  {
    name: 'permitted at a call',
    code: `declare function byName(n: string): Resource; await permitted(client, [{ groups: [''], resources: ['pods'], verbs: ['delete'] }]).delete(byName(name), key);`,
    rules: 'pods:delete',
  },
  {
    name: 'permitted for code of other people',
    code: `use(permitted(client, [{ groups: [''], resources: ['pods'], verbs: ['get'] }])); use({ client: permitted(client, []) });`,
    rules: 'pods:get',
  },
  {
    name: 'permitted in a variable, and what is taken of it',
    code: `declare const k: Resource; const c = permitted(client, [{ groups: [''], resources: ['pods'], verbs: ['get'] }]); await c.live.get(k, key); const { live } = c; await live.list(k); const f = c.delete.bind(c); void f; await c[name as 'delete'](k, key);`,
    rules: 'pods:get',
  },
  {
    name: 'permitted through a function',
    code: `async function f(c: ControllerClient, k: Resource) { await c.delete(k, key); use(c); }
await f(permitted(client, [{ groups: [''], resources: ['pods'], verbs: ['delete'] }]), Pod);`,
    rules: 'pods:delete',
  },
  {
    name: 'permitted at one of two calls',
    code: `async function f(c: ControllerClient, k: Resource) { await c.delete(k, key); }
await f(permitted(client, []), Pod); await f(client, Pod);`,
    error: 'manifests/unknown-kind',
  },
  {
    name: 'permitted through a field',
    code: `class Store { constructor(private readonly c: ControllerClient) {} drop(k: Resource) { return this.c.delete(k, key); } }
await new Store(permitted(client, [{ groups: [''], resources: ['pods'], verbs: ['delete'] }])).drop(Pod);`,
    rules: 'pods:delete',
  },
  {
    name: 'permitted with rules that are no constants',
    code: `declare const rules: []; use(permitted(client, rules));`,
    error: 'manifests/not-constant',
  },
  {
    name: 'rules in a constant',
    code: `const rules = [{ groups: [''], resources: ['pods'], verbs: ['get'] }] as const; use(permitted(client.live, rules));`,
    rules: 'pods:get',
  },
  {
    name: 'a client of another cluster than that of the manager',
    code: `const far = permitted(createClusterClient({ cluster: await loadCluster({ kubeconfig: 'x' }), fieldManager: 'a' }), []); await far.delete(Pod, key);`,
    rules: '',
  },
  {
    name: 'a client of a cluster, made here',
    code: `const own = createClusterClient({ cluster: await loadCluster(), fieldManager: 'a' }); await own.delete(Pod, key); use(own);`,
    error: 'manifests/client-escapes',
    rules: 'pods:delete',
  },
  // What hides a client or a kind.
  {
    name: 'an upcast that forgets the kind',
    code: `const kind = Pod as Resource; await client.delete(kind, key);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'a kind that is claimed to be another',
    code: `await client.delete(Pod as unknown as typeof Secret, key);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'a generic function that makes its value any',
    code: `function f<T>(x: T) { return (x as any).delete(Pod, key); } await f(client);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a generic function that only gives its value back',
    code: `function f<T>(x: T): T { return x; } await f(client).delete(Pod, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'a record of unknown values',
    code: `const record: Record<string, unknown> = { client }; use(record.length);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'the arguments object',
    code: `function f(_: ControllerClient) { return arguments[0].delete(Pod, key); } await f(client);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a reconcile without a type',
    code: `async function work(_: Site, context: any) { await context.client.delete(Pod, key); }
export const hidden = defineController({ name: 'hidden', for: Site, reconcile: work as any, failureEvents: false });`,
    error: 'manifests/client-escapes',
    rules: 'sites:list,watch',
  },
  {
    name: 'a kind that a subclass gives',
    code: `abstract class Base<T extends KubeObject> { constructor(readonly c: ControllerClient) {} abstract kind: Resource<T>; drop() { return this.c.delete(this.kind, key); } }
class Pods extends Base<Pod> { kind = Pod; }
await new Pods(client).drop();`,
    rules: 'pods:delete',
  },
  {
    name: 'createOrUpdate of a kind in the cache',
    code: `await client.createOrUpdate(ConfigMap, key, () => ({ metadata: { name } }));`,
    rules: 'configmaps:create,update',
  },
  {
    name: 'createOrUpdate of a kind that is in no cache',
    code: `await client.createOrUpdate(Service, key, () => ({ metadata: { name } }));`,
    rules: 'services:create,get,update',
  },
];
