import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @default {"z": 1} */
    a?: { b?: string }; // refused
    /** @k8s {"default": {"z": 1}} */
    c?: { b?: string }; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
