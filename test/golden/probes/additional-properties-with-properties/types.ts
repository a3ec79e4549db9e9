import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @k8s {"additionalProperties": {"type": "string"}} */
    a?: { b?: string }; // refused
    c?: { b?: string; [name: string]: string | undefined }; // refused
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
