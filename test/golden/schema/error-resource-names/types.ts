import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface A extends CustomResource {
  spec: { size?: Int32 };
}

export const A = defineResource<A>({
  group: 'Example',
  version: 'V1',
  kind: 'Two Words',
  plural: 'Samples',
  singular: '',
  listKind: '9s',
  shortNames: ['a_b'],
  categories: ['All'],
});

export interface B extends CustomResource {
  spec: { size?: Int32 };
}

export const B = defineResource<B>({
  group: 'example.com',
  version: 'v1',
  kind: 'B',
  plural: 'Samples',
  singular: '',
  listKind: '9s',
  shortNames: ['a_b'],
  categories: ['All'],
});
