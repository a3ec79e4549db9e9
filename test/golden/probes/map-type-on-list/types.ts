import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @mapType atomic */
    a?: string[]; // refused
    /** @k8s {"x-kubernetes-map-type": "atomic"} */
    b?: string[]; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
