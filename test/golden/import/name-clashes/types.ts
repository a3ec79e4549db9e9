import { defineResource, type CustomResource } from 'opsdk';

export interface RecordSpec {
  labels?: { [key: string]: string };
  set?: RecordSpecSet;
  a?: RecordSpecA;
  'a-b'?: RecordSpecAB;
}

export interface RecordSpecSet {
  a?: string;
}

export interface RecordSpecA {
  'b-c'?: RecordSpecABC;
}

export interface RecordSpecAB {
  c?: RecordSpecABC2;
}

export interface RecordSpecABC {
  x?: string;
}

export interface RecordSpecABC2 {
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
