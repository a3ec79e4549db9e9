import { defineResource, type CustomResource, type ListMap } from 'opsdk';

export interface Item {
  n: string;
  /** @cel self==oldSelf */
  v?: string;
}

export interface Foo extends CustomResource {
  spec: {
    a?: ListMap<Item, 'n'>;
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
