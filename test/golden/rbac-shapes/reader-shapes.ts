import type { Shape } from './shape.ts';

/** What reads a Secret by a `Reader`, whose type does not say where it reads: with the rule that shows whether it was followed. */
const readers: Readonly<Record<string, readonly [code: string, rule?: string]>> = {
  'in a variable': ['const r: Reader = client.live; await r.get(Secret, key);'],
  'in a variable that changes': [
    'let r: Reader = client.live; if (cond) r = client; await r.get(Secret, key);',
    'get,list,watch',
  ],
  'of two branches': [
    'const a: Reader = client.live; const b: Reader = client; await (cond ? a : b).get(Secret, key);',
    'get,list,watch',
  ],
  'of one of two branches': ['const a: Reader = client.live; await (cond ? a : a).get(Secret, key);'],
  'after `??`': [
    'const a: Reader | undefined = client.live; const b: Reader = client; await (a ?? b).get(Secret, key);',
    'get,list,watch',
  ],
  'after `&&`': [
    'const a: Reader = client.live; const f = (r: Reader | false) => r && r.get(Secret, key); await f(cond && a);',
  ],
  'that is awaited': [
    'async function open(): Promise<Reader> { return client.live; } await (await open()).get(Secret, key);',
  ],
  'of an arrow function': ['const open = (): Reader => client.live; await open().get(Secret, key);'],
  'of a function': ['function open(): Reader { return client.live; } await open().get(Secret, key);'],
  'in a property of an argument': [
    'const f = ({ r }: { r: Reader }) => r.get(Secret, key); const a: Reader = client.live; await f({ r: a });',
  ],
  'in a shorthand property of an argument': [
    'const f = ({ r }: { r: Reader }) => r.get(Secret, key); const r: Reader = client.live; await f({ r });',
  ],
  'in a property of a spread argument': [
    'const f = ({ r }: { r: Reader }) => r.get(Secret, key); const deps: { r: Reader } = { r: client.live }; await f({ ...deps });',
  ],
  'in a binding within a binding': [
    'const f = ({ deps: { r } }: { deps: { r: Reader } }) => r.get(Secret, key); await f({ deps: { r: client.live } });',
  ],
  'in a binding of a variable': [
    'const deps: { r: Reader } = { r: client.live }; const { r } = deps; await r.get(Secret, key);',
  ],
  'in a field with a value': [
    'class Store { readonly r: Reader = client.live; secret() { return this.r.get(Secret, key); } } await new Store().secret();',
  ],
  'in a field that the constructor sets': [
    'class Store { readonly r: Reader; constructor() { this.r = client.live; } secret() { return this.r.get(Secret, key); } } await new Store().secret();',
  ],
  'of a getter': [
    'class Store { get r(): Reader { return client.live; } } await new Store().r.get(Secret, key);',
  ],
  'in a shorthand property': [
    'const r: Reader = client.live; const deps = { r }; await deps.r.get(Secret, key);',
  ],
  'in an object of an interface': [
    'interface Deps { readonly r: Reader } const f = (deps: Deps) => deps.r.get(Secret, key); await f({ r: client.live });',
  ],
  'of a function that others call too': [
    'async function f(r: Reader) { await r.get(Secret, key); } await f(client.live); use(f);',
    'get,list,watch',
  ],
  'in arguments that are spread': [
    'async function f(a: Reader, b: Reader) { await b.get(Secret, key); void a; } await f(...([client, client.live] as const));',
    'get,list,watch',
  ],
};

/** Readers, on all ways by which they come to a call. */
export const readerShapes: readonly Shape[] = [
  ...Object.entries(readers).map(([name, [code, verbs = 'get']]) => ({
    name: `a reader ${name}`,
    code,
    rules: `secrets:${verbs}`,
  })),
  {
    name: 'a function that gives back the reader of each call',
    code: `const same = (r: Reader): Reader => r; await same(client.live).get(Secret, key); await same(client).get(ConfigMap, key);`,
    rules: 'configmaps:list,watch secrets:get',
  },
  {
    name: 'objects of a generic class, each with its own reader',
    code: `class Repo<T extends KubeObject> { constructor(private readonly r: Reader, readonly k: Resource<T>) {} get() { return this.r.get(this.k, key); } }
await new Repo(client, Secret).get(); await new Repo(client.live, Pod).get();`,
    rules: 'pods:get secrets:list,watch',
  },
];
