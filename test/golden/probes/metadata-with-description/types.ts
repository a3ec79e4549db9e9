import { defineResource, type CustomResource } from 'opsdk';

/** @k8s {"properties": {"metadata": {"type": "object", "description": "x"}}} */
export interface Foo extends CustomResource {
  spec: { a?: string };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
