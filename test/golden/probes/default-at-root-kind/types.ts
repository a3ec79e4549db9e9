import { defineResource, type CustomResource } from 'opsdk';

/** @k8s {"properties": {"kind": {"type": "string", "default": "Foo"}}} */
export interface Foo extends CustomResource {
  /** @default Foo */
  kind: 'Foo'; // refused
  spec: { a?: string };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
