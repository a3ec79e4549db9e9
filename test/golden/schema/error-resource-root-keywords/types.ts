import { defineResource, type CustomResource } from 'opsdk';

/**
 * @minProperties 1
 * @mapType atomic
 * @oneOf [{"required": ["status"]}]
 * @k8s {"x-kubernetes-embedded-resource": true}
 */
export interface Sample extends CustomResource {
  status?: { ready?: boolean };
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  scope: 'Cluster',
});
