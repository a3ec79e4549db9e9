// What the type names of the OpenAPI documents mean.

const meta = 'io.k8s.apimachinery.pkg.apis.meta.';

/** Types that are no objects of their own: a utility type of src/sdk/api/types.ts stands for them. */
export const utilityTypes = new Map([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'Quantity'],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'IntOrString'],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', 'JsonObject'],
  ['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON', 'Json'],
  [`${meta}v1.Time`, 'DateTime'],
  [`${meta}v1.MicroTime`, 'DateTime'],
  [`${meta}v1.FieldsV1`, 'JsonObject'],
  [`${meta}v1.Patch`, 'JsonObject'],
]);

/** Written by hand in src/sdk/api/meta.ts, because users and the run time build on them. */
export const ownMetaTypes = ['Condition', 'ListMeta', 'ManagedFieldsEntry', 'ObjectMeta', 'OwnerReference'];

/** Go marshals these as one of two forms, which OpenAPI v3 does not say. */
export const unionTypes = new Map([
  ['JSONSchemaPropsOrArray', 'JSONSchemaProps | JSONSchemaProps[]'],
  ['JSONSchemaPropsOrBool', 'JSONSchemaProps | boolean'],
  ['JSONSchemaPropsOrStringArray', 'JSONSchemaProps | string[]'],
]);

/** The Go packages of Kubernetes' types, with what comes before the version. */
const packages = [
  /^(io\.k8s\.api\.([a-z0-9]+)\.)(v[a-z0-9]+)\.(\w+)$/,
  /^(io\.k8s\.apiextensions-apiserver\.pkg\.apis\.(apiextensions)\.)(v[a-z0-9]+)\.(\w+)$/,
  /^(io\.k8s\.kube-aggregator\.pkg\.apis\.(apiregistration)\.)(v[a-z0-9]+)\.(\w+)$/,
  /^(io\.k8s\.apimachinery\.pkg\.apis\.(meta)\.)(v[a-z0-9]+)\.(\w+)$/,
];

/**
 * `io.k8s.api.core.v1.Pod` → { file: 'core/v1', name: 'Pod', prefix: 'io.k8s.api.core.v1.' }.
 * The folder is the Go package, which is the first label of the group, or `core`.
 */
export function placeOf(typeName) {
  for (const pattern of packages) {
    const match = pattern.exec(typeName);
    if (match === null) continue;
    const [, before, folder, version, name] = match;
    return { file: `${folder}/${version}`, name, prefix: `${before}${version}.` };
  }
  throw new Error(`${typeName} is in no known package`);
}

/** The folder of a group: `networking.k8s.io` → `networking`, `` → `core`. */
export const folderOf = (group) => (group === '' ? 'core' : group.split('.')[0]);

export const byCodePoint = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
