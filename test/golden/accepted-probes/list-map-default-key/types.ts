import { defineResource, type CustomResource, type Integer, type ListMap } from 'opsdk';
import { bare } from '../bare.ts';

export interface Item {
  /** @default x */
  name?: string;
}

export interface Foo extends CustomResource {
  spec?: {
    a?: ListMap<Item, 'name'>;
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1' });
