import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface A extends CustomResource {
  spec: { size?: Int32 };
}

export const A = defineResource<A>({
  group: 'example.com',
  version: 'v1',
  kind: 'A',
  deprecated: '',
});

export interface B extends CustomResource {
  spec: { size?: Int32 };
}

export const B = defineResource<B>({
  group: 'example.com',
  version: 'v1',
  kind: 'B',
  deprecated: 'two\nlines',
});

export interface C extends CustomResource {
  spec: { size?: Int32 };
}

export const C = defineResource<C>({
  group: 'example.com',
  version: 'v1',
  kind: 'C',
  deprecated: 'äääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää',
});

export interface D extends CustomResource {
  spec: { size?: Int32 };
}

export const D = defineResource<D>({
  group: 'example.com',
  version: 'v1',
  kind: 'D',
  // @ts-expect-error not a text
  deprecated: 1,
});
