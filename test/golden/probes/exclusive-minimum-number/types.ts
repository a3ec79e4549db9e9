import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @k8s {"exclusiveMinimum": 5} */
    a?: Int32; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
