// The model as tables for src/kubernetes/tables: schemas and descriptions by type name, parsed only when asked for.
import { byCodePoint, placeOf, utilityTypes } from './names.mjs';

/** @returns {Record<string, string>} contents by path under src */
export function tableFiles(model) {
  const schemas = {};
  const descriptions = {};
  const prefixes = {};
  for (const [typeName, schema] of model.types) {
    if (utilityTypes.has(typeName)) continue;
    const { file, prefix } = placeOf(typeName);
    prefixes[file] = prefix;
    schemas[typeName] = JSON.stringify(withoutDescriptions(schema));
    descriptions[typeName] = JSON.stringify(descriptionsOf(schema));
  }
  const kinds = Object.fromEntries(
    model.kinds.map(({ group, version, kind, type }) => [
      `${group === '' ? '' : `${group}/`}${version} ${kind}`,
      type,
    ]),
  );
  const header = `// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes ${model.version}. Do not edit.\n\n`;
  return {
    'kubernetes/tables/generated/names.ts':
      header +
      constant(
        'kubernetesVersion',
        `'${model.version}'`,
        'The version of Kubernetes that the tables describe.',
        'string',
      ) +
      record('prefixes', prefixes, 'Prefix of the type names in a file under src/sdk/k8s/generated.') +
      record('kinds', kinds, 'The type of a kind, by `apiVersion kind`.'),
    'kubernetes/tables/generated/schemas.ts':
      header + record('schemas', schemas, 'A `TableSchema` as JSON, by type name.'),
    'kubernetes/tables/generated/descriptions.ts':
      header +
      record(
        'descriptions',
        descriptions,
        "JSON by type name: the type's own description under the empty key, its fields' by their names.",
      ),
  };
}

function withoutDescriptions(schema) {
  const { description: _, ...rest } = schema;
  if (rest.items !== undefined) rest.items = withoutDescriptions(rest.items);
  if (rest.additionalProperties !== undefined)
    rest.additionalProperties = withoutDescriptions(rest.additionalProperties);
  if (rest.properties !== undefined) {
    rest.properties = Object.fromEntries(
      Object.entries(rest.properties).map(([name, property]) => [name, withoutDescriptions(property)]),
    );
  }
  return rest;
}

function descriptionsOf({ description, properties = {} }) {
  const fields = Object.entries(properties).flatMap(([name, property]) =>
    property.description === undefined ? [] : [[name, property.description]],
  );
  return Object.fromEntries([...(description === undefined ? [] : [['', description]]), ...fields]);
}

const constant = (name, value, doc, type) => `/** ${doc} */\nexport const ${name}: ${type} = ${value};\n`;

function record(name, entries, doc) {
  const lines = Object.keys(entries)
    .sort(byCodePoint)
    .map((key) => `  ${literal(key)}: ${literal(entries[key])},\n`);
  return constant(name, `{\n${lines.join('')}}`, doc, 'Readonly<Record<string, string>>');
}

/** In single quotes: JSON is full of double ones. */
const literal = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
