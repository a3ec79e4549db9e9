import { defineResource, type CustomResource, type Integer } from 'opsdk';
import { bare } from '../bare.ts';

export interface Foo extends CustomResource {
  spec?: {
    /** @k8s {"default": null} */
    a?: string | null;
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1' });
