import { defineResource, type CustomResource } from 'opsdk';

/** @anyOf [{"required": ["spec"]}] */
export interface Foo extends CustomResource {
  spec: { a?: string };
  status?: { b?: string };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
