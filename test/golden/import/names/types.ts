import { defineResource, type CustomResource, type Json } from 'opsdk';

export interface NameSpec {
  '1'?: string;
  "quo'ted"?: string;
  'a.b/c'?: string;
  ''?: string;
  '__proto__'?: string;
  constructor?: NameSpecConstructor;
  new?: string;
  'kebab-case'?: NameSpecKebabCaseItem[];
  statuses?: NameSpecStatus[];
  policies?: NameSpecPolicy[];
  dns?: NameSpecDnsItem[];
  /** @k8s {"type":"object","properties":{"'a'":{"type":"string"}}} */
  nested?: Json;
}

export interface NameSpecConstructor {
  toString?: string;
}

export interface NameSpecKebabCaseItem {
  a?: string;
}

export interface NameSpecStatus {
  b?: string;
}

export interface NameSpecPolicy {
  c?: string;
}

export interface NameSpecDnsItem {
  d?: string;
}

export interface Name extends CustomResource<'example.com/v1', 'Name'> {
  spec?: NameSpec;
}

export const Name = defineResource<Name>({
  group: 'example.com',
  version: 'v1',
  kind: 'Name',
  scope: 'Namespaced',
  shortNames: [],
  categories: [],
  printerColumns: [],
  selectableFields: [],
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
