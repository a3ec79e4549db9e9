import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

export const Sample = defineResource<Sample>({
  group: 'a.example.com',
  kind: 'Sample',
  version: 'v1',
  scope: 'Cluster',
});

export interface Other extends CustomResource {
  spec: { size?: Int32 };
}

export const Other = defineResource<Other>({
  group: 'b.example.com',
  kind: 'Sample',
  version: 'v1',
  scope: 'Namespaced',
});
