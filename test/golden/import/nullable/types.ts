import { defineResource, type CustomResource, type Integer, type Json } from 'opsdk';

export interface NullableSpec {
  text?: string | null;
  items?: (Integer | null)[] | null;
  values?: Record<string, string | null>;
  any?: Json | null;
  object?: SpecObject | null;
}

export interface SpecObject {
  a?: string;
}

export interface Nullable extends CustomResource<'example.com/v1', 'Nullable'> {
  spec?: NullableSpec;
}

export const Nullable = defineResource<Nullable>({
  group: 'example.com',
  version: 'v1',
  kind: 'Nullable',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
