import { defineResource, type CustomResource } from 'opsdk';

export interface Foo extends CustomResource {
  spec: {
    /** @selectable */
    a0?: string;
    /** @selectable */
    a1?: string;
    /** @selectable */
    a2?: string;
    /** @selectable */
    a3?: string;
    /** @selectable */
    a4?: string;
    /** @selectable */
    a5?: string;
    /** @selectable */
    a6?: string;
    /** @selectable */
    a7?: string;
    /** @selectable */
    a8?: string;
  };
}

export const Foo = defineResource<Foo>({ group: 'probe.example.com', version: 'v1', kind: 'Foo' });
