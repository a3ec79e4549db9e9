import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface A extends CustomResource {
  spec: { size?: Int32 };
}

/**
 * @allow manifests/no-conversion Version v1beta1 has never been released.
 * @allow crd/printer-column-path The operator of others writes it.
 */
export const A = defineResource<A>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1',
  storage: true,
  // @ts-expect-error no such field
  printerColumns: [{ name: 'Phase', type: 'string', jsonPath: '.status.phase' }],
});

export interface B extends CustomResource {
  spec: { count?: Int32 };
}

export const B = defineResource<B>({
  group: 'example.com',
  kind: 'Sample',
  version: 'v1beta1',
});
