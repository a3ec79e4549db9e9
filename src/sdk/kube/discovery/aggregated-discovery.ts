import { servedType, type ApiDirectory, type ServedType } from './served-type.ts';

/** Asks for the aggregated form; servers that do not know it answer with the plain one. Source: KEP-3352. */
export const aggregatedAccept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** Source: k8s.io/api/apidiscovery/v2; v2beta1 has the same shape. All fields may be absent. */
export interface APIGroupDiscoveryList {
  readonly kind: 'APIGroupDiscoveryList';
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope?: string;
        readonly singularResource?: string;
        readonly verbs?: readonly string[];
        readonly shortNames?: readonly string[];
      }[];
    }[];
  }[];
}

export function isAggregated(document: unknown): document is APIGroupDiscoveryList {
  return (document as { readonly kind?: unknown } | null)?.kind === 'APIGroupDiscoveryList';
}

/** Reads one aggregated document: that of `/api` or that of `/apis`. */
export function readAggregated(document: APIGroupDiscoveryList): ApiDirectory {
  const types: ServedType[] = [];
  const unavailable: string[] = [];
  for (const { metadata, versions } of document.items ?? []) {
    const group = metadata?.name ?? '';
    for (const { version, freshness, resources } of versions ?? []) {
      // A server that is away and was never reached has an empty, stale entry.
      if (freshness === 'Stale' && (resources ?? []).length === 0) unavailable.push(`${group}/${version}`);
      for (const { resource, responseKind, scope, singularResource, verbs, shortNames } of resources ?? []) {
        const kind = responseKind?.kind ?? '';
        // A type without a kind exists only for its subresources.
        if (kind === '') continue;
        const namespaced = scope === 'Namespaced';
        const described = { kind, plural: resource, singular: singularResource, namespaced };
        types.push(servedType(group, version, { ...described, verbs, shortNames }));
      }
    }
  }
  return { types, unavailable };
}
