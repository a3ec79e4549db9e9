import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @cel !format.dns1123Label().validate(self).hasValue() */
    a?: string;
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
