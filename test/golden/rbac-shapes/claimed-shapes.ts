import type { Shape } from './shape.ts';

const header = `declare const some: Resource; declare const any: any; declare const maybe: typeof Pod | undefined;`;

/** Expressions whose kind is only claimed, with what is in front of them. */
const claims: Readonly<Record<string, readonly [kind: string, before?: string]>> = {
  'in parentheses': ['(some as Resource<Pod>)'],
  'with `!`': ['(some as Resource<Pod>)!'],
  'with `satisfies`': ['(some as Resource<Pod>) satisfies Resource'],
  'that is awaited': ['await (some as Resource<Pod>)'],
  'in a promise': ['await Promise.resolve(some as Resource<Pod>)'],
  'in a tuple `as const`': ['([some as Resource<Pod>] as const)[0]'],
  'as the first branch of a condition': ['cond ? (some as Resource<Pod>) : Pod'],
  'as the second branch of a condition': ['cond ? Pod : (some as Resource<Pod>)'],
  'after `??`': ['maybe ?? (some as Resource<Pod>)'],
  'in an array': ['kinds[0]!', 'const kinds = [some as Resource<Pod>];'],
  'in an object, by brackets': [`kinds['a']`, 'const kinds = { a: some as Resource<Pod> };'],
  'in an object, by its name': ['kinds.a', 'const kinds = { a: some as Resource<Pod> };'],
  'in a binding': ['a', 'const { a } = { a: some as Resource<Pod> };'],
  'in a set': ['kind', 'for (const kind of new Set([some as Resource<Pod>]))'],
  'in a map': [`kinds.get('a')!`, `const kinds = new Map([['a', some as Resource<Pod>]]);`],
  'in a list of values': ['kind', 'for (const kind of Object.values({ a: some as Resource<Pod> }))'],
  'in a loop': ['kind', 'for (const kind of [some as Resource<Pod>])'],
  'as the default of a binding': ['a', 'const { a = some as Resource<Pod> }: { a?: Resource<Pod> } = {};'],
  'in a field': ['new Holder().kind', 'class Holder { readonly kind = some as Resource<Pod>; }'],
  'that is assigned': ['kind', 'let kind: Resource<Pod> = Pod; if (cond) kind = some as Resource<Pod>;'],
  'that an arrow function returns as any': ['byName()', 'const byName = (): Resource<Pod> => any;'],
  'that a function returns': ['byName()', 'function byName() { return some as Resource<Pod>; }'],
};

/** Kinds whose type is claimed, on all ways by which they come to a call. */
export const claimedShapes: readonly Shape[] = [
  ...Object.entries(claims).map(([name, [kind, before = '']]) => ({
    name: `a claimed kind ${name}`,
    code: `${header}\n${before} await client.delete(${kind}, key);`,
    error: 'manifests/asserted-kind',
  })),
  {
    name: 'a claimed kind as an argument of a function with its kind',
    code: `${header}\nconst drop = (kind: Resource<Pod>) => client.delete(kind, key); await drop(some as Resource<Pod>);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'a claimed kind in a pattern as a parameter',
    code: `${header}\nconst drop = ({ kind }: { kind: Resource<Pod> }) => client.delete(kind, key); await drop({ kind: some as Resource<Pod> });`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'a claimed kind in an object of an interface',
    code: `${header}\ninterface Child { readonly kind: Resource<Pod> } const drop = (child: Child) => client.delete(child.kind, key); await drop({ kind: some as Resource<Pod> });`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'a claimed kind as a parameter that declares a field',
    code: `${header}\nclass Pods { constructor(private readonly kind: Resource<Pod>) {} drop() { return client.delete(this.kind, key); } } await new Pods(some as Resource<Pod>).drop();`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'a claimed kind as the default of a parameter',
    code: `${header}\nconst drop = (kind: Resource<Pod> = some as Resource<Pod>) => client.delete(kind, key); await drop();`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'a claimed kind through many generic functions',
    code: `${header}
async function last<T extends KubeObject>(k: Resource<T>) { await client.delete(k, key); }
${[7, 6, 5, 4, 3, 2, 1, 0].map((i) => `async function f${i}<T extends KubeObject>(k: Resource<T>) { await ${i === 7 ? 'last' : `f${i + 1}`}(k); }`).join('\n')}
await f0(some as Resource<Pod>);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'a claimed kind through a function that is a parameter',
    code: `${header}\nconst drop = <T extends KubeObject>(k: Resource<T>, pick: <U extends KubeObject>(k: Resource<U>) => Resource<U>) => client.delete(pick(k), key); await drop(some as Resource<Pod>, (k) => k);`,
    error: 'manifests/asserted-kind',
  },
  {
    name: 'kinds that the compiler refuses, for a client of another cluster',
    code: `declare const other: ClusterHandle; async function f<T extends KubeObject>(c: ClusterHandle['client'], k: Resource<T>) { await c.delete(k, key); } for (const k of [Pod, Service]) await f(other.client, k);`,
    rules: '',
  },
  {
    name: 'a claimed kind for a permitted client',
    code: `${header}\nawait permitted(client, []).delete(some as Resource<Pod>, key);`,
    rules: '',
  },
  {
    name: 'a claimed kind for a client of another cluster',
    code: `${header}\ndeclare const other: ClusterHandle; async function f<T extends KubeObject>(c: ClusterHandle['client'], k: Resource<T>) { await c.delete(k, key); } await f(other.client, some as Resource<Pod>);`,
    rules: '',
  },
];
