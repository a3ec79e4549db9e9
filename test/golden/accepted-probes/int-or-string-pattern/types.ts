import { defineResource, type CustomResource, type IntOrString, type Integer } from 'opsdk';
import { bare } from '../bare.ts';

export interface Foo extends CustomResource {
  spec?: {
    /** @pattern ^[0-9]+$ */
    a?: IntOrString;
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1' });
