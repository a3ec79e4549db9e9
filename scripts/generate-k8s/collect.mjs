// From OpenAPI documents to one model: every type once, in a canonical form, and every kind with its REST path.
import { realZeroDefaults, validation } from './go-markers.mjs';
import { byCodePoint, placeOf, utilityTypes } from './names.mjs';

/**
 * @typedef {object} Model
 * @property {string} version of Kubernetes, such as `1.36.3`
 * @property {Map<string, object>} types by OpenAPI name, without lists; see `canonical`
 * @property {{ group: string, version: string, kind: string, plural: string, namespaced: boolean, type: string }[]} kinds
 */

/** @returns {Model} */
export function collect(documents) {
  const types = new Map();
  const versions = new Set();
  const kinds = [];
  for (const document of documents.values()) {
    versions.add(document.info.version.replace(/^v/, ''));
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (isListOfKinds(schema)) continue;
      const type = canonical(schema, name);
      const known = types.get(name);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(type)) {
        throw new Error(`${name} differs between documents`);
      }
      types.set(name, type);
    }
    kinds.push(...kindsOf(document));
  }
  if (versions.size !== 1) throw new Error(`documents of several versions: ${[...versions].join(', ')}`);
  checkReferences(types);
  checkMarkers(types);
  return {
    version: [...versions][0],
    types: new Map([...types].sort(([a], [b]) => byCodePoint(a, b))),
    kinds: kinds.sort((a, b) => byCodePoint(a.type, b.type)),
  };
}

/** DeploymentList and its like: `KubeList<Deployment>` says the same. */
function isListOfKinds({ properties = {} }) {
  return properties.items !== undefined && refOf(properties.metadata)?.endsWith('.meta.v1.ListMeta') === true;
}

const refOf = (schema) => (schema?.$ref ?? schema?.allOf?.[0]?.$ref)?.split('/').at(-1);

const kept = [
  ...['type', 'format', 'description', 'required'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'],
  ...['x-kubernetes-patch-strategy', 'x-kubernetes-patch-merge-key'],
];
const known = new Set([
  ...kept,
  ...['properties', 'items', 'additionalProperties', 'allOf', '$ref', 'default', 'enum'],
  ...['x-kubernetes-group-version-kind', 'x-kubernetes-unions'],
]);

/**
 * A schema in our own form: keywords in one order; `$ref` holds a type name beside what overrides the type;
 * `enum` becomes `knownValues` (a later server may know more); defaults that are only Go's zero values are gone.
 */
function canonical(schema, typeName, path = '') {
  if (utilityTypes.has(typeName)) return { type: schema.type, description: schema.description };
  const result = {};
  const reference = refOf(schema);
  if (reference !== undefined) result.$ref = reference;
  for (const keyword of Object.keys(schema)) {
    if (!known.has(keyword)) throw new Error(`${typeName}${path}: unknown keyword ${keyword}`);
  }
  if (
    schema.allOf !== undefined &&
    (schema.allOf.length !== 1 || Object.keys(schema.allOf[0]).length !== 1)
  ) {
    throw new Error(`${typeName}${path}: allOf is more than a reference`);
  }
  for (const keyword of kept) {
    if (schema[keyword] !== undefined) result[keyword] = schema[keyword];
  }
  // Bytes are a list in Go and a string in JSON (APIServiceSpec.caBundle).
  if (schema.type === 'string') delete result['x-kubernetes-list-type'];
  if (schema.enum !== undefined) result.knownValues = schema.enum;
  if (schema.description !== undefined) result.description = withoutValues(schema.description);
  if (schema.items !== undefined) result.items = canonical(schema.items, typeName, `${path}[]`);
  if (schema.additionalProperties !== undefined) {
    result.additionalProperties = canonical(schema.additionalProperties, typeName, `${path}{}`);
  }
  if (schema.properties !== undefined) {
    result.properties = {};
    for (const name of Object.keys(schema.properties).sort(byCodePoint)) {
      const place = `${path}.${name}`;
      const property = canonical(schema.properties[name], typeName, place);
      const value = schema.properties[name].default;
      const isRequired = schema.required?.includes(name) === true;
      if (value !== undefined && isRealDefault(value, isRequired, typeName, name)) property.default = value;
      result.properties[name] = { ...property, ...validation.get(`${typeName}${place}`) };
    }
  }
  return result;
}

/**
 * Go's OpenAPI generator gives every field that is not a pointer its zero value as default. Such a default means nothing, and
 * in a CRD it would do harm: a required field would never be missing, and an enum would be violated.
 */
function isRealDefault(value, isRequired, typeName, property) {
  if (JSON.stringify(value) === '{}') return false;
  if (value !== '' && value !== 0 && value !== false) return true;
  return !isRequired && realZeroDefaults.has(`${typeName}.${property}`);
}

/** The values follow the description once more; for people, they are in the Go comment already. */
const withoutValues = (description) => description.replace(/\n\nPossible enum values:\n[\s\S]*$/, '');

/** The resources of a document that are no subresources, from its paths. */
function kindsOf(document) {
  const kinds = new Map();
  for (const [path, operations] of Object.entries(document.paths)) {
    const match = /^\/(?:api|apis\/[^/]+)\/[^/]+\/(namespaces\/\{namespace\}\/)?([a-z]+)\/?$/.exec(path);
    const operation = operations.post ?? operations.get;
    if (match === null || !['list', 'post'].includes(operation?.['x-kubernetes-action'])) continue;
    const { group, version, kind } = operation['x-kubernetes-group-version-kind'];
    const [, namespace, plural] = match;
    const namespaced = namespace !== undefined || kinds.get(plural)?.namespaced === true;
    kinds.set(plural, {
      group,
      version,
      kind,
      plural,
      namespaced,
      type: typeOf(document, group, version, kind),
    });
  }
  return [...kinds.values()];
}

function typeOf(document, group, version, kind) {
  const names = Object.entries(document.components.schemas)
    .filter(([name, schema]) => {
      const own = schema['x-kubernetes-group-version-kind'] ?? [];
      return (
        placeName(name) === kind &&
        own.some((one) => one.group === group && one.version === version && one.kind === kind)
      );
    })
    .map(([name]) => name);
  if (names.length !== 1) throw new Error(`${group}/${version} ${kind} has ${names.length} types`);
  return names[0];
}

const placeName = (typeName) => (utilityTypes.has(typeName) ? undefined : placeOf(typeName).name);

function checkReferences(types) {
  const check = (schema, place) => {
    if (schema === null || typeof schema !== 'object') return;
    if (typeof schema.$ref === 'string' && !types.has(schema.$ref))
      throw new Error(`${place}: no type ${schema.$ref}`);
    for (const [key, value] of Object.entries(schema)) check(value, `${place}.${key}`);
  };
  for (const [name, schema] of types) check(schema, name);
}

/** A marker whose field is gone would be lost without a word. */
function checkMarkers(types) {
  for (const place of [...validation.keys(), ...realZeroDefaults]) {
    const cut = place.lastIndexOf('.');
    if (types.get(place.slice(0, cut))?.properties[place.slice(cut + 1)] === undefined) {
      throw new Error(`go-markers.mjs: unknown field ${place}`);
    }
  }
}
