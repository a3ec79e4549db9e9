import type { FindingList } from '../../../base/errors/index.ts';
import type { SubjectMode } from '../entries.ts';
import {
  idOf,
  type Resource,
  describeId,
  isClusterScoped,
  rememberId,
  originalIdOf,
  findDuplicates,
} from '../resource.ts';
import { isObject, type Json } from '../../objects/index.ts';
import { setOwnField } from '../../../base/util/json-map.ts';
import { describe, ShapeError, visitFields, type FieldSpec, isForKind, reportShape } from './field-spec.ts';

/** Fields that contain a namespace. Source: kustomize `builtinpluginconsts/namespace.go`. */
export const namespaceSpecs: readonly FieldSpec[] = [
  { path: 'metadata/name', version: 'v1', group: '', kind: 'Namespace', create: true },
  { path: 'spec/service/namespace', group: 'apiregistration.k8s.io', kind: 'APIService', create: true },
  {
    path: 'spec/conversion/webhook/clientConfig/service/namespace',
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
  },
];

/** Options of a namespace transformer, in addition to the fields that it changes. */
interface NamespaceOptions {
  /** True to keep existing namespaces. Default: false. */
  readonly unsetOnly?: boolean;
  /** Subjects of role bindings that get the namespace. Default: subjects with the name `default`. */
  readonly subjects?: SubjectMode;
}

const ownNamespace: FieldSpec = { path: 'metadata/namespace', create: true };

/**
 * Sets the namespace of all namespaced resources, and renames objects of kind Namespace. Source: kustomize `api/filters/namespace`.
 */
export function setNamespace(
  resources: readonly Resource[],
  namespace: string,
  specs: readonly FieldSpec[],
  findings: FindingList,
  { unsetOnly = false, subjects = 'defaultOnly' }: NamespaceOptions = {},
): void {
  const setIn = (resource: Resource, spec: FieldSpec): void => setField(resource, spec, namespace, unsetOnly);
  for (const resource of resources) {
    rememberId(resource);
    reportShape(resource, `the namespace ${namespace}`, findings, () => {
      if (!isClusterScoped(idOf(resource))) setIn(resource, ownNamespace);
      const { kind, group, version } = idOf(resource);
      const isBinding = kind === 'RoleBinding' || kind === 'ClusterRoleBinding';
      if (isBinding && subjects !== 'none') setInSubjects(resource, namespace, subjects, unsetOnly);
      for (const spec of specs) {
        // Configured field specs do not apply to the object's own namespace and to the subjects of bindings, which are set separately.
        if (spec.path === 'metadata/namespace' || (isBinding && isSubjects(spec))) continue;
        // An object of kind Namespace in another API group is not a namespace.
        if (spec.path === 'metadata/name' && (group !== '' || version !== 'v1')) continue;
        setIn(resource, spec);
      }
    });
  }
  findDuplicates(resources, (first, second) => {
    findings.add({
      code: 'kustomize/duplicate-resource',
      message: `the namespace ${namespace} makes two resources the same object ${describeId(idOf(second))}; the other one is at ${first}`,
      where: second.where,
      fix: ['rename one of them'],
    });
  });
}

function isSubjects({ kind, path }: FieldSpec): boolean {
  return path === 'subjects/namespace' && (kind === 'RoleBinding' || kind === 'ClusterRoleBinding');
}

function setField(resource: Resource, spec: FieldSpec, namespace: string, unsetOnly: boolean): void {
  visitFields(resource, spec, 'scalar', (slot) => {
    const value = slot.get();
    if (typeof value === 'object' && value !== null) {
      throw new ShapeError(spec.path, `expected text, got ${describe(value)}`);
    }
    if (!unsetOnly || value === null || value === '') slot.set(namespace);
  });
}

/**
 * Sets the namespace in subjects of role bindings. By default, kustomize changes only subjects with the name `default`. Subjects that refer
 * to a ServiceAccount of the build are updated as references.
 */
function setInSubjects(
  resource: Resource,
  namespace: string,
  mode: 'defaultOnly' | 'allServiceAccounts',
  unsetOnly: boolean,
): void {
  const subjects: Json = resource.object['subjects'] ?? null;
  if (subjects === null) return;
  if (!Array.isArray(subjects))
    throw new ShapeError('subjects', `expected a list, got ${describe(subjects)}`);
  for (const subject of subjects) {
    if (subject === null) continue;
    if (!isObject(subject))
      throw new ShapeError('subjects', `expected a mapping as item, got ${describe(subject)}`);
    const isMeant =
      mode === 'defaultOnly' ? subject['name'] === 'default' : subject['kind'] === 'ServiceAccount';
    if (isMeant && (!unsetOnly || (subject['namespace'] ?? '') === ''))
      setOwnField(subject, 'namespace', namespace);
  }
}

/** Prepends a prefix to the names of all resources. Source: kustomize `PrefixTransformer`. */
export function addPrefix(
  resources: readonly Resource[],
  prefix: string,
  specs: readonly FieldSpec[],
  findings: FindingList,
): void {
  rename(
    resources,
    specs,
    findings,
    ({ prefixes }) => prefixes.push(prefix),
    (name) => `${prefix}${name}`,
  );
}

/** Appends a suffix to the names of all resources. Source: kustomize `SuffixTransformer`. */
export function addSuffix(
  resources: readonly Resource[],
  suffix: string,
  specs: readonly FieldSpec[],
  findings: FindingList,
): void {
  rename(
    resources,
    specs,
    findings,
    ({ suffixes }) => suffixes.push(suffix),
    (name) => `${name}${suffix}`,
  );
}

function rename(
  resources: readonly Resource[],
  specs: readonly FieldSpec[],
  findings: FindingList,
  note: (resource: Resource) => void,
  change: (name: string) => string,
): void {
  for (const resource of resources) {
    const original = originalIdOf(resource);
    if (isKept(original)) continue;
    for (const spec of specs) {
      if (!isForKind(spec, original)) continue;
      if (spec.path === 'metadata/name') {
        note(resource);
        rememberId(resource);
      }
      reportShape(resource, 'the prefix or suffix of a name', findings, () =>
        visitFields(resource, spec, 'scalar', (slot) => {
          const name = slot.get();
          if (typeof name !== 'string')
            throw new ShapeError(spec.path, `expected text, got ${describe(name)}`);
          slot.set(change(name));
        }),
      );
    }
  }
}

/**
 * Returns true for kinds whose names kustomize does not change when it adds a prefix or suffix, because these names have a meaning of their
 * own.
 */
function isKept({ kind, group }: ReturnType<typeof originalIdOf>): boolean {
  return (
    kind === 'CustomResourceDefinition' ||
    kind === 'Namespace' ||
    (kind === 'APIService' && group === 'apiregistration.k8s.io')
  );
}
