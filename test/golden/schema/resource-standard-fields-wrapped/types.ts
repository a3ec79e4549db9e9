import { defineResource, type CustomResource } from 'opsdk';

export interface Wrapped extends CustomResource {
  spec?: { name?: string };
}

export const Wrapped = defineResource<Wrapped>({
  group: 'wrapped.example.com',
  version: 'v1',
  kind: 'Wrapped',
  crd: { standardFields: 'wrapped' },
});
