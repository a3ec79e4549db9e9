import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Index extends CustomResource {
  spec: { size?: Int32 };
}

export const Index = defineResource<Index>({
  group: 'example.com',
  version: 'v1',
  kind: 'Index',
  plural: 'indices',
  singular: 'index',
  listKind: 'Indices',
  shortNames: ['ix', 'idx'],
  categories: ['all', 'search'],
  scope: 'Namespaced',
});
