import { defineResource, type CustomResource, type ListSet } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    a?: ListSet<{ b?: string }>; // refused
    /** @k8s {"x-kubernetes-list-type": "set"} */
    c?: { b?: string }[]; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
