import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @k8s true */
    a?: string; // refused
    /** @k8s {"properties": {"b": true}} */
    c?: { d?: string }; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
