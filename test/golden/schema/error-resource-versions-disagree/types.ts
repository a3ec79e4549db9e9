import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface A extends CustomResource {
  spec: { size?: Int32 };
}

export const A = defineResource<A>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  storage: true,
  scope: 'Cluster',
  plural: 'sampels',
  shortNames: ['a'],
  labels: { a: 'b' },
  conversion: { strategy: 'None' },
});

export interface B extends CustomResource {
  spec: { size?: Int32 };
}

export const B = defineResource<B>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v2',
  categories: ['all'],
  labels: { a: 'c' },
  conversion: { strategy: 'Webhook', clientConfig: { url: 'https://a.example.com' }, conversionReviewVersions: ['v1'] },
});
