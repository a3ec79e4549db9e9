import { defineResource, type CustomResource, type Integer } from 'opsdk';
import { bare } from '../bare.ts';

/** @k8s {"properties": {"metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 20}, "generateName": {"type": "string"}}}}} */
export interface Foo extends CustomResource {
  spec?: {
    a?: string;
  };
  status?: { replicas?: Integer; selector?: string };
}

export const Foo = defineResource<Foo>({ ...bare, version: 'v1' });
