import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Old extends CustomResource {
  spec: { size?: Int32 };
}

export const Old = defineResource<Old>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1alpha1',
  storage: false,
  deprecated: 'example.com/v1alpha1 Sample is deprecated, use v1',
});

export interface Older extends CustomResource {
  spec: { size?: Int32 };
}

export const Older = defineResource<Older>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1beta1',
  deprecated: true,
  served: false,
});

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  storage: true,
  deprecated: false,
  conversion: { strategy: 'None' },
});
