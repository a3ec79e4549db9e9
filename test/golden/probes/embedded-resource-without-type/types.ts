import { defineResource, type CustomResource, type Json } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @embeddedResource */
    a?: Json; // refused
    /** @k8s {"x-kubernetes-embedded-resource": true} */
    b?: Json; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
