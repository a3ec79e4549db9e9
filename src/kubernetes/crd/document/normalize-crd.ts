import {
  crdSchemaFields,
  isObject,
  type Json,
  type JsonObject,
  type JSONSchemaProps,
} from '../../objects/index.ts';

/** Difference between two CRDs, at a path such as `spec.versions[0].schema.openAPIV3Schema.properties.spec.type`. */
export interface CrdDifference {
  readonly path: string;
  /** Value in the left CRD; undefined if only the right CRD has a value. */
  readonly left: Json | undefined;
  readonly right: Json | undefined;
}

/** Annotations that tools set. Normalisation ignores them. */
const toolAnnotations = new Set([
  'controller-gen.kubebuilder.io/version',
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/** Returns the labels or annotations of the CRD itself, without the annotations that tools set; undefined if none remain. */
export function ownMetadata(values: unknown): Record<string, string> | undefined {
  if (!isObject(values as Json)) return undefined;
  const kept = Object.entries(values as Record<string, unknown>).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !toolAnnotations.has(entry[0]),
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/**
 * Normalises a CRD, so that equivalent CRDs have the same normal form. Removes the status, and metadata that servers and tools set. Fills
 * in the names that the API server defaults. Removes explicit defaults (`null`, `nullable: false`, `priority: 0`, `conversion` None). Sorts
 * `required`, and removes keywords that the API server does not know and drops.
 *
 * @param crd a CustomResourceDefinition of apiextensions.k8s.io/v1; it is not changed
 */
export function normalizeCrd(crd: unknown): JsonObject {
  const { metadata, spec } = recordOf(crd);
  const { name, labels, annotations } = recordOf(metadata);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: compact({
      name: name ?? null,
      labels: ownMetadata(labels) ?? null,
      annotations: ownMetadata(annotations) ?? null,
    }),
    spec: normalizeSpec(recordOf(spec)),
  };
}

function normalizeSpec(spec: JsonObject): JsonObject {
  const { names, versions, conversion, preserveUnknownFields, ...rest } = withoutNull(spec);
  return compact({
    ...rest,
    names: normalizeNames(recordOf(names)),
    versions: listOf(versions).map((version) => normalizeVersion(recordOf(version))),
    conversion: recordOf(conversion)['strategy'] === 'None' ? null : (deepWithoutNull(conversion) ?? null),
    preserveUnknownFields: preserveUnknownFields === true ? true : null,
  });
}

function normalizeNames(names: JsonObject): JsonObject {
  const { kind } = names;
  const text = typeof kind === 'string' ? kind : '';
  return withoutEmpty({ singular: text.toLowerCase(), listKind: `${text}List`, ...withoutEmpty(names) });
}

function normalizeVersion(version: JsonObject): JsonObject {
  const { schema, additionalPrinterColumns, deprecated, subresources, ...rest } = withoutNull(version);
  const root = recordOf(schema)['openAPIV3Schema'];
  return withoutEmpty({
    served: false,
    storage: false,
    ...rest,
    deprecated: deprecated === true ? true : null,
    schema: isObject(root) ? { openAPIV3Schema: normalizeSchema(root) as JsonObject } : null,
    subresources: deepWithoutNull(subresources) ?? null,
    additionalPrinterColumns: Array.isArray(additionalPrinterColumns)
      ? additionalPrinterColumns.map((column) => normalizeColumn(recordOf(column)))
      : null,
  });
}

function normalizeColumn(column: JsonObject): JsonObject {
  const { priority, ...others } = withoutEmpty(column);
  return compact({ ...others, priority: priority === 0 ? null : (priority ?? null) });
}

/** Boolean keywords for which false means the same as an absent keyword. */
const flags: ReadonlySet<string> = new Set([
  'nullable',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'uniqueItems',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
]);
const known: ReadonlySet<string> = new Set(crdSchemaFields);
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

/** Normalises a schema and its subschemas, as {@link normalizeCrd} does for a CRD. */
export function normalizeSchema(schema: JSONSchemaProps): JSONSchemaProps {
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(schema as JsonObject)) {
    if (name === 'default' || name === 'example') result[name] = value;
    else if (value !== null && known.has(name) && !(value === false && flags.has(name)))
      result[name] = normalizeKeyword(name, value);
  }
  return result;
}

function normalizeKeyword(name: string, value: Json): Json {
  if (name === 'properties' && isObject(value)) return mapValues(value, subschema);
  if (name === 'items' || name === 'additionalProperties' || name === 'not') return subschema(value);
  if (lists.has(name) && Array.isArray(value)) return (value as readonly Json[]).map(subschema);
  if (name === 'required' && Array.isArray(value)) return [...(value as string[])].sort();
  if (name === 'x-kubernetes-validations') return listOf(value).map((rule) => withoutNull(recordOf(rule)));
  return name === 'externalDocs' ? withoutNull(recordOf(value)) : value;
}

function subschema(value: Json): Json {
  return isObject(value) ? (normalizeSchema(value) as JsonObject) : value;
}

/**
 * Returns the differences between the normal forms of two CRDs.
 * @returns the differences in the order of their paths; empty if the CRDs are equivalent
 */
export function compareCrds(left: unknown, right: unknown): readonly CrdDifference[] {
  return [...differences(normalizeCrd(left), normalizeCrd(right), '')];
}

function* differences(
  left: Json | undefined,
  right: Json | undefined,
  path: string,
): Generator<CrdDifference> {
  if (isObject(left) && isObject(right)) {
    for (const name of [...new Set([...Object.keys(left), ...Object.keys(right)])].sort())
      yield* differences(own(left, name), own(right, name), path + step(name, path));
  } else if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    for (const [index, item] of left.entries()) yield* differences(item, right[index], `${path}[${index}]`);
  } else if (!sameJson(left, right)) yield { path, left, right };
}

function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function step(name: string, path: string): string {
  if (!/^[\w$-]+$/.test(name)) return `[${JSON.stringify(name)}]`;
  return path === '' ? name : `.${name}`;
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function recordOf(value: unknown): JsonObject {
  return isObject(value as Json) ? (value as JsonObject) : {};
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

// Builds the object from entries, because assigning a field called `__proto__` would set the prototype.
function mapValues(object: JsonObject, convert: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, convert(value)]));
}

function withoutNull(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** Removes null fields. In this file, null marks a field to omit; the alias states this intent. */
const compact = withoutNull;

function withoutEmpty(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== ''));
}

function deepWithoutNull(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => deepWithoutNull(item) ?? null);
  if (!isObject(value)) return value;
  return mapValues(withoutNull(value), (item) => deepWithoutNull(item) ?? null);
}
