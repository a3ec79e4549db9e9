// Nothing that `op-sdk crd diff` calls compatible loses or refuses a field: random pairs of definitions with several versions, with
// objects that are written through every served version, on a real API server.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrdChange } from '../../../../src/kubernetes/crd/diff/change.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { inParallel } from '../../../../src/base/util/in-parallel.ts';
import { apiSession, type ApiSession, type SessionAnswer } from '../../../helpers/api-session.ts';
import { sharedControlPlane, uniqueName } from '../../../helpers/control-plane.ts';
import { isThorough } from '../../../helpers/thorough.ts';
import { compareDefinitions } from '../../../unit/kubernetes/crd/diff/compare-definitions.ts';
import { changed, objectOf, rootSchema } from '../../../unit/kubernetes/crd/diff/random-schemas.ts';
import type { TestSchema as Schema } from '../../../unit/kubernetes/crd/diff/tiny-api-server.ts';

/** A thorough run sends 18,000 requests, about 90 seconds of CPU time in all processes; a few pairs show that the test itself works. */
const pairs = isThorough ? 200 : 12;
const objectsOfPair = 20;

interface Version {
  readonly name: string;
  readonly schema: Schema;
}
interface Side {
  readonly versions: readonly Version[];
  readonly storage: string;
}
interface Pair {
  readonly old: Side;
  readonly now: Side;
  readonly objects: readonly (readonly unknown[])[];
}

/** Two versions, often alike; then one of them changes, or both in the same way, another one is stored, or a third one comes. */
const pair: fc.Arbitrary<Pair> = rootSchema
  .chain((first) =>
    fc.tuple(fc.constant(first), fc.oneof({ arbitrary: fc.constant(first), weight: 3 }, changed(first))),
  )
  .chain(([first, second]) =>
    fc.record({
      firsts: fc.constant([first, second]),
      changes: fc.tuple(changed(first), changed(second)),
      kind: fc.oneof(
        { arbitrary: fc.constant('both' as const), weight: 6 },
        fc.constantFrom('first', 'second', 'storage', 'third'),
      ),
      storage: fc.constantFrom('v1', 'v2'),
      objects: fc.tuple(
        ...[first, second].map((schema) =>
          fc.array(objectOf(schema), { minLength: objectsOfPair / 2, maxLength: objectsOfPair / 2 }),
        ),
      ),
    }),
  )
  .map(({ firsts: [first = {}, second = {}], changes: [one, two], kind, storage, objects }) => {
    const after: readonly Schema[] = {
      both: first === second ? [one, one] : [one, two],
      first: [one, second],
      second: [first, two],
      storage: [first, second],
      third: [first, second, two],
    }[kind];
    const other = storage === 'v1' ? 'v2' : 'v1';
    return {
      old: side([first, second], storage),
      now: side(after, kind === 'storage' ? other : storage),
      objects,
    };
  });

function side(schemas: readonly Schema[], storage: string): Side {
  return { versions: schemas.map((schema, index) => ({ name: `v${index + 1}`, schema })), storage };
}

/** @param marker the warning by which answers of this definition are known */
function definition(group: string, { versions, storage }: Side, marker?: string) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `sites.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind: 'Site', plural: 'sites' },
      versions: versions.map(({ name, schema }) => ({
        name,
        served: true,
        storage: name === storage,
        schema: { openAPIV3Schema: schema },
        ...(marker === undefined ? {} : { deprecated: true, deprecationWarning: marker }),
      })),
    },
  };
}

type Loose = Readonly<Record<string, unknown>>;
type Listed = ReadonlyMap<string, Loose>;

/** The paths of what is in a value and not in another, such as `.spec.a[].b`. */
function lostPaths(value: unknown, other: unknown, path = ''): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) {
    if (!Array.isArray(other) || other.length !== value.length) return [path];
    return value.flatMap((item, index) => lostPaths(item, other[index], `${path}[]`));
  }
  if (typeof value !== 'object' || value === null) return value === other ? [] : [path];
  if (typeof other !== 'object' || other === null || Array.isArray(other)) return [path];
  return Object.entries(value).flatMap(([key, item]) =>
    lostPaths(item, (other as Loose)[key], `${path}.${key}`),
  );
}

/** Whether a change is about a field, or something around it or in it. */
function isAbout({ path }: CrdChange, lost: string): boolean {
  const steps = (text: string): readonly string[] => text.match(/\[\]|[^.[\]]+/g) ?? [];
  const [mine, theirs] = [steps(path), steps(lost)];
  return (
    path === '.' ||
    mine.slice(0, theirs.length).every((step, index) => step === '*' || (theirs[index] ?? step) === step)
  );
}

/** Whether a change says that objects or what clients write may be lost or refused. */
function isHarmful({ severity, affects, code }: CrdChange): boolean {
  // About the way back to the old definition.
  if (code === 'storage-version-unreleased') return false;
  return severity === 'breaking' && affects.some((who) => who !== 'readers');
}

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const busy: readonly number[] = [429, 500, 503];

let session: ApiSession;
beforeAll(async () => {
  session = apiSession(await sharedControlPlane(), 8);
});
afterAll(() => session[Symbol.dispose]());

/** While the handlers of a definition are replaced, the API server may be busy. */
async function send(...request: Parameters<ApiSession['send']>): Promise<SessionAnswer> {
  let answer: SessionAnswer | undefined;
  await eventually(
    async () => {
      answer = await session.send(...request);
      return !busy.includes(answer.status);
    },
    { timeout: 60_000 },
  );
  if (answer === undefined) throw new Error('there was no answer');
  return answer;
}

/** What one pair shows, as text for each contradiction. */
interface Outcome {
  readonly wrong: readonly string[];
  /** Whether the verdict is that every stored object stays as it is, and every client can go on. */
  readonly isCompatible: boolean;
  /** Whether anything was lost or refused, as it should be. */
  readonly isHurt: boolean;
  readonly written: number;
}

/** Undefined where the API server does not accept a definition. */
async function tryPair({ old, now, objects }: Pair): Promise<Outcome | undefined> {
  const group = `${uniqueName('diff')}.example.com`;
  const changes = compareDefinitions(definition(group, old), definition(group, now)) ?? [];
  const breaking = changes.filter(isHarmful);
  const created = await send('POST', crds, definition(group, old));
  if (created.status === 422) return undefined;
  expect(created.status, created.text).toBe(201);
  try {
    return await observe({ group, old, now, objects, breaking });
  } finally {
    await send('DELETE', `${crds}/sites.${group}`);
  }
}

async function observe({
  group,
  old,
  now,
  objects,
  breaking,
}: Pair & { readonly group: string; readonly breaking: readonly CrdChange[] }): Promise<Outcome | undefined> {
  const sites = (version: string): string => `/apis/${group}/${version}/sites`;
  const dryRun = '?dryRun=All';
  const list = async (version: string): Promise<Listed> => {
    const answer = await send('GET', sites(version));
    expect(answer.status, answer.text).toBe(200);
    const { items } = JSON.parse(answer.text) as { items: (Loose & { metadata: { name: string } })[] };
    return new Map(items.map((item) => [item.metadata.name, item]));
  };
  const lists = async (versions: readonly Version[]): Promise<ReadonlyMap<string, Listed>> =>
    new Map(await Promise.all(versions.map(async ({ name }) => [name, await list(name)] as const)));
  const served = (versions: readonly Version[], marker: string): Promise<unknown> =>
    eventually(
      async () => {
        const answers = await Promise.all(versions.map(({ name }) => session.send('GET', sites(name))));
        return answers.every(({ status, warning }) => status === 200 && warning.includes(marker));
      },
      { timeout: 60_000 },
    );
  const touched = (object: Loose, by: string): Loose => ({
    ...object,
    metadata: { ...(object['metadata'] as Loose), annotations: { touched: by } },
  });

  await served(old.versions, '');
  const sent = old.versions.flatMap(({ name: version }, half) =>
    (objects[half] ?? []).map((object, index) => {
      const metadata = { name: `${version}-${index}` };
      const body = { apiVersion: `${group}/${version}`, kind: 'Site', metadata, ...(object as Loose) };
      return { version, body, name: metadata.name };
    }),
  );
  // What the API server makes of an object when it is written; undefined if it refuses it.
  const written = new Map<string, Loose>();
  await Promise.all(
    sent.map(async ({ version, body, name }) => {
      const answer = await send('POST', sites(version), body);
      if (answer.status === 201) written.set(name, JSON.parse(answer.text) as Loose);
    }),
  );
  const before = await lists(old.versions);
  // What the old definition refuses is no change: an object of one version need not be valid in the other.
  const accepted = new Set<string>();
  const areAlike = old.versions.every(({ schema }) => schema === old.versions[0]?.schema);
  await Promise.all(
    old.versions.flatMap(({ name: version }) =>
      [...(before.get(version) ?? [])].map(async ([name, object]) => {
        const isValid = areAlike || name.startsWith(version);
        const write = () => send('PUT', `${sites(version)}/${name}${dryRun}`, touched(object, version));
        if (isValid || (await write()).status === 200) accepted.add(`${version} ${name}`);
      }),
    ),
  );

  const { spec } = definition(group, now, 'another definition');
  const replaced = await send('PATCH', `${crds}/sites.${group}`, { spec });
  if (replaced.status === 422) return undefined;
  expect(replaced.status, replaced.text).toBe(200);
  await served(now.versions, 'another definition');

  const losses: string[] = [];
  const refusals: string[] = [];
  const lose = (what: string, object: Loose, later: Loose | undefined): void => {
    for (const path of lostPaths({ spec: object['spec'] }, { spec: later?.['spec'] }))
      losses.push(
        `${path} ${what}: ${JSON.stringify(object['spec'])} became ${JSON.stringify(later?.['spec'])}`,
      );
  };
  // Objects that were there, as clients of the versions that there were read them.
  const after = await lists(now.versions);
  for (const [version, listed] of before) {
    for (const [name, object] of listed) lose(`read in ${version}`, object, after.get(version)?.get(name));
  }
  // New objects, as clients that know the old definition write them.
  await Promise.all(
    sent.map(async ({ version, body, name }) => {
      const first = written.get(name);
      if (first === undefined) return;
      const answer = await send('POST', `${sites(version)}${dryRun}`, {
        ...body,
        // Without what was pruned: clients that know the old definition do not send it.
        spec: first['spec'],
        metadata: { name: `${name}-again` },
      });
      if (answer.status === 201) lose(`created in ${version}`, first, JSON.parse(answer.text) as Loose);
      else refusals.push(`created in ${version}: ${answer.text}`);
    }),
  );
  // What is read in a version is written back through it.
  let latest = after;
  for (const { name: version } of now.versions) {
    await Promise.all(
      [...(latest.get(version) ?? [])].map(async ([name, object]) => {
        const answer = await send('PUT', `${sites(version)}/${name}`, touched(object, `${version} again`));
        if (answer.status !== 200 && accepted.has(`${version} ${name}`))
          refusals.push(`${name} written back through ${version}: ${answer.text}`);
      }),
    );
    const next = await lists(now.versions);
    for (const [reader, listed] of latest)
      for (const [name, object] of listed)
        lose(`read in ${reader} after a write through ${version}`, object, next.get(reader)?.get(name));
    latest = next;
  }
  const wrong =
    breaking.length === 0
      ? [...losses, ...refusals]
      : losses.filter((loss) => !breaking.some((change) => isAbout(change, loss.split(' ', 1)[0] ?? '')));
  return {
    wrong,
    isCompatible: breaking.length === 0,
    isHurt: losses.length + refusals.length > 0,
    written: written.size,
  };
}

/** Whether the two old versions convert into each other without loss; what they lose already is no change. */
function isLossless({ versions: [first, second], storage }: Side): boolean {
  if (first === undefined || second === undefined) return false;
  const [only, both] = [
    { versions: [first], storage: 'v1' },
    { versions: [first, second], storage },
  ];
  const changes = compareDefinitions(definition('example.com', only), definition('example.com', both));
  return changes?.every(({ code }) => !code.endsWith('-lacks-field')) === true;
}

test(
  `no change that is called compatible loses or refuses a field: ${pairs} pairs`,
  { timeout: 1_800_000 },
  async () => {
    const candidates = fc
      .sample(pair, { numRuns: pairs * 8, seed: 20260101 })
      .filter(({ old }) => isLossless(old))
      .filter(({ old, now }) => {
        const changes = compareDefinitions(definition('example.com', old), definition('example.com', now));
        return changes !== undefined && changes.length > 0;
      })
      .slice(0, pairs);
    expect(candidates).toHaveLength(pairs);
    const outcomes: (Outcome | undefined)[] = [];
    await inParallel(candidates, async (candidate) => {
      const outcome = await tryPair(candidate);
      outcomes.push(outcome);
      expect(outcome?.wrong ?? [], JSON.stringify(candidate)).toEqual([]);
    });
    // A test that tries nothing would pass.
    const tried = outcomes.filter((outcome) => outcome !== undefined);
    expect(tried.length).toBeGreaterThan(pairs * 0.9);
    expect(tried.filter(({ isCompatible, written }) => isCompatible && written > 0).length).toBeGreaterThan(
      pairs / 5,
    );
    // Few pairs need not have one.
    expect(tried.filter(({ isHurt }) => isHurt).length).toBeGreaterThanOrEqual(Math.floor(pairs / 20));
  },
);
