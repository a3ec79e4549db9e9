import {
  asText,
  isJsonMap,
  jsonListOf,
  jsonMapOf,
  type JsonMap,
  compareCodeUnits,
} from '../../base/util/json-map.ts';
import type { FindingList } from '../../base/errors/index.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';
import { describeObject, type ManifestObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';

/** Parts of a bundle that determine if OLM v1 can install it. */
interface OlmV1Input {
  readonly csv: JsonMap;
  /** Contents of `metadata/dependencies.yaml` and `metadata/properties.yaml`; undefined if the bundle lacks the file. */
  readonly dependencies?: JsonMap | undefined;
  readonly properties?: JsonMap | undefined;
}

/** A reason why OLM v1 would refuse to install a ClusterExtension of a bundle. */
interface OlmV1Problem {
  readonly document: keyof OlmV1Input;
  /** Path of the field in `document`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly fix: readonly string[];
}

/** Types of properties and dependencies by which a bundle requires other bundles. */
const dependencyProperties = ['olm.gvk.required', 'olm.package.required', 'olm.constraint'];

/**
 * Returns the reasons why OLM v1 would refuse a ClusterExtension of a bundle that OLM v0 installs. Source: operator-controller `RegistryV1`
 * bundle providers and its validations of dependencies.
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

/** An object of the bundle, with the name of its file in `manifests/`. */
export interface BundleManifest {
  /** File name without folder. */
  readonly file: string;
  readonly document: JsonMap;
}

/** Maximum length of a file name in Linux file systems, in bytes. */
const MOST_OF_FILE_NAME = 255;

/** Fields that are removed from `metadata`: fields that the API server writes, and the namespace, because OLM chooses it. */
const clusterFields = [
  'creationTimestamp',
  'generation',
  'managedFields',
  'namespace',
  'ownerReferences',
  'resourceVersion',
  'selfLink',
  'uid',
];

/**
 * Returns the objects as files of `manifests/`, sorted by file name. Removes the namespaces of objects, because OLM chooses the namespace.
 * Reports `bundle/foreign-namespace` for objects that name another namespace than the one into which OLM would install them.
 */
export function manifestFiles(
  findings: FindingList,
  objects: readonly PlacedObject[],
  namespace: string | undefined,
): readonly BundleManifest[] {
  const files = new Map<string, PlacedObject>();
  for (const placed of objects) {
    const { object, where } = placed;
    const own = object.metadata.namespace;
    if (own !== undefined && namespace !== undefined && own !== namespace) {
      findings.add({
        code: 'bundle/foreign-namespace',
        message: `${describeObject(object)} is not in the operator's namespace ${namespace}, but OLM would install it there`,
        where,
        fix: [
          `put it into ${namespace}, or remove it from the bundle and let the operator create it where it belongs`,
        ],
      });
    }
    const file = manifestFileName(object);
    if (Buffer.byteLength(file) > MOST_OF_FILE_NAME)
      findings.add({
        code: 'bundle/invalid-object',
        message: `${describeObject(object)}: metadata.name is too long for the name of a file`,
        where,
        fix: ['shorten the name'],
      });
    const other = files.get(file);
    if (other === undefined) {
      files.set(file, placed);
      continue;
    }
    findings.add({
      code: 'bundle/duplicate-object',
      message: `${describeObject(object)} and ${describeObject(other.object)} are the same object once OLM installs them into one namespace`,
      where,
      fix: ['rename one of the two'],
    });
  }
  return [...files]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([file, { object }]) => ({ file, document: withoutClusterFields(object) }));
}

/**
 * Returns the file name of an object, as operator-sdk chooses it: `<group>_<plural>.yaml` for CustomResourceDefinitions, otherwise
 * `<name>[_<group>]_<version>_<kind>.yaml`.
 */
function manifestFileName(object: ManifestObject): string {
  const { apiVersion, kind, metadata } = object;
  if (kind === 'CustomResourceDefinition') {
    const dot = metadata.name.indexOf('.');
    return `${metadata.name.slice(dot + 1)}_${metadata.name.slice(0, dot)}.yaml`;
  }
  const group = groupOf(apiVersion);
  const version = group === '' ? apiVersion : apiVersion.slice(group.length + 1);
  const name = metadata.name.replaceAll(':', '-');
  return `${[name, ...(group === '' ? [] : [group]), version, kind.toLowerCase()].join('_')}.yaml`;
}

function withoutClusterFields(object: ManifestObject): JsonMap {
  const { status: _status, ...rest } = object as JsonMap;
  const metadata = isJsonMap(rest['metadata']) ? rest['metadata'] : {};
  return {
    ...rest,
    metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => !clusterFields.includes(key))),
  };
}
