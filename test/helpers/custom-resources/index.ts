/** Custom resources made from the schema of their kind: valid ones, and ones with a single change that breaks a rule. */
import type { JSONSchemaProps, JsonValue } from '../../../src/compiler/schema/index.ts';
import { createRandom, type Random } from '../random.ts';
import { applyMutation, mutationsOf, type Mutation } from './mutations.ts';
import { validValue, type Richness } from './valid.ts';

export interface SampleResource {
  /** What is special about it, for people who read a failure. */
  readonly about: string;
  /** All root fields but apiVersion, kind and metadata. */
  readonly fields: Readonly<Record<string, JsonValue>>;
}

export interface SampleOptions {
  /** How many; about a third are meant to be valid. */
  readonly count: number;
  /** The same seed gives the same resources. */
  readonly seed: number;
}

/** Custom resources for a root schema, as `openAPIV3Schema` of a CRD version has it. */
export function customResources(schema: JSONSchemaProps, { count, seed }: SampleOptions): SampleResource[] {
  const random = createRandom(seed);
  const root = withoutStandardFields(schema);
  const make = (richness: Richness): Record<string, JsonValue> =>
    validValue(root, { random, richness, budget: richness === 'all' ? 300 : 120 }) as Record<
      string,
      JsonValue
    >;
  const wanted = Math.ceil(count / 3);
  const valid: SampleResource[] = [
    { about: 'only what is required', fields: make('required') },
    { about: 'everything', fields: make('all') },
  ];
  while (valid.length < wanted) valid.push({ about: `some of it (${valid.length})`, fields: make('some') });
  const mutated = pickMutations(root, valid, random, count - wanted).map(({ base, mutation }) => ({
    about: `${base.about}, but at ${mutation.path.join('.')}: ${mutation.name}`,
    fields: applyMutation(base.fields, mutation) as Record<string, JsonValue>,
  }));
  while (valid.length + mutated.length < count)
    mutated.push({ about: 'some of it, again', fields: make('some') });
  return [...valid, ...mutated].slice(0, count);
}

/** As many different sorts of changes as there are, before one comes twice. */
function pickMutations(
  root: JSONSchemaProps,
  bases: readonly SampleResource[],
  random: Random,
  count: number,
): { readonly base: SampleResource; readonly mutation: Mutation }[] {
  const all = bases.flatMap((base) =>
    mutationsOf(root, base.fields, random).map((mutation) => ({ base, mutation })),
  );
  const bySort = new Map<string, typeof all>();
  for (const candidate of random.shuffle(all))
    bySort.set(candidate.mutation.name, [...(bySort.get(candidate.mutation.name) ?? []), candidate]);
  const picked: typeof all = [];
  for (let round = 0; picked.length < count; round++) {
    const next = random.shuffle(
      [...bySort.values()].flatMap((candidates) => candidates.slice(round, round + 1)),
    );
    if (next.length === 0) break;
    picked.push(...next);
  }
  return picked.slice(0, count);
}

function withoutStandardFields(schema: JSONSchemaProps): JSONSchemaProps {
  const standard = ['apiVersion', 'kind', 'metadata'];
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !standard.includes(name));
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(properties),
    required: (schema.required ?? []).filter((name) => !standard.includes(name)),
  };
}
