import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    a?: Record<string, unknown>; // refused
    /** @k8s {"additionalProperties": {}} */
    b?: Record<string, string>; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
