import { defineResource, type CustomResource } from 'opsdk';

/** @k8s {"definitions": {"X": {"type": "string"}}} */
export interface Foo extends CustomResource {
  spec: {
    a?: string;
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
