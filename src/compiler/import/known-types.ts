import { tableSchema, tableTypesOf, type TableType } from '../../kubernetes/tables/index.ts';
import { fixedUtilityTypes, builtInSchema } from '../schema/index.ts';
import type { JSONSchemaProps, JsonValue } from '../../kubernetes/crd/index.ts';

/** An existing TypeScript type whose schema equals that of an object in a CRD. */
interface KnownType {
  readonly name: string;
  /** The module that exports it. */
  readonly from: string;
  /** Description of the type itself. If it is set, the type is used only for nodes that have a description. */
  readonly description?: string | undefined;
}

/**
 * Modules with types that operators embed in their kinds. Types of other modules are not searched, because they would match only by chance.
 */
export const embeddedFiles = [
  'core/v1',
  'apps/v1',
  'batch/v1',
  'networking/v1',
  'autoscaling/v2',
  'rbac/v1',
  'meta/v1',
];
/** Minimum number of parts of a schema that is compared with known types. Smaller schemas would match by chance. */
export const FEWEST_PARTS = 4;

type Candidate = { readonly known: KnownType; readonly schema: () => JSONSchemaProps | undefined };

let index: ReadonlyMap<string, readonly Candidate[]> | undefined;

/**
 * Returns the utility or built-in type whose schema equals that of an object. The comparison ignores the object's description, and keywords
 * that concern one use of the type. Returns undefined if zero or several types match.
 */
export function knownObjectType(schema: JSONSchemaProps): KnownType | undefined {
  index ??= createIndex();
  const candidates = index.get(fieldNames(schema.properties)) ?? [];
  if (candidates.length === 0) return undefined;
  const wanted = canonical(schema);
  const found = candidates.filter((candidate) => {
    const own = candidate.schema();
    return own !== undefined && canonical(own) === wanted;
  });
  const utility = found.filter(({ known }) => known.from === 'opsdk');
  const [only, second] = utility.length > 0 ? utility : found;
  return second === undefined ? only?.known : undefined;
}

// Index the types by their field names. These are known without expanding a type, which is expensive for types such as PodTemplateSpec.
function createIndex(): ReadonlyMap<string, readonly Candidate[]> {
  const map = new Map<string, Candidate[]>();
  const add = (names: string, candidate: Candidate): void => {
    map.set(names, [...(map.get(names) ?? []), candidate]);
  };
  for (const [name, make] of Object.entries(fixedUtilityTypes)) {
    const { properties } = make();
    if (properties !== undefined)
      add(fieldNames(properties), { known: { name, from: 'opsdk' }, schema: make });
  }
  for (const type of embeddedFiles.flatMap((file) => tableTypesOf(file))) {
    // No kind embeds the status of another. One that has only conditions equals many of them.
    if (type.typeName.endsWith('Status')) continue;
    const properties = tableSchema(type.name)?.properties;
    if (properties !== undefined) add(fieldNames(properties), builtIn(type));
  }
  return map;
}

function builtIn({ file, typeName }: TableType): Candidate {
  let schema: JSONSchemaProps | undefined | null = null;
  const isCondition = file === 'meta/v1' && typeName === 'Condition';
  const read = (): JSONSchemaProps | undefined => {
    if (schema !== null) return schema;
    const found = builtInSchema(file, typeName);
    const usable = 'schema' in found && (isCondition || parts(found.schema) >= FEWEST_PARTS);
    schema = usable ? found.schema : undefined;
    return schema;
  };
  return {
    schema: read,
    known: {
      name: typeName,
      from: isCondition ? 'opsdk' : `opsdk/k8s/${file}`,
      get description() {
        return read()?.description;
      },
    },
  };
}

export function fieldNames(properties: Readonly<Record<string, unknown>> | undefined): string {
  return Object.keys(properties ?? {})
    .sort()
    .join(' ');
}

export function parts(schema: JSONSchemaProps): number {
  const { properties = {}, items, additionalProperties } = schema;
  const inside = [...Object.values(properties), items, additionalProperties];
  return inside.reduce<number>((sum, part) => sum + (typeof part === 'object' ? parts(part) : 0), 1);
}

/** Keywords that concern a single use of a type, not the type itself. */
const ofTheUse = new Set(['description', 'default', 'example', 'nullable', 'title', 'externalDocs']);

/**
 * Serializes a schema, so that schemas that differ only in the order of names get the same text. At the top level, the keywords of {@link
 * ofTheUse} are omitted.
 */
function canonical(schema: JSONSchemaProps): string {
  const kept = Object.entries(schema).filter(([name]) => !ofTheUse.has(name));
  return text(Object.fromEntries(kept), '');
}

function text(value: JsonValue, name: string): string {
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => text(item, ''));
    return `[${(name === 'required' ? items.sort() : items).join()}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${text(item, key)}`).join()}}`;
}
