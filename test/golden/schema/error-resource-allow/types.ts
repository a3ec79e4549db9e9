import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: { size?: Int32 };
}

/**
 * @allow manifests/invalid-group It is fine.
 * @allow manifests/no-conversion
 * @allow manifests/no-convertion Misspelt.
 * @minProperties 1
 * @example Text for people.
 */
export const Sample = defineResource<Sample>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  storage: true,
});
