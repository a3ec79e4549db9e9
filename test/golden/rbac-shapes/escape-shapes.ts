import type { Shape } from './shape.ts';

/** Code by which a client comes to somebody who may do anything with it. */
const escapes: Readonly<Record<string, string>> = {
  'as a type parameter': 'export function f<C extends ControllerClient>(c: C) { use(c); }',
  'that may be undefined': 'declare const maybe: ControllerClient | undefined; use(maybe);',
  'with more than a client has':
    'declare const both: ControllerClient & { readonly extra: string }; use(both);',
  'of which a part is left': `declare const part: Pick<ControllerClient, 'delete'>; use(part);`,
  'in a record': 'declare const table: Record<string, ControllerClient>; use(table);',
  'by a function': 'const give = () => client; use(give);',
  'as the result of a function': 'const give = () => client; use(give());',
  'in `this`':
    'class Store { constructor(readonly c: ControllerClient) {} give() { use(this); } } new Store(client).give();',
  'in an object of a class': 'class Store { readonly c = client; } use(new Store());',
  'as a default': 'const { c = client }: { c?: unknown } = {}; void c;',
  'in a module': `import * as handles from '../lib/handles.ts'; use(handles);`,
  'by a callback of the language': '[client].map(String);',
  'by a callback of other people': 'const log = sync; [client].forEach(log);',
  'in a property': 'export async function step(context: ReconcileContext) { use(context.client); }',
  'in a template':
    'declare function tag(texts: TemplateStringsArray, ...values: unknown[]): void; tag`${client}`;',
  'with an assertion': 'use(client as ControllerClient);',
  'in parentheses': 'use((client));',
  'with `!`': 'use(client!);',
  'with `satisfies`': 'use(client satisfies ControllerClient);',
  'after `await`': 'declare const later: Promise<ControllerClient>; use(await later);',
  'in a branch': 'use(cond ? client : undefined);',
  'after `&&`': 'use(cond && client);',
  'in a spread object': 'const deps = { client }; use({ ...deps });',
  'in a spread array': 'const list = [client]; use([...list]);',
  'in spread arguments': 'const list = [client] as const; use(...list);',
  'by an assignment': 'let loose: unknown; loose = client; void loose;',
  'by a function that is called at once': 'use((() => client)());',
  'by a function of other people that gives it back': 'keep(client);',
  'by a function of the language': 'use(Object.freeze(client));',
  'by an overload without a type':
    'function f(c: ControllerClient): void; function f(c): void { c.whatever(); } f(client);',
  'as an argument of any type of the language': 'String(client);',
  'as an object': 'const deps = { client }; const o: object = deps; void o;',
  'as a type parameter that is claimed': 'function give<T>(): T { return client as T; } give();',
  'as a type parameter that only looks like it':
    'interface Remover { delete(kind: unknown, key: unknown): Promise<unknown> } const f = <T extends Remover>(r: T) => r.delete(Pod, key); await f(client);',
  'of a union':
    'declare const maybe: ControllerClient | undefined; const loose: { readonly delete?: unknown } | undefined = maybe; void loose;',
  'as a union': 'const loose: string | { readonly delete: unknown } = client; void loose;',
  'as an intersection':
    'const loose: { readonly delete: unknown } & { readonly extra?: string } = client; void loose;',
  'as an interface that only looks like it':
    'const loose: { delete(kind: unknown, key: unknown): Promise<unknown> } = client; void loose;',
  'as an interface without its methods': 'const loose: { readonly live: unknown } = client; void loose;',
  'in a property of any type':
    'const deps = { client }; const loose: { readonly client: unknown } = deps; void loose;',
  'as a result of any type': 'const give = () => client; const loose: () => unknown = give; void loose;',
  'to a callback that takes unknown':
    'const within = (f: (c: ControllerClient) => void) => f(client); within((c: unknown) => void c);',
  'to a function without types':
    'const within = (f: (c: ControllerClient) => void) => f(client); const drop = (c) => c.delete(Pod, key); within(drop);',
  'to a method of an object that takes any':
    'interface Step { run(c: ControllerClient): void } const step: Step = { run(c: any) { c.delete(Pod, key); } }; step.run(client);',
  'to a function of a namespace of other people': `import * as outside from 'outside'; const within = (f: (c: ControllerClient) => void) => f(client); within(outside.use);`,
  'to a default import of other people': `import log from 'outside'; const within = (f: (c: ControllerClient) => void) => f(client); within(log);`,
  'to a variable with a function of other people': 'const f: (c: ControllerClient) => void = use; f(client);',
  'to a property with a function of other people':
    'const steps: { run(c: ControllerClient): void } = { run: use }; steps.run(client);',
  'to an item with a function of other people':
    'const steps: readonly ((c: ControllerClient) => void)[] = [use]; for (const step of steps) step(client);',
  'to a result with a function of other people':
    'function pick(): (c: ControllerClient) => void { return use; } pick()(client);',
  'to a branch with a function of other people':
    'const f: (c: ControllerClient) => void = cond ? use : () => {}; f(client);',
};

/** Clients, on all ways by which they leave the code that can be followed; and what looks like it. */
export const escapeShapes: readonly Shape[] = [
  ...Object.entries(escapes).map(([name, code]) => ({
    name: `a client ${name}`,
    code,
    error: 'manifests/client-escapes',
  })),
  {
    name: 'options with a reconcile, without a type',
    code: `export const hidden = defineController({ name: 'hidden-options', for: Site, reconcile() {}, failureEvents: false } as any);`,
    error: 'manifests/client-escapes',
    rules: 'sites:list,watch',
  },
  {
    name: 'a function that takes a client, in somebody else’s hands',
    code: `const same = (c: ControllerClient) => c; use(same);`,
    rules: '',
  },
  {
    name: 'private and protected fields with a client, in somebody else’s hands',
    code: `class Store { constructor(private readonly c: ControllerClient) {} drop() { return this.c.delete(Pod, key); } }
class Other { constructor(protected readonly c: ControllerClient) {} drop() { return this.c.delete(Service, key); } }
use(new Store(client)); use(new Other(client));`,
    rules: 'pods:delete services:delete',
  },
  {
    name: 'an asynchronous function that returns a client',
    code: `const give = async (): Promise<ControllerClient> => client; await (await give()).delete(Pod, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'a generator of clients',
    code: `function* give(): Generator<ControllerClient> { yield client; } for (const c of give()) await c.delete(Pod, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'a client in a default of a binding',
    code: `const { c = client }: { c?: ControllerClient } = {}; await c.delete(Pod, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'a claimed type parameter that is a client',
    code: `function give<T extends ControllerClient>(): T { return client as T; } await give().delete(Pod, key);`,
    rules: 'pods:delete',
  },
  {
    name: 'a recorder with more than it has, in somebody else’s hands',
    code: `declare const both: EventRecorder & { readonly extra: string }; use(both);`,
    rules: 'events:create,patch',
  },
  {
    name: 'methods that are compared and not called',
    code: `if (client.delete) void typeof client.update;`,
    rules: '',
  },
  {
    name: 'a method in a variable and in a binding',
    code: `const drop = client.delete; await drop(Pod, key); const { update: put } = client; await put(Service, null!);`,
    rules: 'pods:delete services:update',
  },
  {
    name: 'a method in a variable, handed on',
    code: `const drop = client.delete; use(drop);`,
    error: 'manifests/indirect-call',
  },
  {
    name: 'an interface of the project with a name of ours',
    code: `function f() { interface Writer { create(kind: unknown): void } const w: Writer = { create() {} }; w.create(Pod); } f();`,
    rules: '',
  },
];
