import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface A extends CustomResource {
  spec: { size?: Int32 };
}

export const A = defineResource<A>({
  group: 'example.com',
  version: 'v1',
  kind: 'A',
  // @ts-expect-error neither clientConfig nor versions
  conversion: { strategy: 'Webhook' },
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
    clientConfig: { url: 'https://convert.example.com', service: { namespace: 'a', name: 'b' } },
    conversionReviewVersions: [],
  },
});

export interface C extends CustomResource {
  spec: { size?: Int32 };
}

export const C = defineResource<C>({
  group: 'example.com',
  version: 'v1',
  kind: 'C',
  conversion: { strategy: 'Webhook', clientConfig: {}, conversionReviewVersions: ['v2', 'v2', 'V3'] },
});
