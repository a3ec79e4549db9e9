import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @anyOf [{"description": "x", "minLength": 1}] */
    a?: string; // refused
    /** @k8s {"anyOf": [{"description": "x", "minLength": 1}]} */
    b?: string; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
