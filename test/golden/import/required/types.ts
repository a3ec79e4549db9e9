import { defineResource, type CustomResource, type EmptyObject, type RawExtension } from 'opsdk';

export interface NeedSpec {
  undeclared?: Undeclared;
  /** @required a */
  bare?: EmptyObject;
  empty?: Empty;
  /** @required a */
  open?: RawExtension;
  /** @items.required a */
  items?: Record<string, string>[];
  /** @k8s {"properties":{}} */
  noFields?: EmptyObject;
}

/** @required ["b","c d"] */
export interface Undeclared {
  a: string;
}

/** @k8s {"required":[]} */
export interface Empty {
  a?: string;
}

export interface Need extends CustomResource<'example.com/v1', 'Need'> {
  spec?: NeedSpec;
}

export const Need = defineResource<Need>({
  group: 'example.com',
  version: 'v1',
  kind: 'Need',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
