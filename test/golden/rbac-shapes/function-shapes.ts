import type { Shape } from './shape.ts';

const f = 'async function f<T extends KubeObject>(k: Resource<T>) { await client.delete(k, key); }';
const monitor = `interface Monitor extends KubeObject<'m.example.com/v1', 'Monitor'> { spec?: object }`;
const options = (plural: string) =>
  `{ group: 'm.example.com', version: 'v1', kind: 'Monitor', plural: '${plural}', scope: 'Namespaced' }`;

/** Generic functions on all ways to their calls, kinds of type parameters, declarations. */
export const functionShapes: readonly Shape[] = [
  {
    name: 'a generic function without a name, handed on',
    code: `use(<T extends KubeObject>(k: Resource<T>) => client.delete(k, key));`,
    error: 'manifests/generic-as-value',
  },
  {
    name: 'generic functions of other files under other names',
    code: `import { take } from '../lib/index.ts'; import anything, { default as other } from '../lib/default.ts'; import arrow from '../lib/arrow.ts';
await take(client, DaemonSet); await anything(client, Node); await other(client, Pod); await arrow(client, Service);`,
    rules: '',
  },
  {
    name: 'a generic method of an object, called by its interface',
    code: `interface Remover { remove<T extends KubeObject>(k: Resource<T>): Promise<unknown> }
const real: Remover = { remove<T extends KubeObject>(k: Resource<T>) { return client.delete(k, key); } };
const g = (r: Remover) => r.remove(Pod); await g(real);`,
    rules: 'pods:delete',
  },
  {
    name: 'a generic function in a binding',
    code: `${f} const actions = { f }; const { f: g } = actions; await g(Pod);`,
    rules: 'pods:delete',
  },
  {
    name: 'a generic arrow function',
    code: `const f = <T extends KubeObject>(k: Resource<T>) => client.delete(k, key); await f(Pod);`,
    rules: 'pods:delete',
  },
  {
    name: 'a generic arrow function in an object',
    code: `const actions = { f: <T extends KubeObject>(k: Resource<T>) => client.delete(k, key) }; await actions.f(Pod);`,
    rules: 'pods:delete',
  },
  { name: 'a generic function in a variable', code: `${f} const g = f; await g(Pod);`, rules: 'pods:delete' },
  {
    name: 'a generic function in a property',
    code: `${f} const actions = { go: f }; await actions.go(Pod);`,
    rules: 'pods:delete',
  },
  {
    name: 'a generic function in a property, in a binding',
    code: `${f} const actions = { go: f }; const { go } = actions; await go(Pod);`,
    rules: 'pods:delete',
  },
  {
    name: 'a generic function that is called by call',
    code: `${f} await f.call(undefined, Pod);`,
    error: 'manifests/generic-as-value',
  },
  {
    name: 'a recursion that rotates four kinds',
    code: `async function turn<A extends KubeObject, B extends KubeObject, C extends KubeObject, D extends KubeObject>(a: Resource<A>, b: Resource<B>, c: Resource<C>, d: Resource<D>): Promise<void> { await client.delete(a, key); if (cond) await turn(b, c, d, a); }
await turn(Pod, Service, Node, DaemonSet);`,
    rules: 'daemonsets:delete nodes:delete pods:delete services:delete',
  },
  // Kinds of type parameters.
  {
    name: 'the items of a type parameter, through two functions',
    code: `async function f<const T extends readonly Resource[]>(kinds: T) { for (const kind of kinds) await client.delete(kind as T[number], key); }
const g = <const U extends readonly Resource[]>(kinds: U) => f(kinds); await f([Pod, Service]); await g([DaemonSet]);`,
    rules: 'daemonsets:delete pods:delete services:delete',
  },
  {
    name: 'the property of a type parameter',
    code: `async function f<T extends { readonly kind: Resource }>(of: T) { const kind: T['kind'] = of.kind; await client.delete(kind, key); } await f({ kind: Pod });`,
    rules: 'pods:delete',
  },
  {
    name: 'a kind that may be undefined, which the compiler refuses',
    code: `declare const kind: typeof Pod | undefined; await client.delete(kind, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'a token without literals, used directly',
    code: `interface Loose extends KubeObject { spec?: object }
const Loose = externalResource<Loose>({ group: 'x.example.com', version: 'v1', kind: 'Loose', plural: 'loose', scope: 'Namespaced' });
await client.delete(Loose, key);`,
    rules: 'loose:delete',
  },
  {
    name: 'a kind with literals that nobody declares',
    code: `interface Unseen extends KubeObject<'unseen.example.com/v1', 'Unseen'> { spec?: object } declare const kind: Resource<Unseen>; await client.delete(kind, key);`,
    error: 'manifests/unknown-kind',
  },
  {
    name: 'one kind of two plurals, declared under other names',
    code: `import { externalResource as external } from 'opsdk'; import * as opsdk from 'opsdk'; ${monitor}
const one = external<Monitor>(${options('monitors')}); const two = opsdk.externalResource<Monitor>(${options('watchers')});
${f} await f(one); void two;`,
    rules: 'monitors:delete watchers:delete',
  },
  // Owners.
  {
    name: 'an owner of the type any',
    code: `declare const owner: any; ownedBy(owner);`,
    error: 'manifests/unknown-kind',
  },
  {
    name: 'an owner of two kinds',
    code: `declare const owner: Deployment | Service; ownedBy(owner);`,
    rules: 'deployments/finalizers:update services/finalizers:update',
  },
  {
    name: 'owners of type parameters',
    code: `const a = <K extends Resource>(_: K, owner: ObjectOf<K>) => ownedBy(owner); a(Pod, null!);
const b = <T extends KubeObject>(owner: T & { readonly extra?: string }) => ownedBy(owner); b(null! as Service);
type Same<T> = T extends KubeObject ? T : never; const c = <T extends KubeObject>(owner: Same<T>) => ownedBy(owner); c<Node>(null!);`,
    rules: 'nodes/finalizers:update pods/finalizers:update services/finalizers:update',
  },
  {
    name: 'an owner of a kind that nobody declares',
    code: `interface Unseen extends KubeObject<'unseen.example.com/v1', 'Unseen'> { spec?: object } declare const owner: Unseen; ownedBy(owner);`,
    error: 'manifests/unknown-kind',
  },
  {
    name: 'owners by functions under other names',
    code: `import { ownedBy as under } from 'opsdk'; import * as opsdk from 'opsdk'; under(site); opsdk.ownedBy(null! as Pod);`,
    rules: 'pods/finalizers:update sites/finalizers:update',
  },
  {
    name: 'an owner’s function handed on',
    code: `[site].map(ownedBy);`,
    error: 'manifests/generic-as-value',
  },
  {
    name: 'a function of the project with the name of an owner’s',
    code: `function f() { function ownedBy(owner: unknown) { return owner; } return ownedBy(site); } f();`,
    rules: '',
  },
  { name: 'permitted handed on', code: `use(permitted);`, error: 'manifests/indirect-call' },
  // Controllers.
  {
    name: 'finalizers',
    code: `import { ControllerRevision, ReplicaSet } from 'opsdk/k8s/apps/v1';
export const a = defineController({ name: 'a', for: ReplicaSet, finalize() {}, reconcile() {}, failureEvents: false });
export const b = defineController({ name: 'b', for: ControllerRevision, retiredFinalizers: ['example.com/old'], reconcile() {}, failureEvents: false });`,
    rules: 'controllerrevisions:get,list,patch,watch replicasets:get,list,patch,watch',
  },
  {
    name: 'what is watched',
    code: `export const w = defineController({ name: 'w', for: Site, watches: [watch(Secret, { map: () => [] })], reconcile() {}, failureEvents: false });`,
    rules: 'secrets:list,watch sites:list,watch',
  },
  {
    name: 'rules of a controller by hand',
    code: `export const c = defineController({ name: 'c', for: Site, reconcile() {}, failureEvents: false, rbac: [{ groups: [''], resources: ['nodes'], verbs: ['get'] }] });`,
    rules: 'nodes:get sites:list,watch',
  },
  {
    name: 'cached reads of what a controller is for, and of what it watches',
    code: `import { CronJob, Job } from 'opsdk/k8s/batch/v1';
export const d = defineController({ name: 'd', for: CronJob, watches: [watch(Job, { map: () => [] })], reconcile() {}, failureEvents: false });
await client.get(CronJob, key); await client.find(Job, key);`,
    rules: 'cronjobs:list,watch jobs:list,watch',
  },
  {
    name: 'createOrUpdate of a kind of which the cache holds some objects',
    code: `import { cached } from 'opsdk'; import { Ingress } from 'opsdk/k8s/networking/v1';
export const e = defineController({ name: 'e', for: Site, owns: [Ingress], reconcile() {}, failureEvents: false });
export const some = cached(Ingress, { labelSelector: 'a=b' });
await client.createOrUpdate(Ingress, key, () => ({ metadata: { name } }));`,
    rules: 'ingresses:create,get,list,update,watch sites/finalizers:update sites:list,watch',
  },
];
