import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface A extends CustomResource {
  spec: { size?: Int32 };
}

export const A = defineResource<A>({
  group: 'example.com',
  version: 'v1',
  kind: 'A',
  conversion: { strategy: 'Webhook', clientConfig: { url: 'http://convert.example.com' }, conversionReviewVersions: ['v1'] },
});

export interface B extends CustomResource {
  spec: { size?: Int32 };
}

export const B = defineResource<B>({
  group: 'example.com',
  version: 'v1',
  kind: 'B',
  conversion: { strategy: 'Webhook', clientConfig: { url: 'convert.example.com/x' }, conversionReviewVersions: ['v1'] },
});

export interface C extends CustomResource {
  spec: { size?: Int32 };
}

export const C = defineResource<C>({
  group: 'example.com',
  version: 'v1',
  kind: 'C',
  conversion: { strategy: 'Webhook', clientConfig: { url: 'https://user@convert.example.com' }, conversionReviewVersions: ['v1'] },
});

export interface D extends CustomResource {
  spec: { size?: Int32 };
}

export const D = defineResource<D>({
  group: 'example.com',
  version: 'v1',
  kind: 'D',
  conversion: { strategy: 'Webhook', clientConfig: { url: 'https://convert.example.com/?a=b' }, conversionReviewVersions: ['v1'] },
});

export interface E extends CustomResource {
  spec: { size?: Int32 };
}

export const E = defineResource<E>({
  group: 'example.com',
  version: 'v1',
  kind: 'E',
  conversion: { strategy: 'Webhook', clientConfig: { url: 'https://convert.example.com/#a' }, conversionReviewVersions: ['v1'] },
});
