/**
 * Runs together with the user's schema, in a script without modules, and outputs only a description of the schema in JSON. It also collects
 * the facts that a library may omit from its JSON Schema, because the library's own objects exist only in this script.
 */
import { arktypeLosses } from './arktype-losses.ts';
import {
  zodLosses,
  plainFields,
  type Addition,
  type Inspection,
  type Loss,
  type Unknown,
  lost,
} from './losses-of-libraries.ts';

export type SchemaDescription =
  | { readonly schema: unknown; readonly losses: readonly Loss[] }
  /** It is not a schema; `vendor` if it is one of a library, but without JSON Schema. */
  | { readonly missing: 'schema' | 'json-schema'; readonly vendor?: string }
  /** The library refuses it. */
  | { readonly refused: string; readonly losses: readonly Loss[] };

/**
 * Key of a property that a library function's wrapper adds to the function's result. The property contains the schema that was passed to
 * the function.
 */
export const original = Symbol.for('opsdk.schema');

/** @returns a `SchemaDescription` of the schema, in JSON */
export function describeSchema(schema: unknown): string {
  return JSON.stringify(descriptionOf(schema));
}

function descriptionOf(given: unknown): SchemaDescription {
  const schema = plainFields(given);
  const standard = plainFields(schema?.['~standard']);
  if (schema === undefined || standard === undefined) return { missing: 'schema' };
  const vendor = String(standard['vendor']);
  const input = plainFields(standard['jsonSchema'])?.['input'];
  if (typeof input !== 'function') return { missing: 'json-schema', vendor };
  const { losses, additions } = inspect(schema, vendor);
  try {
    const json = (input as (options: unknown) => unknown)({ target: 'draft-2020-12' });
    const unplaced = additions
      .filter((addition) => !place(json, addition))
      .map(({ path, keyword }) => ({
        path,
        what: `\`${keyword}\` in a union, which the JSON Schema of the library leaves out`,
        fix: 'leave it out, or write the union as one object',
      }));
    return { schema: json, losses: [...losses, ...unplaced] };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error), losses };
  }
}

function inspect(schema: Unknown, vendor: string): Inspection {
  if (vendor === 'arktype') return arktypeLosses(schema);
  if (vendor === 'valibot')
    return valibotLosses(plainFields((schema as { readonly [original]?: unknown })[original]) ?? schema);
  return { losses: vendor === 'zod' ? zodLosses(schema) : [], additions: [] };
}

/** Writes an addition into a JSON Schema. Returns false if the JSON Schema has no suitable part at the path of the addition. */
function place(json: unknown, { path, keyword, value }: Addition): boolean {
  let part = json;
  for (const step of path)
    part =
      step === '[]'
        ? plainFields(part)?.['items']
        : step === '{}'
          ? plainFields(part)?.['additionalProperties']
          : plainFields(plainFields(part)?.['properties'])?.[step];
  const target = plainFields(part);
  const isUnion = target?.['anyOf'] !== undefined || target?.['oneOf'] !== undefined;
  // A default is allowed for an entire union. Any other addition to a union is refused.
  if (target === undefined || (isUnion && keyword !== 'default')) return false;
  (target as Record<string, unknown>)[keyword] = value;
  return true;
}

type Path = readonly string[];

/** Names of valibot's transformations that change only the TypeScript type, not the values. */
const harmless: ReadonlySet<unknown> = new Set(['brand', 'flavor', 'readonly']);

/**
 * Finds parts that valibot silently omits from its JSON Schema. Custom checks are not included, since valibot itself reports an error for
 * them.
 */
export function valibotLosses(schema: Unknown): Inspection {
  const losses: Loss[] = [];
  const additions: Addition[] = [];
  const visiting = new Set<Unknown>();
  const visit = (value: unknown, path: Path): void => {
    const part = plainFields(value);
    if (part === undefined || visiting.has(part)) return;
    visiting.add(part);
    const pipe = list(part['pipe']);
    const transforms = pipe.some((action) => {
      const { kind, type } = plainFields(action) ?? {};
      return kind === 'transformation' && !harmless.has(type);
    });
    if (transforms) losses.push({ path, ...lost.transform });
    if (part['type'] === 'loose_object') additions.push({ path, keyword: 'additionalProperties', value: {} });
    if (part['fallback'] !== undefined) losses.push({ path, ...lost.fallback });
    // Skips the first item of a pipe, because it is the enclosing schema itself, without the pipe.
    for (const action of pipe.slice(1)) if (plainFields(action)?.['kind'] === 'schema') visit(action, path);
    for (const [step, inner] of partsOf(part)) visit(inner, step === undefined ? path : [...path, step]);
    visiting.delete(part);
  };
  visit(schema, []);
  return { losses, additions };
}

function partsOf(part: Unknown): readonly (readonly [string | undefined, unknown])[] {
  const getter = part['getter'];
  return [
    ...Object.entries(Array.isArray(part['entries']) ? {} : (plainFields(part['entries']) ?? {})),
    ['[]', part['item']],
    ...list(part['items']).map((item) => ['[]', item] as const),
    ['{}', part['value']],
    ['{}', part['rest']],
    [undefined, part['key']],
    [undefined, part['wrapped']],
    ...list(part['options']).map((option) => [undefined, option] as const),
    ...(part['type'] === 'lazy' && typeof getter === 'function'
      ? [[undefined, (getter as (input: unknown) => unknown)(undefined)] as const]
      : []),
  ];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
