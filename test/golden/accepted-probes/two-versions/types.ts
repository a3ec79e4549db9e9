import { defineResource, type CustomResource, type Integer } from 'opsdk';
import { bare } from '../bare.ts';

export interface Foo extends CustomResource {
  spec?: {
    a?: string;
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1', storage: true });
export const FooV2 = defineResource<Foo>({ ...bare, version: 'v2', storage: false });
