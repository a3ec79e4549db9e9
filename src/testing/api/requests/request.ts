import type { Json } from '../json.ts';
import type { ServedKind } from '../kinds/served-kind.ts';

/** A request for objects, as its path and method say. */
export interface ApiRequest {
  readonly verb:
    'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';
  readonly kind: ServedKind;
  readonly subresource: string | undefined;
  /** `''` for cluster-scoped kinds and all namespaces. */
  readonly namespace: string;
  /** `''` for collections. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
  /** Without parameters, in lower case. */
  readonly contentType: string;
}

/** The place of an object in the store: one for all versions of a kind. */
export function collectionId({ group, plural }: ServedKind): string {
  return `${group}/${plural}`;
}

/** The place of an object in its collection. */
export function objectKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

export const isDryRun = ({ query }: ApiRequest): boolean => query.get('dryRun') === 'All';
