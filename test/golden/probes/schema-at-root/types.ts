import { defineResource, type CustomResource } from 'opsdk';

/** @k8s {"$schema": "http://json-schema.org/draft-07/schema#"} */
export interface Foo extends CustomResource {
  spec: {
    a?: string;
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
