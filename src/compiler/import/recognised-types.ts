import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';
import { fieldSetsOf, tableNamesEverOf, tableSchema } from '../../kubernetes/tables/index.ts';
import { embeddedFiles, FEWEST_PARTS, fieldNames, parts } from './known-types.ts';

/** Types of the API server's answers, which no kind embeds. */
const notEmbedded = /\.(?:Status|StatusDetails|StatusCause)$/;

let index: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * The built-in type that an object is a form of: that of any release of Kubernetes, as any version of controller-gen wrote it. Good for
 * its name, not for its schema, which may differ from today's in descriptions, list types, defaults, and fields of fields.
 *
 * @param expected the type that is there in the object around, if that is recognised
 * @returns the table's name; undefined if no type, or more than one, has these fields
 */
export function recognisedType(schema: JSONSchemaProps, expected?: string): string | undefined {
  const fields = fieldNames(schema.properties);
  if (expected !== undefined && fieldSetsOf(expected).includes(fields)) return expected;
  if (parts(schema) < FEWEST_PARTS || !fields.includes(' ')) return undefined;
  index ??= createIndex();
  const [only, second] = (index.get(fields) ?? []).filter((name) => isAlike(schema, name));
  return second === undefined ? only : undefined;
}

/** The type of a field of a recognised type, of its items or values; undefined for scalars and for fields that today's type lacks. */
export function typeOfField(name: string, field: string): string | undefined {
  const { properties = {} } = tableSchema(name) ?? {};
  let schema = Object.hasOwn(properties, field) ? properties[field] : undefined;
  while (schema !== undefined && schema.$ref === undefined)
    schema = schema.items ?? schema.additionalProperties;
  return schema?.$ref;
}

/** Short name of a type: `io.k8s.api.core.v1.PodSpec` is `PodSpec`. */
export function typeNameOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function createIndex(): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>();
  for (const name of embeddedFiles.flatMap(tableNamesEverOf)) {
    if (notEmbedded.test(name)) continue;
    for (const fields of fieldSetsOf(name)) map.set(fields, [...(map.get(fields) ?? []), name]);
  }
  return map;
}

/** True if the fields that today's type also has are of its types. */
function isAlike({ properties = {} }: JSONSchemaProps, name: string): boolean {
  const known = tableSchema(name)?.properties ?? {};
  return Object.entries(properties).every(([field, { type }]) => {
    const wanted = Object.hasOwn(known, field) ? known[field] : undefined;
    if (wanted === undefined || type === undefined) return true;
    return wanted.$ref === undefined ? wanted.type === type : isReferenceTo(wanted.$ref, type);
  });
}

function isReferenceTo(name: string, type: string): boolean {
  const referred = tableSchema(name);
  return referred?.type === undefined || referred.type === type;
}
