import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @anyOf [{"default": "x"}] */
    a?: string; // refused
    /** @k8s {"anyOf": [{"default": "x"}]} */
    b?: string; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
