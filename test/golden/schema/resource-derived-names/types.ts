import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Policy extends CustomResource {
  spec: { size?: Int32 };
}

export const Policy = defineResource<Policy>({
  group: 'example.com',
  version: 'v1',
  kind: 'Policy',
});

export interface Mesh extends CustomResource {
  spec: { size?: Int32 };
}

export const Mesh = defineResource<Mesh>({
  group: 'example.com',
  version: 'v1',
  kind: 'Mesh',
});
