import { canonicalJson } from '../../../base/util/json-map.ts';
import { keepsUnknown, kindOf, propertiesOf, type Schema } from './schema-node.ts';

const core = 'io.k8s.api.core.v1';

/**
 * The references that Kubernetes' own kinds treat as one value, although they did not always: their fields, and the kinds of these.
 * Selectors are left out: several appliers may each add a label or an expression.
 */
export const atomicReferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'io.k8s.api.autoscaling.v1.CrossVersionObjectReference': strings('apiVersion', 'kind', 'name'),
  [`${core}.ConfigMapKeySelector`]: { ...strings('key', 'name'), optional: 'boolean' },
  [`${core}.FileKeySelector`]: { ...strings('key', 'path', 'volumeName'), optional: 'boolean' },
  [`${core}.LocalObjectReference`]: strings('name'),
  [`${core}.ObjectFieldSelector`]: strings('apiVersion', 'fieldPath'),
  [`${core}.ObjectReference`]: strings(
    ...['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'],
  ),
  [`${core}.ResourceFieldSelector`]: { ...strings('containerName', 'resource'), divisor: 'int-or-string' },
  [`${core}.SecretReference`]: strings('name', 'namespace'),
  [`${core}.TypedLocalObjectReference`]: strings('apiGroup', 'kind', 'name'),
  'io.k8s.api.networking.v1.ServiceBackendPort': { ...strings('name'), number: 'integer' },
  'io.k8s.api.rbac.v1.Subject': strings('apiGroup', 'kind', 'name', 'namespace'),
  'io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference': {
    ...strings('apiVersion', 'kind', 'name', 'uid'),
    ...{ blockOwnerDeletion: 'boolean', controller: 'boolean' },
  },
};

function strings(...fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, 'string']));
}

const known: ReadonlySet<string> = new Set(Object.values(atomicReferences).map(canonicalJson));

/** Returns true if an object has exactly the fields of a reference of Kubernetes, of the same kinds, and keeps no others. */
export function isKubernetesReference(schema: Schema): boolean {
  const isClosed =
    schema['additionalProperties'] === undefined &&
    !keepsUnknown(schema) &&
    schema['x-kubernetes-embedded-resource'] !== true;
  const kinds = Object.entries(propertiesOf(schema)).map(([name, field]) => [name, kindOf(field)]);
  return isClosed && known.has(canonicalJson(Object.fromEntries(kinds)));
}
