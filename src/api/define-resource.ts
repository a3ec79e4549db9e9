import type { CustomResource } from './meta.ts';
import type { JsonPath } from './paths.ts';
import { defaultPlural } from './plural.ts';
import { resourceToken, type Resource } from './resource.ts';

/** A column of `kubectl get`. Source: CRD v1 `additionalPrinterColumns`. */
export interface PrinterColumn<T> {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  readonly jsonPath: JsonPath<T>;
  readonly description?: string;
  /** An OpenAPI format of the type, such as `int32` or `date-time`. */
  readonly format?: string;
  /** 0 (the default) is always shown, greater ones only with `-o wide`. */
  readonly priority?: number;
}

/** What belongs to the resource rather than to a field. Read from the source by `op-sdk generate manifests`: write literals or `as const` values. */
export interface ResourceDefinition<T> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Default: the lower-case English plural of the kind. */
  readonly plural?: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  /** Default: the kind followed by `List`. */
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly printerColumns?: readonly PrinterColumn<T>[];
  /** Default: true. A version that is not served cannot be read or written. */
  readonly served?: boolean;
  /** Default: true if the kind has one version. Exactly one version is stored. */
  readonly storage?: boolean;
}

/**
 * Declares a custom resource: one interface and one value of the same name per version.
 * The value is the token that client and controllers take; its argument and the interface make the CRD.
 *
 * @example
 * export const Memcached = defineResource<Memcached>({
 *   group: 'cache.example.com',
 *   version: 'v1alpha1',
 *   kind: 'Memcached',
 *   scope: 'Namespaced',
 *   printerColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
 * });
 */
export function defineResource<T extends CustomResource>(definition: ResourceDefinition<T>): Resource<T> {
  const plural = definition.plural ?? defaultPlural(definition.kind);
  const namespaced = definition.scope !== 'Cluster';
  return resourceToken<T>(definition.group, definition.version, definition.kind, plural, namespaced);
}
