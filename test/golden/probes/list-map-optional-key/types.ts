import { defineResource, type CustomResource, type ListMap } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    a?: ListMap<{ name?: string }, 'name'>; // refused
    /** @k8s {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]} */
    b?: { name?: string }[]; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
