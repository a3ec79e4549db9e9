import { externalResource, type KubeObject, type Resource } from '../../sdk/api/index.ts';
import { groupOf } from '../../base/util/api-version.ts';
import type { ManifestObject } from '../../kubernetes/yaml/manifest-object.ts';

/** The part of a CustomResourceDefinition that says which types it makes. */
interface CrdSpec {
  readonly group?: unknown;
  readonly scope?: unknown;
  readonly names?: { readonly kind?: unknown; readonly plural?: unknown };
  readonly versions?: readonly { readonly name?: unknown; readonly served?: unknown }[];
}

export function isCrd({ apiVersion, kind }: Pick<ManifestObject, 'apiVersion' | 'kind'>): boolean {
  return kind === 'CustomResourceDefinition' && groupOf(apiVersion) === 'apiextensions.k8s.io';
}

/** The types that a CustomResourceDefinition makes the server serve; none if it is malformed, which the server will say. */
export function crdTypes(crd: ManifestObject): readonly Resource<KubeObject>[] {
  const { group, scope, names, versions } = (crd['spec'] ?? {}) as CrdSpec;
  const kind = names?.kind;
  const plural = names?.plural;
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return [];
  if (!Array.isArray(versions)) return [];
  return versions.flatMap(({ name, served }: { readonly name?: unknown; readonly served?: unknown }) =>
    typeof name === 'string' && served === true
      ? [
          externalResource({
            group,
            version: name,
            kind,
            plural,
            scope: scope === 'Namespaced' ? scope : 'Cluster',
          }),
        ]
      : [],
  );
}
