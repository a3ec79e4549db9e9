import { defineResource, type CustomResource } from 'opsdk';

/**
 * Without a status subresource the root may say more.
 *
 * @minProperties 1
 * @oneOf [{"required": ["a"]}, {"required": ["b"]}]
 */
export interface Sample extends CustomResource {
  a?: string;
  b?: string;
}

export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  scope: 'Cluster',
});
