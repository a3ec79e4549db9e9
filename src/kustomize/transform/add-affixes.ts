import { isObject, type Resource } from '../resource.ts';
import { originalIdOf, rememberId } from '../ids.ts';
import { setKey } from './field-spec.ts';

/** Puts a prefix in front of all names. Source: kustomize `PrefixTransformer`. */
export function addPrefix(resources: readonly Resource[], prefix: string): void {
  for (const resource of renamed(resources)) {
    resource.prefixes.push(prefix);
    rename(resource, (name) => `${prefix}${name}`);
  }
}

/** Puts a suffix behind all names. Source: kustomize `SuffixTransformer`. */
export function addSuffix(resources: readonly Resource[], suffix: string): void {
  for (const resource of renamed(resources)) {
    resource.suffixes.push(suffix);
    rename(resource, (name) => `${name}${suffix}`);
  }
}

/** The names of these kinds mean something by themselves, so kustomize leaves them. */
function renamed(resources: readonly Resource[]): readonly Resource[] {
  return resources.filter((resource) => {
    const { kind, group } = originalIdOf(resource);
    const isKept =
      kind === 'CustomResourceDefinition' ||
      kind === 'Namespace' ||
      (kind === 'APIService' && group === 'apiregistration.k8s.io');
    return !isKept;
  });
}

function rename(resource: Resource, change: (name: string) => string): void {
  const { metadata } = resource.object;
  if (metadata === undefined || !isObject(metadata) || typeof metadata['name'] !== 'string') return;
  rememberId(resource);
  setKey(metadata, 'name', change(metadata['name']));
}
