import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @oneOf [{"type": "object", "required": ["b"]}, {"required": ["c"]}] */
    a?: { b?: string; c?: string }; // refused
    /** @k8s {"oneOf": [{"type": "object", "required": ["b"]}, {"required": ["c"]}]} */
    d?: { b?: string; c?: string }; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
