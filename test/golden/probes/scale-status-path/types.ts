import { defineResource, type CustomResource, type Int32 } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    replicas?: Int32;
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo', scale: { spec: '.spec.replicas', status: '.spec.replicas' } });
