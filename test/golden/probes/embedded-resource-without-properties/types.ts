import { defineResource, type CustomResource, type EmptyObject } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @embeddedResource */
    a?: EmptyObject; // refused
    /** @k8s {"x-kubernetes-embedded-resource": true} */
    b?: EmptyObject; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
