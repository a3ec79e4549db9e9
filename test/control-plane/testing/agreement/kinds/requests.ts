import { agree, requestsAt, type AnyStep, type Case, type Step } from '../case.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const labels = { app: 'x' };
export const container = { name: 'web', image: 'nginx:1' };
export const podSpec = (spec: Fields = {}, own: Fields = {}): Fields => ({
  containers: [{ ...container, ...own }],
  ...spec,
});
export const template = (spec: Fields = {}, own: Fields = {}): Fields => ({
  metadata: { labels },
  spec: podSpec(spec, own),
});

/** What cases need of a kind. */
export interface KindUnderTest {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Fields of a valid object, such as `spec`. */
  readonly valid: Fields;
}

/** Requests for the object `a` of a kind; cluster-scoped objects have the name of the namespace. */
export function requestsOf({ path, apiVersion, kind, valid }: KindUnderTest) {
  const isNamespaced = path.includes('/namespaces/');
  const name = isNamespaced ? 'a' : 'a-$NS';
  const at = requestsAt(path);
  const object = (fields: Fields = {}, metadata: Fields = {}): Fields => ({
    apiVersion,
    kind,
    metadata: { name, ...metadata },
    ...valid,
    ...fields,
  });
  const spec = (change: Fields): Fields =>
    object({ spec: { ...(valid['spec'] as Fields | undefined), ...change } });
  const below = (step: Step, part: string): Step => ({
    ...step,
    path: step.path.replace(`${path}/${name}`, `${path}/${name}/${part}`),
  });
  const status = (step: Step): Step => below(step, 'status');
  return {
    name,
    object,
    spec,
    below,
    create: (body: Fields = object(), query: Readonly<Record<string, string>> = {}): Step =>
      at.create(body, query),
    get: at.get(name),
    put: (body: unknown): Step => at.put(name, body),
    merge: (change: Fields): Step => at.merge(name, change),
    json: (patch: readonly Fields[]): Step => at.json(name, patch),
    apply: (body: Fields = object(), query: Readonly<Record<string, string>> = {}): Step =>
      at.apply(name, body, query),
    remove: (body?: Fields, query: Readonly<Record<string, string>> = {}): Step =>
      at.remove(name, body, query),
    list: (query: Readonly<Record<string, string>> = {}): Step => at.list(query),
    status: (change: Fields): Step => status(at.merge(name, { status: change })),
    statusApply: (change: Fields): Step =>
      status(at.apply(name, { apiVersion, kind, metadata: { name }, status: change }, { force: 'true' })),
  };
}

export type Requests = ReturnType<typeof requestsOf>;

/** Cases that every kind has: writes of all sorts, also of metadata alone. */
export function commonCases(kind: KindUnderTest): readonly Case[] {
  const { create, get, put, merge, json, apply, object, remove, list } = requestsOf(kind);
  const say = (name: string, ...steps: readonly AnyStep[]): Case => agree(`${kind.kind}: ${name}`, ...steps);
  return [
    say('created and read', create(), get),
    say('applied twice', apply(), apply()),
    say(
      'applied by two managers',
      apply(),
      apply(object({}, { labels: { b: 'c' } }), { fieldManager: 'two' }),
    ),
    say('labels later', create(), merge({ metadata: { labels: { b: 'c' } } })),
    say('annotations later', create(), merge({ metadata: { annotations: { b: 'c' } } })),
    say('written back', create(), (replies) => put(replies[0]?.body)),
    say('replaced without a resourceVersion', create(), put(object({}, { labels: { b: 'c' } }))),
    say('a stale update', create(), merge({ metadata: { labels } }), (replies) => put(replies[0]?.body)),
    say(
      'a label by JSON patch',
      create(),
      json([{ op: 'add', path: '/metadata/labels', value: { b: 'c' } }]),
    ),
    say('an invalid label', create(object({}, { labels: { 'a b': 'c' } }))),
    say('an invalid name', create(object({}, { name: 'A_b' }))),
    say('with a finalizer, deleted', create(object({}, { finalizers: ['example.com/x'] })), remove(), get),
    say('in the foreground', create(), remove({ propagationPolicy: 'Foreground' })),
    say('deleted and gone', create(), remove({ propagationPolicy: 'Background' }), get),
    say('created twice', create(), create()),
    say('an unknown field', create(object({ bogus: 1 }))),
    say('an unknown field, strictly', create(object({ bogus: 1 }), { fieldValidation: 'Strict' })),
    say('an unknown field, ignored', create(object({ bogus: 1 }), { fieldValidation: 'Ignore' })),
    say('an unknown field in a refusal', create(object({ bogus: 1 }, { labels: { 'a b': 'c' } }))),
    say('created on trial', create(object(), { dryRun: 'All' }), get),
    say('deleted on trial', create(), remove(undefined, { dryRun: 'All' }), get),
    say('an invalid label later', create(), merge({ metadata: { labels: { 'a b': 'c' } } })),
    say('an unqualified finalizer', create(object({}, { finalizers: ['a'] }))),
    say(
      'a failed test in a JSON patch',
      create(),
      json([{ op: 'test', path: '/metadata/name', value: 'other' }]),
    ),
    say(
      'empty metadata',
      create(object({}, { labels: {}, annotations: {} })),
      list({ fieldSelector: 'metadata.name=a' }),
    ),
  ];
}

function casesOf(
  kind: KindUnderTest,
  own: (requests: Requests) => Readonly<Record<string, readonly AnyStep[]>>,
): readonly Case[] {
  const requests = requestsOf(kind);
  // The server stores a new claim without its phase, so that the first write after that changes its resourceVersion even if it changes nothing.
  const isClaim = kind.kind === 'PersistentVolumeClaim';
  const common = commonCases(kind).filter(
    ({ name }) => !isClaim || !/: (?:applied twice|written back)$/.test(name),
  );
  return [
    ...common,
    ...Object.entries(own(requests)).map(([name, steps]) => agree(`${kind.kind}: ${name}`, ...steps)),
  ];
}

/** A kind, and its own cases: their steps by name. */
type KindCases = readonly [
  KindUnderTest,
  (requests: Requests) => Readonly<Record<string, readonly AnyStep[]>>,
];

/** Returns the cases of kinds: the common ones, and those of each. */
export function casesOfKinds(
  kinds: Readonly<Record<string, KindCases>>,
): Readonly<Record<string, readonly Case[]>> {
  return Object.fromEntries(Object.entries(kinds).map(([name, [kind, own]]) => [name, casesOf(kind, own)]));
}
