import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @k8s {"anyOf": [{"type": "string"}, {"type": "integer"}]} */
    a?: unknown; // refused
    /** @anyOf [{"type": "string"}, {"type": "integer"}] */
    b?: string; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
