import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface A extends CustomResource {
  spec: { size?: Int32 };
}

export const A = defineResource<A>({
  group: 'example.com',
  version: 'v1',
  kind: 'A',
  conversion: {
    strategy: 'Webhook',
    clientConfig: { service: { namespace: '', name: 'b', path: 'convert', port: 0 }, caBundle: 'no base64' },
    conversionReviewVersions: ['v1'],
  },
});

export interface B extends CustomResource {
  spec: { size?: Int32 };
}

export const B = defineResource<B>({
  group: 'example.com',
  version: 'v1',
  kind: 'B',
  conversion: {
    strategy: 'Webhook',
    clientConfig: { service: { namespace: 'a', name: 'b', path: '/a//Convert' } },
    conversionReviewVersions: ['v1'],
  },
});
