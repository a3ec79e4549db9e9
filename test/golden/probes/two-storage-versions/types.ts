import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: { a?: string };
}

export const FooV1 = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo', storage: true });
export const FooV2 = defineResource<Foo>({ group: 'probe.example.com', version: 'v2', kind: 'Foo', storage: true });
