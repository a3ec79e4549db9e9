import { defineResource, type CustomResource, type RawExtension } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @cel self.foo=='x' */
    a?: RawExtension;
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
