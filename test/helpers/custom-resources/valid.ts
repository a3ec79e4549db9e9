import type { JSONSchemaProps, JsonValue } from '../../../src/compiler/schema/index.ts';
import type { Random } from '../random.ts';
import { stringFor } from './strings.ts';

/** How much of what may be left out is there. */
export type Richness = 'required' | 'some' | 'all';

/** How values are chosen. */
export interface Choice {
  readonly random: Random;
  readonly richness: Richness;
  /** How many more values that may be left out there shall be; counts down. */
  budget: number;
}

/** A value that the schema takes, as far as that can be told without CEL, `not` and junctors that say more than `required`. */
export function validValue(schema: JSONSchemaProps, choice: Choice): JsonValue {
  const { random, richness } = choice;
  if (schema.nullable === true && richness === 'some' && random.chance(0.2)) return null;
  if (schema.enum !== undefined && schema.enum.length > 0) return random.pick(schema.enum);
  if (schema['x-kubernetes-int-or-string'] === true)
    return random.pick([random.integer(0, 9000), '25%', 'http']);
  switch (schema.type) {
    case 'object':
      return validObject(schema, choice);
    case 'array':
      return validArray(schema, choice);
    case 'string':
      return stringFor(schema, random);
    case 'integer':
      return validNumber(schema, random, 1);
    case 'number':
      return validNumber(schema, random, 0.5);
    case 'boolean':
      return random.chance(0.5);
    case undefined:
    default:
      return random.pick<JsonValue>(['text', 1, true, { any: { thing: [1] } }, ['a']]);
  }
}

function validNumber(schema: JSONSchemaProps, random: Random, step: number): number {
  const unit = schema.multipleOf ?? step;
  const wide = schema.format === 'int64' ? 2 ** 40 : 2 ** 20;
  let least = Math.ceil((schema.minimum ?? Math.min(0, schema.maximum ?? 0)) / unit);
  if (schema.exclusiveMinimum === true && least * unit === schema.minimum) least++;
  let most = Math.floor((schema.maximum ?? least * unit + wide) / unit);
  if (schema.exclusiveMaximum === true && most * unit === schema.maximum) most--;
  return random.pick([least, most, random.integer(least, Math.max(least, most))]) * unit;
}

function validArray(schema: JSONSchemaProps, choice: Choice): JsonValue[] {
  const { random } = choice;
  const { items = {}, minItems = 0, maxItems = 3 } = schema;
  const wanted = choice.richness === 'required' ? 0 : random.integer(0, 2);
  const count = Math.max(minItems, Math.min(maxItems, choice.budget > 0 ? wanted : 0));
  const made: JsonValue[] = [];
  const seen = new Set<string>();
  for (let attempt = 0; made.length < count && attempt < count * 5; attempt++) {
    choice.budget--;
    const item = validValue(items, { ...choice, budget: 0 });
    const rich = choice.budget > 0 ? validValue(items, choice) : item;
    const key = identity(schema, rich);
    if (key !== undefined && seen.has(key)) continue;
    if (key !== undefined) seen.add(key);
    made.push(rich);
  }
  return made;
}

/** What no two items of a list may share; undefined where they may be equal. */
export function identity(schema: JSONSchemaProps, item: JsonValue): string | undefined {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return JSON.stringify(item);
  if (type !== 'map' || typeof item !== 'object' || item === null) return undefined;
  const fields = item as Record<string, JsonValue>;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return JSON.stringify(keys.map((key) => fields[key] ?? schema.items?.properties?.[key]?.default ?? null));
}

function validObject(schema: JSONSchemaProps, choice: Choice): Record<string, JsonValue> {
  const { random } = choice;
  const value: Record<string, JsonValue> = {};
  const set = (name: string, of: JSONSchemaProps): void => {
    // Not an assignment: a field may have any name, `__proto__` too.
    Object.defineProperty(value, name, {
      value: validValue(of, choice),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  };
  const properties = schema.properties ?? {};
  const { needed, excluded } = junctorNeeds(schema, random);
  const required = new Set([...(schema.required ?? []), ...needed]);
  if (schema['x-kubernetes-embedded-resource'] === true) {
    value['apiVersion'] = 'v1';
    value['kind'] = 'ConfigMap';
    value['metadata'] = { name: 'embedded', labels: { a: 'b' } };
  }
  for (const [name, property] of random.shuffle(Object.entries(properties))) {
    if (Object.hasOwn(value, name)) continue;
    if (required.has(name)) set(name, property);
    else if (!excluded.has(name) && choice.budget > 0 && isWanted(choice)) {
      choice.budget--;
      set(name, property);
    }
  }
  for (const name of required) if (!Object.hasOwn(value, name)) value[name] = 'undeclared';
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    const count = Math.max(
      schema.minProperties ?? 0,
      Math.min(schema.maxProperties ?? 2, choice.richness === 'required' ? 0 : 2),
    );
    for (let index = 0; index < count; index++)
      set(random.pick(['a', 'key', 'x-y.z/w', 'UPPER']) + index, additionalProperties);
  }
  return value;
}

function isWanted({ richness, random }: Choice): boolean {
  return richness === 'all' || (richness === 'some' && random.chance(0.35));
}

/** What one branch of each `oneOf` and `anyOf` requires, and what the other branches of `oneOf` require. */
function junctorNeeds(
  schema: JSONSchemaProps,
  random: Random,
): { readonly needed: string[]; readonly excluded: Set<string> } {
  const needed: string[] = [];
  const excluded = new Set<string>();
  for (const part of [schema, ...(schema.allOf ?? [])]) {
    for (const branches of [part.oneOf, part.anyOf]) {
      if (branches === undefined || branches.length === 0) continue;
      const chosen = random.pick(branches);
      needed.push(...(chosen.required ?? []));
      if (branches === part.anyOf) continue;
      for (const branch of branches)
        if (branch !== chosen)
          for (const name of branch.required ?? [])
            if (chosen.required?.includes(name) !== true) excluded.add(name);
    }
    for (const name of part.not?.required ?? []) excluded.add(name);
    for (const branch of part.not?.anyOf ?? []) for (const name of branch.required ?? []) excluded.add(name);
  }
  return { needed, excluded };
}
