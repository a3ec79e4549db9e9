import { asText, isJsonMap, jsonListOf, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';

/** The part of a bundle by which OLM v1 decides if it can install it. */
export interface OlmV1Input {
  readonly csv: JsonMap;
  /** The documents of `metadata/dependencies.yaml` and `metadata/properties.yaml`, as far as there are any. */
  readonly dependencies?: JsonMap | undefined;
  readonly properties?: JsonMap | undefined;
}

/** A reason why OLM v1 would refuse a ClusterExtension of a bundle. */
export interface OlmV1Problem {
  readonly document: keyof OlmV1Input;
  /** The field in that document. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly fix: readonly string[];
}

/** Properties by which a bundle asks for others. */
const dependencyProperties = ['olm.gvk.required', 'olm.package.required', 'olm.constraint'];

/**
 * Why OLM v1 would refuse a ClusterExtension of a bundle that OLM v0 installs.
 * Source: operator-controller `RegistryV1` bundle providers and its validations of dependencies.
 */
export function olmV1Problems(input: OlmV1Input): readonly OlmV1Problem[] {
  const problems: OlmV1Problem[] = [];
  const add = (document: keyof OlmV1Input, path: OlmV1Problem['path'], message: string, fix: string): void =>
    void problems.push({
      ...{ document, path, message: `OLM v1 will refuse this bundle: ${message}` },
      fix: [fix, 'or ignore this if the operator is for OLM v0 only'],
    });
  const spec = jsonMapOf(input.csv['spec']);
  const installsEverywhere = jsonListOf(spec['installModes']).some(
    (mode) => isJsonMap(mode) && mode['type'] === 'AllNamespaces' && mode['supported'] === true,
  );
  if (!installsEverywhere)
    add(
      'csv',
      ['spec', 'installModes'],
      'spec.installModes does not support AllNamespaces',
      'support AllNamespaces in the base, if the operator can watch all namespaces',
    );
  if (jsonListOf(jsonMapOf(spec['apiservicedefinitions'])['owned']).length > 0)
    add(
      'csv',
      ['spec', 'apiservicedefinitions', 'owned'],
      'it owns API services, which OLM v1 does not install',
      'serve the kinds by CustomResourceDefinitions',
    );
  if (jsonListOf(jsonMapOf(spec['customresourcedefinitions'])['required']).length > 0)
    add(
      'csv',
      ['spec', 'customresourcedefinitions', 'required'],
      'it requires kinds of other operators (spec.customresourcedefinitions.required), which OLM v1 does not install',
      'let people install the other operator first, and remove the entries',
    );
  const depends = (document: 'dependencies' | 'properties', path: OlmV1Problem['path']): void =>
    add(
      document,
      path,
      'it depends on other packages or kinds, which OLM v1 does not install',
      'let people install them first, and remove the entries',
    );
  if (jsonListOf(input.dependencies?.['dependencies']).length > 0) depends('dependencies', ['dependencies']);
  const asking = jsonListOf(input.properties?.['properties']).findIndex((item) =>
    dependencyProperties.includes(asText(jsonMapOf(item)['type'])),
  );
  if (asking >= 0) depends('properties', ['properties', asking]);
  return problems;
}
