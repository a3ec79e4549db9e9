import type { FindingList } from '../errors/index.ts';
import { asText, isJsonMap, jsonListOf, jsonMapOf, type JsonMap } from '../util/json-map.ts';
import type { PlacedObject } from '../yaml/index.ts';
import type { MetadataSource } from './metadata-files.ts';

/** Properties by which a bundle asks for others. */
const dependencyProperties = ['olm.gvk.required', 'olm.package.required', 'olm.constraint'];

/**
 * Notes, as warnings, why OLM v1 would refuse a ClusterExtension of the bundle, which OLM v0 installs.
 * Source: operator-controller `RegistryV1` bundle providers and its validations of dependencies.
 * @param csv the generated ClusterServiceVersion
 * @param base where it comes from, for places
 */
export function checkOlmV1(
  warnings: FindingList,
  csv: JsonMap,
  { base, metadata }: { readonly base: PlacedObject; readonly metadata: readonly MetadataSource[] },
): void {
  const spec = jsonMapOf(csv['spec']);
  const warn = (message: string, fix: string, where: PlacedObject['where'] = base.where): void =>
    warnings.add({
      code: 'bundle/not-for-olm-v1',
      message: `OLM v1 will refuse this bundle: ${message}`,
      where,
      fix: [fix, 'or ignore this if the operator is for OLM v0 only'],
    });
  const installsEverywhere = jsonListOf(spec['installModes']).some(
    (mode) => isJsonMap(mode) && mode['type'] === 'AllNamespaces' && mode['supported'] === true,
  );
  if (!installsEverywhere)
    warn(
      'spec.installModes does not support AllNamespaces',
      'support AllNamespaces in the base, if the operator can watch all namespaces',
    );
  if (jsonListOf(jsonMapOf(spec['apiservicedefinitions'])['owned']).length > 0)
    warn(
      'it owns API services, which OLM v1 does not install',
      'serve the kinds by CustomResourceDefinitions',
    );
  const required = jsonListOf(jsonMapOf(spec['customresourcedefinitions'])['required']);
  if (required.length > 0)
    warn(
      'it requires kinds of other operators (spec.customresourcedefinitions.required), which OLM v1 does not install',
      'let people install the other operator first, and remove the entries',
    );
  for (const { source, document } of metadata) {
    const asks = [
      ...jsonListOf(document['dependencies']),
      ...jsonListOf(document['properties']).filter((item) =>
        dependencyProperties.includes(asText(jsonMapOf(item)['type'])),
      ),
    ];
    if (asks.length > 0)
      warn(
        'it depends on other packages or kinds, which OLM v1 does not install',
        'let people install them first, and remove the entries',
        { file: source },
      );
  }
}
