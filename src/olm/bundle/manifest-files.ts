import type { FindingList } from '../../base/errors/index.ts';
import { groupOf } from '../../base/util/api-version.ts';
import { describeObject, type ManifestObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { type JsonMap, compareCodeUnits, isJsonMap } from '../../base/util/json-map.ts';

/** An object as a file of `manifests/`. */
export interface BundleManifest {
  /** Without folder. */
  readonly file: string;
  readonly document: JsonMap;
}

/** In bytes, of the file systems of Linux. */
const MOST_OF_FILE_NAME = 255;

/** Fields that the API server writes into objects, and the namespace, which OLM chooses. */
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
 * The objects as files of `manifests/`, in the order of their names. Namespaces are removed: OLM chooses them.
 * Notes `bundle/foreign-namespace` for what would come into another namespace than it says.
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

/** The name of an object's file, as operator-sdk chooses it: `<group>_<plural>.yaml` or `<name>[_<group>]_<version>_<kind>.yaml`. */
export function manifestFileName(object: ManifestObject): string {
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
