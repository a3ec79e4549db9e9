import { defineResource, type CustomResource, type EmbeddedResource, type Integer } from 'opsdk';
import { bare } from '../bare.ts';

export interface Foo extends CustomResource {
  spec?: {
    a?: EmbeddedResource;
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1' });
