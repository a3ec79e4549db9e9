import { jsonListOf, jsonTextOf, canonicalJson } from '../../../../base/util/json-map.ts';
import {
  hasRules,
  listTypeOf,
  mapTypeOf,
  type Schema,
  keepsUnknown,
  kindOf,
  propertiesOf,
} from '../schema-node.ts';
import type { Report } from '../change.ts';
import type { NodePair, Rule } from './values.ts';

/** Compares how server-side apply merges lists and objects, and how lists recognise duplicate items. */
export const listsAndMapsRule: Rule = {
  keywords: ['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'],
  compare(pair, report) {
    compareListTypes(pair, report);
    compareMapTypes(pair, report);
  },
};

function compareListTypes(pair: NodePair, report: Report): void {
  const [before, after] = [listTypeOf(pair.old), listTypeOf(pair.new)];
  if (before !== after) {
    const message = `list type ${before} became ${after}`;
    // Lists of type set or map refuse duplicates even if server-side apply does not merge the list. Therefore, such a new type is more than
    // a change of merging.
    if (after !== 'atomic') report({ code: 'list-type-changed', message });
    else reportMerge('list-type-atomic', message, pair, report);
    return;
  }
  const [oldKeys, keys] = [mapKeys(pair.old), mapKeys(pair.new)];
  if (oldKeys.join() === keys.join()) return;
  const message = `list map keys ${oldKeys.join(', ')} became ${keys.join(', ')}`;
  // Items that are unique by the old keys remain unique if keys are added.
  if (!oldKeys.every((key) => keys.includes(key))) report({ code: 'list-map-keys-changed', message });
  else reportMerge('list-map-keys-added', message, pair, report);
}

/**
 * Reports a change that affects only merging by server-side apply and, possibly, CEL rules: these compare and add lists according to the
 * list types, even where nothing is merged.
 */
function reportMerge(
  code: 'list-type-atomic' | 'list-map-keys-added',
  message: string,
  pair: NodePair,
  report: Report,
): void {
  const isSeenByRules = pair.isInsideRules || hasRules(pair.old) || hasRules(pair.new);
  if (isSeenByRules) report({ code, message, affects: ['stored', 'writers'], note: rulesNote });
  else report({ code: pair.isInsideAtomic ? 'merge-unaffected' : code, message });
}

// Note for messages about the effect of list types on CEL rules. Source: apiserver `pkg/cel/common/values.go`, unstructuredSetList and
// unstructuredMapList.
const rulesNote =
  'The rules of CEL here or around it may decide otherwise: `==` and `+` heed the order of an atomic list, not that of a set or a map, whose items are the same if their keys are.';

function compareMapTypes(pair: NodePair, report: Report): void {
  const [before, after] = [mapTypeOf(pair.old), mapTypeOf(pair.new)];
  if (before === after) return;
  const message = `map type ${before} became ${after}`;
  if (pair.isInsideAtomic) report({ code: 'merge-unaffected', message });
  else if (after !== 'atomic') report({ code: 'map-type-changed', message });
  else {
    const isReference = isKubernetesReference(pair.old) && isKubernetesReference(pair.new);
    report({ code: isReference ? 'reference-atomic' : 'map-type-atomic', message });
  }
}

/** Returns the map keys of a list, sorted because their order is irrelevant. */
const mapKeys = (schema: Schema): readonly string[] =>
  jsonListOf(schema['x-kubernetes-list-map-keys']).map(jsonTextOf).sort();

const core = 'io.k8s.api.core.v1';

/**
 * Fields and field types of references that are atomic in Kubernetes' own kinds today, but were not always. Selectors are omitted, because
 * several clients that apply the object may each add a label or an expression.
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

/** Returns true if a schema declares exactly the fields of a Kubernetes reference, with the same types, and keeps no other fields. */
export function isKubernetesReference(schema: Schema): boolean {
  const isClosed =
    schema['additionalProperties'] === undefined &&
    !keepsUnknown(schema) &&
    schema['x-kubernetes-embedded-resource'] !== true;
  const kinds = Object.entries(propertiesOf(schema)).map(([name, field]) => [name, kindOf(field)]);
  return isClosed && known.has(canonicalJson(Object.fromEntries(kinds)));
}
