import { defineResource, type CustomResource, type Json } from 'opsdk';

export interface NameSpec {
  '1'?: string;
  "quo'ted"?: string;
  'a.b/c'?: string;
  ''?: string;
  '__proto__'?: string;
  constructor?: Constructor;
  new?: string;
  'kebab-case'?: KebabCaseItem[];
  statuses?: SpecStatus[];
  policies?: Policy[];
  dns?: DnsItem[];
  /** @k8s {"type":"object","properties":{"'a'":{"type":"string"}}} */
  nested?: Json;
}

export interface Constructor {
  toString?: string;
}

export interface KebabCaseItem {
  a?: string;
}

export interface SpecStatus {
  b?: string;
}

export interface Policy {
  c?: string;
}

export interface DnsItem {
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
