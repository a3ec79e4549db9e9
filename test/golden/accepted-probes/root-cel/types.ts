import { defineResource, type CustomResource, type Integer } from 'opsdk';
import { bare } from '../bare.ts';

/** @cel self.metadata.name.size()<10 */
export interface Foo extends CustomResource {
  spec?: {
    a?: string;
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1', status: true });
