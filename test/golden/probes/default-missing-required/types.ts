import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @default {} */
    a?: { b: string }; // refused
    /** @k8s {"default": {}} */
    c?: { b: string }; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
