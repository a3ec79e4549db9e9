import { defineResource, type CustomResource } from 'opsdk';

export interface Item {
  /** @cel self.matches('^[a-z]+$') */
  n?: string;
}

export interface Foo extends CustomResource {
  spec: {
    a?: Item[];
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
