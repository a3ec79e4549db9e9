import type { Json, JsonObject } from '../../src/kubernetes/objects/index.ts';
import { tableSchema } from '../../src/kubernetes/tables/index.ts';
import type { Random } from './random.ts';

type TableSchema = NonNullable<ReturnType<typeof tableSchema>>;

/** How random objects are made of the schema of a type. */
export interface RandomTypeOptions {
  /** Probability of a field that is not required. Default: 0.5. */
  readonly density?: number;
  /** Values of fields by name, in place of those of the schema. */
  readonly fields?: Readonly<Record<string, (random: Random) => Json>>;
}

const deepest = 7;
const quantities = ['1', '500m', '0.5', '1024Mi', '1Gi', '1000m', '2k', '0', '1e3', 3];

/** Returns a random object of a built-in type, such as `io.k8s.api.core.v1.PodSpec`; its fields fit the schema, not all of its rules. */
export function randomOfType(
  random: Random,
  type: string,
  options: RandomTypeOptions = {},
  depth = 0,
): JsonObject {
  const { density = 0.5, fields = {} } = options;
  const { properties = {}, required = [] } = tableSchema(type) ?? {};
  const object: JsonObject = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (depth === 0 && ['apiVersion', 'kind', 'metadata', 'status'].includes(name)) continue;
    if (!required.includes(name) && (depth >= deepest || !random.chance(density))) continue;
    const make = Object.hasOwn(fields, name) ? fields[name] : undefined;
    object[name] = make?.(random) ?? valueOf(random, schema, options, depth + 1);
  }
  return object;
}

function valueOf(random: Random, schema: TableSchema, options: RandomTypeOptions, depth: number): Json {
  const { $ref, items, additionalProperties, type, format } = schema;
  const length = depth >= deepest ? 0 : random.integer(0, 2);
  if ($ref !== undefined) return referenced(random, $ref, options, depth);
  if (items !== undefined) return Array.from({ length }, () => valueOf(random, items, options, depth));
  if (additionalProperties !== undefined)
    return Object.fromEntries(
      ['k', 'l']
        .slice(0, length)
        .map((name) => [name, valueOf(random, additionalProperties, options, depth)]),
    );
  if (schema.knownValues !== undefined && random.chance(0.8)) return random.pick(schema.knownValues);
  if (type === 'integer' || type === 'number') return random.pick([0, 0, 1, 2, 5, 30, -1, 65536]);
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'string')
    return format === 'byte' ? 'YQ==' : random.pick(['', 'a', 'b', 'a-b', 'x.example.com', 'A b']);
  return {};
}

function referenced(random: Random, type: string, options: RandomTypeOptions, depth: number): Json {
  if (type.endsWith('.Quantity')) return random.pick(quantities);
  if (type.endsWith('.IntOrString')) return random.pick<Json>([0, 1, 80, '50%', 'http']);
  if (type.endsWith('.Time') || type.endsWith('.MicroTime')) return null;
  if (type.endsWith('.ObjectMeta')) return random.pick<Json>([{}, { labels: { app: 'x' } }]);
  return randomOfType(random, type, options, depth);
}
