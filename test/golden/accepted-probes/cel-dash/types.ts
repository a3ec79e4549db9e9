import { defineResource, type CustomResource, type Integer } from 'opsdk';
import { bare } from '../bare.ts';

export interface Foo extends CustomResource {
  spec?: {
    /** @cel self.a__dash__b=='x' */
    a?: { 'a-b'?: string };
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1' });
