import type { Shape } from './shape.ts';

/** Kinds, and the functions and modules that hand them on. */
export const kindShapes: readonly Shape[] = [
  // Kinds by types.
  {
    name: 'generics three deep',
    code: `async function a<T extends KubeObject>(k: Resource<T>) { await b(k); }
async function b<U extends KubeObject>(k: Resource<U>) { await c(k); }
async function c<V extends KubeObject>(k: Resource<V>) { await client.delete(k, key); }
await a(Pod); await b(Service);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a recursive generic function',
    code: `async function walk<T extends KubeObject>(k: Resource<T>, depth: number): Promise<void> { await client.delete(k, key); if (depth > 0) await walk(k, depth - 1); }
await walk(Pod, 3);`,
    rules: 'pods:delete',
  },
  {
    name: 'a recursion that swaps its kinds',
    code: `async function swap<A extends KubeObject, B extends KubeObject>(a: Resource<A>, b: Resource<B>): Promise<void> { await client.delete(a, key); if (cond) await swap(b, a); }
await swap(Pod, Service);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a generic function without a call',
    code: `export async function never<T extends KubeObject>(k: Resource<T>) { await client.delete(k, key); }`,
    rules: '',
  },
  {
    name: 'a class that extends a generic class',
    code: `class Base<T extends KubeObject> { constructor(protected readonly c: ControllerClient, readonly kind: Resource<T>) {} drop() { return this.c.delete(this.kind, key); } }
class Pods extends Base<Pod> { constructor(c: ControllerClient) { super(c, Pod); } }
await new Pods(client).drop();`,
    rules: 'pods:delete',
  },
  {
    name: 'a default of a type parameter',
    code: `async function f<T extends KubeObject = Pod>(k?: Resource<T>) { if (k) await client.delete(k, key); }
await f();`,
    rules: 'pods:delete',
  },
  {
    name: 'satisfies',
    code: `const kinds = { a: Pod, b: Service } satisfies Record<string, Resource>; for (const k of Object.values(kinds)) await client.delete(k, key);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'overloads',
    code: `function pick(n: 1): Resource<Pod>; function pick(n: 2): Resource<Service>; function pick(n: number): Resource<Pod> | Resource<Service> { return n === 1 ? Pod : Service; }
await client.delete(pick(1), key);`,
    rules: 'pods:delete',
  },
  {
    name: 'an async generator of kinds',
    code: `async function* kinds() { yield Pod; yield Service; }
for await (const k of kinds()) await client.delete(k, key);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a set of kinds',
    code: `const kinds = new Set([Pod, Service]); for (const k of kinds) await client.delete(k, key);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a map of kinds',
    code: `const kinds = new Map<string, Resource<Pod> | Resource<Service>>([['a', Pod], ['b', Service]]); for (const [, k] of kinds) await client.delete(k, key);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'conditional chains',
    code: `const k = cond ? Pod : name === 'x' ? Service : ConfigMap; await client.delete(k, key);`,
    rules: 'configmaps:delete pods:delete services:delete',
  },
  {
    name: 'a table by the members of an enumeration',
    code: `enum Which { First, Second } const kinds = { [Which.First]: Pod, [Which.Second]: Service }; declare const which: Which; await client.delete(kinds[which], key);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'spread arrays',
    code: `const some = [Pod]; const all = [...some, Service]; for (const k of all) await client.delete(k, key);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'an array that grows',
    code: `const kinds = [Pod]; kinds.push(Pod); for (const k of kinds) await client.delete(k, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'reduce',
    code: `await [Pod, Service].reduce<Promise<unknown>>((done, k) => done.then(() => client.delete(k, key)), Promise.resolve());`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a template literal as a key of a table',
    code: 'const kinds = { "k-1": Pod } as const; await client.delete(kinds[`k-${1}` as const], key);',
    rules: 'pods:delete',
  },
  {
    name: 'switch',
    code: `function pick() { switch (name) { case 'a': return Pod; case 'b': return Service; default: return undefined; } }
const k = pick(); if (k) await client.delete(k, key);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a let of two kinds',
    code: `let k: Resource<Pod> | Resource<Service> = Pod; if (cond) k = Service; await client.delete(k, key);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a let that the compiler refuses',
    code: `let k = Pod; k = Service; await client.delete(k, key);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'tagged unions that hold kinds',
    code: `type Child = { readonly type: 'pod'; readonly kind: typeof Pod } | { readonly type: 'service'; readonly kind: typeof Service };
async function drop(child: Child) { await client.delete(child.kind, key); }
await drop({ type: 'pod', kind: Pod });`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a function that returns a kind and a key',
    code: `const pair = () => [Pod, key] as const; const [k, at] = pair(); await client.delete(k, at); await client.update(...pair() as never as [typeof Pod, Pod]);`,
    rules: 'pods:delete,update',
  },
  {
    name: 'arguments that are spread',
    code: `const call = [Pod, key] as const; await client.delete(...call);`,
    rules: 'pods:delete',
  },
  {
    name: 'metadata alone',
    code: `async function f<T extends KubeObject>(k: Resource<T>) { await client.live.list(metadataOnly(k)); }
await f(Pod);`,
    rules: 'pods:list',
  },
  {
    name: 'the type of the token as a type parameter',
    code: `async function f<K extends Resource>(k: K, o: ObjectOf<K>) { await client.update(k, o); }
await f(Pod, null!); await f(Service, null!);`,
    rules: 'pods:update services:update',
  },
  {
    name: 'several kinds for one type parameter, which the compiler refuses',
    code: `async function f<T extends KubeObject>(k: Resource<T>) { await client.delete(k, key); }
for (const k of [Pod, Service]) await f(k);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'several kinds for the type of the token',
    code: `async function f<K extends Resource>(k: K) { await client.delete(k, key); }
for (const k of [Pod, Service]) await f(k);`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'a generic method of a class, called by its interface',
    code: `interface Remover { remove<T extends KubeObject>(k: Resource<T>): Promise<unknown> }
class Real implements Remover { remove<T extends KubeObject>(k: Resource<T>) { return client.delete(k, key); } }
async function f(r: Remover) { await r.remove(Pod); }
await f(new Real());`,
    rules: 'pods:delete',
  },
  {
    name: 'static members',
    code: `class Kinds { static readonly first = Pod; static async drop() { await client.delete(Kinds.first, key); } }
await Kinds.drop();`,
    rules: 'pods:delete',
  },
  {
    name: 'a getter',
    code: `class Holder { get kind() { return Pod; } get api() { return client; } }
const holder = new Holder(); await holder.api.delete(holder.kind, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'a kind of somebody else, by its literals',
    code: `interface Monitor extends KubeObject<'monitoring.coreos.com/v1', 'ServiceMonitor'> { spec?: object }
const Monitor = externalResource<Monitor>({ group: 'monitoring.coreos.com', version: 'v1', kind: 'ServiceMonitor', plural: 'servicemonitors', scope: 'Namespaced' });
async function f<T extends KubeObject>(k: Resource<T>) { await client.delete(k, key); }
await f(Monitor);`,
    rules: 'servicemonitors:delete',
  },
  {
    name: 'a kind of somebody else without literals, handed on',
    code: `interface Loose extends KubeObject { spec?: object }
const Loose = externalResource<Loose>({ group: 'x.example.com', version: 'v1', kind: 'Loose', plural: 'loose', scope: 'Namespaced' });
async function f<T extends KubeObject>(k: Resource<T>) { await client.delete(k, key); }
await f(Loose);`,
    error: 'manifests/unknown-kind',
  },
  // Kinds that nobody knows.
  {
    name: 'a kind of the type any',
    code: `declare const k: any; await client.delete(k, key);`,
    error: 'manifests/unknown-kind',
  },
  {
    name: 'a parameter of any kind',
    code: `async function f(k: Resource) { await client.delete(k, key); }
await f(Pod);`,
    error: 'manifests/unknown-kind',
  },
  {
    name: 'a kind of discovery',
    code: `const k = await cluster.resourceOf({ apiVersion: 'v1', kind: 'Pod' }); await cluster.delete(k, key);`,
    error: 'manifests/unknown-kind',
  },
  {
    name: 'an asserted kind',
    code: `declare const some: Resource; await client.delete(some as Resource<Pod>, key);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'an asserted kind in a variable',
    code: `declare const some: any; const k: Resource<Pod> = some; await client.delete(k, key);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'an asserted kind as an argument',
    code: `declare const some: Resource; async function f<T extends KubeObject>(k: Resource<T>) { await client.delete(k, key); }
await f(some as Resource<Pod>);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'an asserted kind in a function that returns it',
    code: `declare const some: Resource; const byName = (): Resource<Pod> => some as Resource<Pod>; await client.delete(byName(), key);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'an assertion that claims nothing',
    code: `await client.delete(Pod as Resource<Pod>, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'a generic function in a table',
    code: `async function f<T extends KubeObject>(k: Resource<T>) { await client.delete(k, key); }
const actions = { f }; await actions.f(Pod);`,
    rules: 'pods:delete',
  },
  {
    name: 'a generic function handed on in an object',
    code: `async function f<T extends KubeObject>(k: Resource<T>) { await client.delete(k, key); }
use({ f });`,
    error: 'manifests/generic-as-value',
  },
  {
    name: 'a generic class handed on',
    code: `class Repo<T extends KubeObject> { constructor(readonly k: Resource<T>) {} drop() { return client.delete(this.k, key); } }
const make = (of: typeof Repo) => new of(Pod); await make(Repo).drop();`,
    error: 'manifests/generic-as-value',
  },
  // Functions and modules.
  {
    name: 'a generic function of another file',
    code: `import { remove } from '../lib/remove.ts'; await remove(client, StatefulSet);`,
    rules: '',
  },
  {
    name: 'a dynamic import of the project',
    code: `const { lazy } = await import('../lib/lazy.ts'); await lazy(client);`,
    rules: '',
  },
  {
    name: 'a wrapper with the parameters of a method',
    code: `const drop = (...args: Parameters<ControllerClient['delete']>) => client.delete(...args); await drop(Pod, key);`,
    error: 'manifests/unknown-kind',
  },
  {
    name: 'optional calls',
    code: `declare const maybe: ControllerClient | undefined; await maybe?.delete(Pod, key); await maybe?.live?.get(Service, key);`,
    rules: 'pods:delete services:get',
  },
  {
    name: 'a renamed method with a default',
    code: `const { create: make = client.create } = client; await make(Service, { metadata: { name: 'a' } });`,
    rules: 'services:create',
  },
  {
    name: 'a method by its name in brackets',
    code: `await client['delete'](Pod, key); const which = 'update' as const; await client[which](Pod, null!);`,
    rules: 'pods:delete,update',
  },
  {
    name: 'a method that is chosen at run time',
    code: `declare const which: 'delete' | 'find'; await client[which](Pod, key);`,
    error: 'manifests/indirect-call',
  },
  {
    name: 'a method that any name chooses',
    code: `await (client as unknown as Record<string, (k: unknown) => Promise<void>>)[name]!(Pod);`,
    error: 'manifests/client-escapes',
  },
  {
    name: 'a method handed on',
    code: `const run = (f: ControllerClient['delete']) => f(Pod, key); await run(client.delete);`,
    error: 'manifests/indirect-call',
  },
  {
    name: 'a method that is called by call',
    code: `await client.delete.call(client, Pod, key);`,
    error: 'manifests/indirect-call',
  },
];
