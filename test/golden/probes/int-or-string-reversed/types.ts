import { defineResource, type CustomResource, type IntOrString } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @k8s {"anyOf": [{"type": "string"}, {"type": "integer"}]} */
    a?: IntOrString; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
