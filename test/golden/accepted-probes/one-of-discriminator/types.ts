import { defineResource, type CustomResource, type Integer } from 'opsdk';
import { bare } from '../bare.ts';

export interface Foo extends CustomResource {
  spec?: {
    /** @oneOf [{"properties": {"k": {"enum": ["A"]}}, "required": ["c"]}, {"properties": {"k": {"enum": ["B"]}}, "not": {"required": ["c"]}}] */
    a?: { k?: 'A' | 'B'; c?: string };
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1' });
