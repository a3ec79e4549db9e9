import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface A extends CustomResource {
  spec: { size?: Int32 };
}

export const A = defineResource<A>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  storage: true,
  crd: { versionOrder: ['v1', 'v3', 'v1'] },
});

export interface B extends CustomResource {
  spec: { size?: Int32 };
}

export const B = defineResource<B>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v2',
  served: true,
});
