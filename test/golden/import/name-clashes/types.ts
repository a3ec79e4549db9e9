import { defineResource, type CustomResource } from 'opsdk';

export interface RecordSpec {
  labels?: { [key: string]: string };
  set?: SpecSet;
  a?: A;
  'a-b'?: AB;
}

export interface SpecSet {
  a?: string;
}

export interface A {
  'b-c'?: BC;
}

export interface BC {
  x?: string;
}

export interface AB {
  c?: C;
}

export interface C {
  z?: string;
}

export interface Record extends CustomResource<'example.com/v1', 'Record'> {
  spec?: RecordSpec;
}

export const Record = defineResource<Record>({
  group: 'example.com',
  version: 'v1',
  kind: 'Record',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
