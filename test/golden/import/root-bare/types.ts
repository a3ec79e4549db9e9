import { defineResource, type CustomResource } from 'opsdk';

/** @preserveUnknownFields */
export interface Bare extends CustomResource<'example.com/v1', 'Bare'> {}

export const Bare = defineResource<Bare>({
  group: 'example.com',
  version: 'v1',
  kind: 'Bare',
  scope: 'Namespaced',
  status: true,
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
