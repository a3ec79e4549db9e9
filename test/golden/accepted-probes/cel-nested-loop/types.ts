import { defineResource, type CustomResource, type Integer } from 'opsdk';
import { bare } from '../bare.ts';

export interface Foo extends CustomResource {
  spec?: {
    /**
     * @maxItems 20
     * @items.maxLength 20
     * @cel self.all(x, self.all(y, x==y))
     */
    a?: string[];
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1' });
