import { defineResource, type CustomResource, type EmptyObject } from 'opsdk';

export interface Idle extends CustomResource<'example.com/v1', 'Idle'> {
  spec?: EmptyObject;
  status?: EmptyObject;
}

export const Idle = defineResource<Idle>({
  group: 'example.com',
  version: 'v1',
  kind: 'Idle',
  scope: 'Namespaced',
  status: false,
  crd: { subresources: {}, standardFields: { apiVersion: false, kind: false, metadata: false } },
});
