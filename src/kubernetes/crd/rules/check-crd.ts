import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { severityOf } from '../../../base/errors/index.ts';
import { formProblems } from '../document/form-problems.ts';
import { v1Form } from '../document/v1-form.ts';
import { withoutNull } from '../document/without-null.ts';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { checkColumns } from './columns.ts';
import { checkConversion } from './conversion.ts';
import { checkGroup, checkMetadata, checkNames } from './names.ts';
import { checkScale } from './scale.ts';
import { checkSchemaForm, checkVersionSchema } from './schema-violations.ts';
import { checkSelectableFields } from './selectable-fields.ts';
import { checkSize } from './size.ts';
import { checkDeprecation, checkVersions } from './versions.ts';
import { collect, type Violation } from './violation.ts';

/**
 * Judges a CustomResourceDefinition as the API server (1.36) does, all but what needs CEL to be compiled; and warns of what it accepts
 * and nobody can have meant. Everybody who takes a definition from somewhere asks here, and finds the places of the violations by
 * themselves: in TypeScript, in YAML, on a cluster.
 *
 * Source: apiextensions-apiserver `pkg/apis/apiextensions/validation/validation.go` `ValidateCustomResourceDefinition`.
 *
 * @param document plain JSON of apiextensions.k8s.io/v1; nothing else is taken for granted
 * @returns in the order of the document's parts; what breaks its form (`crd/form`) alone, for rules say nothing of what cannot be decoded
 */
export function checkCrd(document: JsonMap): readonly Violation[] {
  const forms = checkCrdForm(document);
  if (forms.some(({ code }) => severityOf(code) === 'error')) return forms;
  const crd = withoutNull(document) as JsonMap;
  const spec = jsonMapOf(crd['spec']);
  return [
    ...checkSize(crd),
    ...checkMetadata(crd),
    ...checkGroup(crd),
    ...checkNames(spec),
    ...collect('crd/preserve-unknown-fields', (add) => {
      if (spec['preserveUnknownFields'] === true)
        add(
          ['spec', 'preserveUnknownFields'],
          'spec.preserveUnknownFields must be false, got true',
          'write x-kubernetes-preserve-unknown-fields: true into the schema instead',
        );
    }),
    ...checkVersions(spec),
    ...jsonListOf(spec['versions']).flatMap((version, index) => checkVersion(jsonMapOf(version), index)),
    ...checkConversion(spec),
    ...forms,
  ];
}

function checkVersion(version: JsonMap, index: number): readonly Violation[] {
  const at = ['spec', 'versions', index];
  const schema = jsonMapOf(jsonMapOf(version['schema'])['openAPIV3Schema']);
  const hasStatus = isJsonMap(jsonMapOf(version['subresources'])['status']);
  const name = jsonTextOf(version['name']);
  const props = schema as JSONSchemaProps;
  return [
    ...checkDeprecation(version, at),
    ...checkVersionSchema(schema, { name, hasStatus }, [...at, 'schema', 'openAPIV3Schema']),
    ...checkScale(version, props, at),
    ...checkColumns(version, props, at),
    ...checkSelectableFields(version, props, at),
  ];
}

/**
 * Checks that a document can be read as a CustomResourceDefinition at all: values of the types that the API server decodes, and the fields
 * that everything else depends on. Fields that it drops are warnings.
 */
export function checkCrdForm(document: JsonMap): readonly Violation[] {
  const found = formProblems(v1Form, document).map(({ path, isKey, message, fix }): Violation => {
    if (!isKey) return { path, code: 'crd/form', message, fix };
    const dropped = `CustomResourceDefinition has no field ${path.join('.')}; the API server drops it`;
    return { path, code: 'crd/unknown-field', message: dropped, fix };
  });
  if (found.some(({ code }) => code === 'crd/form')) return found;
  return [...found, ...missing(jsonMapOf(document['spec']))];
}

function missing(spec: JsonMap): readonly Violation[] {
  const names = jsonMapOf(spec['names']);
  const versions = jsonListOf(spec['versions']).map(jsonMapOf);
  const ofForm = collect('crd/form', (add) => {
    for (const [path, value] of [
      [['spec', 'group'], spec['group']],
      [['spec', 'names', 'plural'], names['plural']],
      [['spec', 'names', 'kind'], names['kind']],
    ] as const)
      if (jsonTextOf(value) === '') add(path, `${path.join('.')} is missing`, 'write it');
    const { scope } = spec;
    if (scope !== 'Namespaced' && scope !== 'Cluster') {
      const found = jsonTextOf(scope) === '' ? 'nothing' : jsonTextOf(scope);
      add(
        ['spec', 'scope'],
        `spec.scope: expected Namespaced or Cluster, got ${found}`,
        'write one of the two',
      );
    }
    if (versions.length === 0)
      add(['spec', 'versions'], 'spec.versions is missing or empty', 'write the versions');
    for (const [index, { name, schema }] of versions.entries()) {
      const at = ['spec', 'versions', index];
      const shown = jsonTextOf(name) === '' ? `spec.versions[${index}]` : `the version ${jsonTextOf(name)}`;
      if (jsonTextOf(name) === '') add([...at, 'name'], `${shown} has no name`, 'write its name');
      if (!isJsonMap(jsonMapOf(schema)['openAPIV3Schema']))
        add([...at, 'schema'], `${shown} has no schema`, 'write schema.openAPIV3Schema');
    }
  });
  const ofSchemas = versions.flatMap(({ name, schema }, index) =>
    checkSchemaForm(jsonMapOf(jsonMapOf(schema)['openAPIV3Schema']), jsonTextOf(name), [
      ...['spec', 'versions', index],
      ...['schema', 'openAPIV3Schema'],
    ]),
  );
  return [...ofForm, ...ofSchemas];
}
