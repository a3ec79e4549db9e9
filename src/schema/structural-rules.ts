import { crdSchemaFields, type JSONSchemaProps } from './json-schema-props.ts';
import { misfit } from './tags/misfit.ts';
import { patternProblem } from './tags/re2.ts';

const types = ['string', 'integer', 'number', 'boolean', 'object', 'array'];
/** Inside of anyOf, oneOf, allOf and not. Source: apiextensions `structural/validation.go`. */
const refusedInJunctors = [
  'type',
  'description',
  'title',
  'default',
  'nullable',
  'additionalProperties',
] as const;

/**
 * What keeps a schema from being structural, as the API server (1.36) decides it, each with the path at which it stands. For what a `@k8s`
 * tag adds; schemas made from types are structural by construction.
 */
export function structuralProblems(schema: JSONSchemaProps, path = ''): string[] {
  return [
    ...typeProblems(schema),
    ...objectProblems(schema),
    ...listProblems(schema),
    ...valueProblems(schema),
    ...junctorProblems(schema),
  ]
    .map((problem) => (path === '' ? problem : `${problem} (at ${path})`))
    .concat(
      children(schema).flatMap(([name, item]) =>
        structuralProblems(item, path === '' ? name : `${path}.${name}`),
      ),
    );
}

function children(schema: JSONSchemaProps): [string, JSONSchemaProps][] {
  return [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : ([['items', schema.items]] as [string, JSONSchemaProps][])),
    ...(typeof schema.additionalProperties === 'object'
      ? ([['additionalProperties', schema.additionalProperties]] as [string, JSONSchemaProps][])
      : []),
  ];
}

function typeProblems(schema: JSONSchemaProps): string[] {
  const unknown = Object.keys(schema).filter(
    (name) => !(crdSchemaFields as readonly string[]).includes(name),
  );
  if (unknown.length > 0) return [`a schema has no field ${unknown.join(', ')}`];
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  if (schema.type === undefined) {
    return intOrString || schema['x-kubernetes-preserve-unknown-fields'] === true
      ? []
      : ['a type is missing'];
  }
  if (intOrString) return ['x-kubernetes-int-or-string stands without a type'];
  return types.includes(schema.type)
    ? []
    : [`there is no type ${schema.type}; there are ${types.join(', ')}`];
}

function objectProblems(schema: JSONSchemaProps): string[] {
  const { properties, additionalProperties, required = [] } = schema;
  const problems: string[] = [];
  const both =
    properties !== undefined && additionalProperties !== undefined && additionalProperties !== true;
  if (both) problems.push('properties and additionalProperties exclude each other');
  if ((properties ?? additionalProperties) !== undefined && schema.type !== 'object') {
    problems.push('properties and additionalProperties need the type object');
  }
  if (schema.type === 'object' && properties !== undefined) {
    problems.push(
      ...required
        .filter((name) => !(name in properties))
        .map((name) => `the required field ${name} is not declared`),
    );
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    problems.push('x-kubernetes-preserve-unknown-fields is true or absent');
  }
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType !== undefined && (schema.type !== 'object' || !['granular', 'atomic'].includes(mapType))) {
    problems.push('x-kubernetes-map-type is granular or atomic, on an object');
  }
  const fields = properties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema['x-kubernetes-embedded-resource'] === true && (schema.type !== 'object' || !fields)) {
    problems.push(
      'x-kubernetes-embedded-resource needs the type object, and properties or x-kubernetes-preserve-unknown-fields',
    );
  }
  return problems;
}

function listProblems(schema: JSONSchemaProps): string[] {
  const listType = schema['x-kubernetes-list-type'];
  if (schema.type !== 'array') {
    return (listType ?? schema.items ?? schema['x-kubernetes-list-map-keys']) === undefined
      ? []
      : ['items and x-kubernetes-list-… need the type array'];
  }
  if (schema.items === undefined) return ['an array needs items'];
  if (listType !== undefined && !['map', 'set', 'atomic'].includes(listType))
    return ['x-kubernetes-list-type is map, set or atomic'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (listType !== 'map')
    return keys.length === 0 ? [] : ['x-kubernetes-list-map-keys needs the list type map'];
  return listMapProblems(schema.items, keys);
}

/** What keeps `keys` from identifying the items of a list of type map. Source: apiextensions `validation.go`. */
export function listMapProblems(items: JSONSchemaProps, keys: readonly string[]): string[] {
  if (keys.length === 0) return ['a list of type map needs keys'];
  if (items.type !== 'object') return ['the items of a list of type map are objects'];
  return keys.flatMap((key) => {
    const field = items.properties?.[key];
    if (field === undefined) return [`the items have no field ${key}`];
    if (!['string', 'integer', 'number', 'boolean'].includes(field.type ?? ''))
      return [`the key ${key} is not a plain value`];
    if (field.nullable === true) return [`the key ${key} is nullable`];
    const always = items.required?.includes(key) === true || field.default !== undefined;
    return always ? [] : [`the key ${key} is optional; make it required, or give it a @default`];
  });
}

function valueProblems(schema: JSONSchemaProps): string[] {
  const problems: string[] = [];
  const broken = schema.pattern === undefined ? undefined : patternProblem(schema.pattern);
  if (broken !== undefined) problems.push(`the pattern is not RE2: ${broken}`);
  const value = schema.default === undefined ? undefined : misfit(schema, schema.default);
  if (value !== undefined) problems.push(`the default does not fit: ${value}`);
  return problems;
}

function junctorProblems(schema: JSONSchemaProps): string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return [];
  const inside = [
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.not ? [schema.not] : []),
  ];
  return inside.flatMap((item) => {
    const names = Object.keys(item).filter(
      (name) => (refusedInJunctors as readonly string[]).includes(name) || name.startsWith('x-kubernetes-'),
    );
    return names.map((name) => `${name} cannot stand inside of allOf, anyOf, oneOf or not`);
  });
}
