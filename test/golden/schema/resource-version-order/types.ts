import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface A extends CustomResource {
  spec: { size?: Int32 };
}

export const A = defineResource<A>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  storage: true,
  conversion: { strategy: 'None' },
  crd: { versionOrder: ['v2beta1', 'v1', 'v1alpha1'] },
});

export interface B extends CustomResource {
  spec: { size?: Int32; mode?: string };
}

export const B = defineResource<B>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1alpha1',
});

export interface C extends CustomResource {
  spec: { size: Int32 };
}

export const C = defineResource<C>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v2beta1',
  served: false,
});
