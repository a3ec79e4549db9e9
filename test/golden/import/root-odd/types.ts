import { defineResource, type CustomResource } from 'opsdk';

export interface RootStatus {
  phase?: string;
}

/**
 * Root is described.
 *
 * @preserveUnknownFields
 * @required elsewhere
 * @cel self.metadata.name != 'x' : "not x"
 * @k8s {"properties":{"metadata":{"type":"object","properties":{"name":{"type":"string","maxLength":10}}}}}
 */
export interface Root extends CustomResource<'example.com/v1', 'Root'> {
  data: Record<string, string>;
  status?: RootStatus;
}

export const Root = defineResource<Root>({
  group: 'example.com',
  version: 'v1',
  kind: 'Root',
  scope: 'Namespaced',
  status: false,
  crd: {
    standardFields: { apiVersion: {}, kind: { description: 'Another text.' }, metadata: { required: true } },
  },
});
