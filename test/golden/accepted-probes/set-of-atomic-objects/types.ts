import { defineResource, type CustomResource, type AtomicObject, type Integer, type ListSet } from 'opsdk';
import { bare } from '../bare.ts';

export interface Foo extends CustomResource {
  spec?: {
    a?: ListSet<AtomicObject<{ b?: string }>>;
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1' });
