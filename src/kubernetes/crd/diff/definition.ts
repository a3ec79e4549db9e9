import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap, isJsonMap } from '../../../base/util/json-map.ts';
import type { Where } from '../../../base/errors/index.ts';
import type { Schema } from './schema-node.ts';

/** A CustomResourceDefinition in the form in which it is compared: apiVersion v1 and well-formed. */
export interface Definition {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly group: string;
  readonly scope: string;
  readonly names: JsonMap;
  readonly conversion: JsonMap;
  /** The versions, in the order of `spec.versions`. */
  readonly versions: readonly DefinitionVersion[];
  /**
   * Versions in which objects may be stored: those in `status.storedVersions`, if the definition was read from a cluster, and the storage
   * version.
   */
  readonly storedVersions: readonly string[];
  /**
   * Value of `spec.preserveUnknownFields`. If it is true, unknown fields are kept at every depth; the schemas then contain the equivalent
   * keyword, too.
   */
  readonly keepsUnknown: boolean;
  /**
   * Returns the location of a path in the source file or object. For a missing part, returns the location where it would be. The path
   * consists of keys of a v1 definition.
   */
  readonly locate: (path: readonly (string | number)[]) => Where;
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string;
  readonly schema: Schema;
  readonly hasStatus: boolean;
  readonly scale: JsonMap | undefined;
  readonly printerColumns: readonly unknown[];
  /** JSON paths of the selectable fields. */
  readonly selectableFields: readonly string[];
}

/**
 * Converts a document to a definition that can be compared.
 * @param document a v1 CustomResourceDefinition in which `checkDefinition` finds no problems
 * @param keepsUnknown true for `preserveUnknownFields: true`, also in a v1beta1 definition that was converted
 */
export function definitionOf(
  document: JsonMap,
  keepsUnknown: boolean,
  locate: Definition['locate'],
): Definition {
  const metadata = jsonMapOf(document['metadata']);
  const spec = jsonMapOf(document['spec']);
  const names = jsonMapOf(spec['names']);
  const kind = jsonTextOf(names['kind']);
  const versions = jsonListOf(spec['versions']).map((version) => versionOf(jsonMapOf(version), keepsUnknown));
  const stored = jsonListOf(jsonMapOf(document['status'])['storedVersions']).map(jsonTextOf);
  return {
    name: jsonTextOf(metadata['name']),
    labels: textsOf(metadata['labels']),
    annotations: textsOf(metadata['annotations']),
    group: jsonTextOf(spec['group']),
    scope: jsonTextOf(spec['scope']),
    // Apply the defaults of the API server.
    names: { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names },
    conversion: { strategy: 'None', ...jsonMapOf(spec['conversion']) },
    versions,
    storedVersions: [
      ...new Set([...stored, ...versions.filter(({ storage }) => storage).map(({ name }) => name)]),
    ],
    keepsUnknown,
    locate,
  };
}

function versionOf(version: JsonMap, keepsUnknown: boolean): DefinitionVersion {
  const subresources = jsonMapOf(version['subresources']);
  const schema = jsonMapOf(jsonMapOf(version['schema'])['openAPIV3Schema']);
  return {
    name: jsonTextOf(version['name']),
    served: version['served'] === true,
    storage: version['storage'] === true,
    deprecated: version['deprecated'] === true,
    deprecationWarning: jsonTextOf(version['deprecationWarning']),
    schema: withoutNulls(keepsUnknown ? keepUnknownFields(schema) : schema),
    hasStatus: subresources['status'] !== undefined && subresources['status'] !== null,
    scale: isFilled(subresources['scale']) ? jsonMapOf(subresources['scale']) : undefined,
    printerColumns: jsonListOf(version['additionalPrinterColumns']),
    selectableFields: jsonListOf(version['selectableFields']).map((field) =>
      jsonTextOf(jsonMapOf(field)['jsonPath']),
    ),
  };
}

const isFilled = (value: unknown): boolean => Object.keys(jsonMapOf(value)).length > 0;

function textsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(jsonMapOf(value)).map(([key, text]) => [key, jsonTextOf(text)]));
}

/** Keywords whose value is data, in which null is a value like any other. */
const data: readonly string[] = ['default', 'example', 'enum'];

/** Returns the schema without keywords whose value is null, because the API server treats null as absent. */
function withoutNulls(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([, value]) => value !== null)
      .map(([keyword, value]) => [keyword, data.includes(keyword) ? value : inner(value)]),
  );
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner);
  return isJsonMap(value) ? withoutNulls(value) : value;
}

/** Adds the equivalent of `spec.preserveUnknownFields: true` to a schema, so that no unknown field is pruned. */
function keepUnknownFields(schema: Schema): Schema {
  const { items, additionalProperties } = schema;
  const properties = Object.entries(jsonMapOf(schema['properties'])).map(
    ([name, field]) => [name, keepUnknownFields(jsonMapOf(field))] as const,
  );
  const isOpen = ['object', ''].includes(jsonTextOf(schema['type'])) && !isJsonMap(additionalProperties);
  return {
    ...schema,
    ...(isOpen && schema['x-kubernetes-int-or-string'] !== true
      ? { 'x-kubernetes-preserve-unknown-fields': true }
      : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(isJsonMap(items) ? { items: keepUnknownFields(items) } : {}),
    ...(isJsonMap(additionalProperties)
      ? { additionalProperties: keepUnknownFields(additionalProperties) }
      : {}),
  };
}
