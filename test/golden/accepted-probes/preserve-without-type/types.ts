import { defineResource, type CustomResource, type Integer, type Json } from 'opsdk';
import { bare } from '../bare.ts';

export interface Foo extends CustomResource {
  spec?: {
    a?: Json;
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1' });
