// The cache beside a simple model of an API server: whatever is written by whom, in whatever order answers, events and lists arrive.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineIndex } from '../../../../../src/index.ts';
import type { CachedObject, ObjectEvent } from '../../../../../src/sdk/runtime/cache/index.ts';
import { KindCache } from '../../../../../src/sdk/runtime/cache/kind-cache.ts';
import { Turn } from '../../../../../src/sdk/runtime/yielding.ts';
import { runs } from '../../../../helpers/thorough.ts';
import { ConfigMap } from '../kinds.ts';
import { ManualClock } from '../manual-clock.ts';
import { ApiServerModel, versionOf, type Answer } from './api-server-model.ts';

const keys = ['x/a', 'x/b', 'y/a'];

interface Step {
  readonly do: string;
  readonly key: string;
  /** Chooses among what there is. */
  readonly n: number;
  readonly own: boolean;
  readonly used: string;
  readonly by: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 5, arbitrary: fc.constant('write') },
    { weight: 3, arbitrary: fc.constant('delete') },
    { weight: 1, arbitrary: fc.constantFrom('add finalizer', 'remove finalizer') },
    { weight: 5, arbitrary: fc.constant('answer') },
    { weight: 5, arbitrary: fc.constant('event') },
    { weight: 1, arbitrary: fc.constantFrom('list', 'read a namespace') },
    { weight: 3, arbitrary: fc.constant('step') },
  ),
  key: fc.constantFrom(...keys),
  n: fc.nat(20),
  own: fc.boolean(),
  used: fc.constantFrom('yes', 'no'),
  by: fc.constantFrom('one', 'two'),
});
const history = fc.record({
  steps: fc.array(step, { maxLength: 60, size: 'max' }),
  labelSelector: fc.constantFrom(undefined, 'used=yes'),
  /** Answers to one reconcile come in order; those to several controllers need not. */
  inOrder: fc.boolean(),
});

const byLabels = defineIndex(ConfigMap, 'labels', ({ metadata: { labels = {} } }) => [
  labels['by'] ?? '',
  labels['used'] ?? '',
]);

class History {
  readonly server: ApiServerModel;
  readonly kind: KindCache;
  /** What those who listen have put together. */
  readonly heard = new Map<string, CachedObject>();
  /** What the next read of each key may not be older than. */
  readonly #floors = new Map<string, number>();
  readonly #answers: Answer[] = [];
  #taken: { readonly steps: Generator<undefined, ObjectEvent[]>; readonly version: number } | undefined;
  #answeredSince: Answer[] = [];
  /** Up to which version the watch has come. */
  #watched = 10;

  constructor(labelSelector: string | undefined) {
    this.server = new ApiServerModel(
      ({ metadata }) => labelSelector === undefined || metadata.labels?.['used'] === 'yes',
    );
    this.kind = new KindCache({
      resource: ConfigMap,
      selection: { labelSelector },
      namespaces: undefined,
      turn: new Turn(),
      clock: new ManualClock(),
      onIndexError: () => expect.unreachable(),
    });
    this.kind.addIndex(byLabels);
    this.list(0);
    while (this.step());
  }

  get informer() {
    return this.kind.informers[0] ?? expect.unreachable();
  }

  do({ do: what, key, n, own, ...labels }: Step, inOrder: boolean): void {
    let answer: Answer | undefined;
    if (what === 'write') answer = this.server.write(key, labels);
    if (what === 'delete') answer = this.server.delete(key);
    if (what === 'add finalizer') answer = this.server.addFinalizer(key);
    if (what === 'remove finalizer') answer = this.server.removeFinalizer(key);
    if (own && answer !== undefined) this.#answers.push(answer);
    if (what === 'answer') this.answer(inOrder ? 0 : n);
    if (what === 'event') this.event();
    if (what === 'list') this.list(n);
    if (what === 'step') for (let i = 0; i <= n % 4; i += 1) this.step();
    if (what === 'read a namespace') this.kind.entries(this.informer, key.split('/')[0]);
  }

  /** Until nothing is left on its way. */
  finish(): void {
    while (this.answer(0));
    while (this.step());
    while (this.event());
  }

  answer(n: number): boolean {
    const [answer] = this.#answers.splice(n % Math.max(1, this.#answers.length), 1);
    if (answer === undefined) return false;
    const { key, object, uid, version } = answer;
    const seen = this.informer.store.get(key);
    if (object === undefined)
      this.kind.removed({ namespace: key.split('/')[0] ?? '', name: key.slice(2) }, uid);
    else this.kind.wrote(object);
    const isGone = object === undefined || object.metadata.deletionTimestamp !== undefined;
    const now = this.informer.store.get(key);
    // A reader who never saw an object cannot see it come back; one that left the selection and came back looks like one that was deleted.
    const isSeen = isGone
      ? seen?.metadata.uid === uid && !this.server.hasLeft(key, Number(versionOf(seen)), version)
      : seen !== undefined || now !== undefined;
    if (isSeen) {
      this.#raise(key, version);
      if (this.#taken !== undefined && versionOf(now) !== versionOf(seen)) this.#answeredSince.push(answer);
    }
    return true;
  }

  event(): boolean {
    const next = this.server.events.find(({ version }) => version > this.#watched);
    // What the watch brings waits for the end of a list.
    if (next === undefined || this.#taken !== undefined) return false;
    const { type, object } = next.event;
    const key = `${object.metadata.namespace}/${object.metadata.name}`;
    const before = this.server.at(this.#watched).get(key);
    this.#watched = next.version;
    const changes = this.informer.store.apply(type, structuredClone(object));
    same(said(changes), difference(before, type === 'DELETED' ? undefined : object, key));
    this.#hear(changes);
    this.#raise(key, next.version);
    return true;
  }

  /** @param n how many versions ago the list was read */
  list(n: number): void {
    if (this.#taken !== undefined) return;
    const version = Math.max(this.#watched, this.server.version - n);
    const objects = structuredClone([...this.server.at(version).values()]);
    this.#answeredSince = [];
    this.#taken = { steps: this.informer.store.replace(objects, String(version)), version };
    this.step();
  }

  step(): boolean {
    if (this.#taken === undefined) return false;
    const { steps, version } = this.#taken;
    const { store } = this.informer;
    const seen = new Map(store.entries());
    const step = steps.next();
    if (step.done !== true) return true;
    this.#taken = undefined;
    const before = this.server.at(this.#watched);
    const now = this.server.at(version);
    this.#watched = version;
    // Created by this operator, seen by readers, and gone before the watch has shown it.
    const unseen = [...seen].filter(
      ([
        key,
        {
          metadata: { uid },
        },
      ]) => uid !== before.get(key)?.metadata.uid && uid !== store.get(key)?.metadata.uid,
    );
    const expected = [
      ...unseen.map(([key, { metadata }]) => `delete ${key} ${metadata.uid}`),
      ...keys.flatMap((key) => difference(before.get(key), now.get(key), key)),
    ];
    same(said(step.value).sort(), expected.sort());
    this.#hear(step.value);
    for (const key of keys) this.#floors.set(key, version);
    for (const each of this.#answeredSince) this.#raise(each.key, each.version);
    return false;
  }

  check(): void {
    const { store } = this.informer;
    for (const key of keys) {
      const object = store.get(key);
      const floor = this.#floors.get(key) ?? 0;
      if (!this.server.isAsNewAs(key, object, floor))
        expect.unreachable(`${key} is seen as of version ${versionOf(object)} after ${floor}`);
    }
    const scan = [...store.entries()];
    for (const by of ['one', 'two', 'yes', 'no']) {
      const expected = scan.filter(([, { metadata }]) => Object.values(metadata.labels ?? {}).includes(by));
      same(shown(this.kind.byIndex(byLabels, by, undefined)), shown(expected));
    }
    for (const namespace of ['x', 'y']) {
      const found = store.byIndex('metadata.namespace', namespace);
      if (found !== undefined) same(shown(found), shown(scan.filter(([key]) => key.startsWith(namespace))));
    }
    same(shown([...this.heard]), shown([...this.server.at(this.#watched)]));
    const sizes = [...this.server.at(this.#watched).values()].map((object) => JSON.stringify(object).length);
    same([String(store.bytes)], [String(sizes.reduce((sum, size) => sum + size, 0))]);
  }

  #raise(key: string, version: number): void {
    this.#floors.set(key, Math.max(version, this.#floors.get(key) ?? 0));
  }

  #hear(changes: readonly ObjectEvent[]): void {
    for (const { type, object } of changes) {
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      if (type === 'delete' && this.heard.get(key)?.metadata.uid !== object.metadata.uid) continue;
      same([String(this.heard.has(key))], [String(type !== 'create')]);
      if (type === 'delete') this.heard.delete(key);
      else this.heard.set(key, object);
    }
  }
}

/** `expect` for hot loops. */
function same(actual: readonly string[], expected: readonly string[]): void {
  if (actual.join() !== expected.join()) expect(actual).toEqual(expected);
}

const shown = (found: readonly [string, CachedObject][] = []) =>
  found.map(([key, object]) => `${key} ${versionOf(object)}`).sort();

const said = (changes: readonly ObjectEvent[]) =>
  changes.map(({ type, object: { metadata } }) => {
    const key = `${metadata.namespace}/${metadata.name}`;
    return type === 'delete' ? `delete ${key} ${metadata.uid}` : `${type} ${key} ${metadata.resourceVersion}`;
  });

function difference(before: CachedObject | undefined, now: CachedObject | undefined, key: string): string[] {
  if (versionOf(before) === versionOf(now)) return [];
  const deleted = before === undefined ? [] : [`delete ${key} ${before.metadata.uid}`];
  if (now === undefined) return deleted;
  if (before?.metadata.uid === now.metadata.uid) return [`update ${key} ${versionOf(now)}`];
  return [...deleted, `create ${key} ${versionOf(now)}`];
}

it('shows own writes at once and never undone, and reports each change once, whatever comes in whatever order', () => {
  fc.assert(
    fc.property(history, ({ steps, labelSelector, inOrder }) => {
      const all = new History(labelSelector);
      for (const each of steps) {
        all.do(each, inOrder);
        all.check();
      }
      all.finish();
      all.check();
      expect(shown([...all.informer.store.entries()])).toEqual(shown([...all.server.at(Infinity)]));
    }),
    { numRuns: runs(10_000) },
  );
}, 240_000);
