import { defineResource, type CustomResource, type Json, type RawExtension } from 'opsdk';

export interface OpenSpec {
  fields?: Fields;
  /** @preserveUnknownFields */
  record?: Record<string, string>;
  /** @k8s {"type":"object","additionalProperties":true} */
  anything?: RawExtension;
  both?: Both;
  values?: Record<string, Json>;
  embedded?: Embedded;
  list?: Fields[];
}

/** @preserveUnknownFields */
export interface Fields {
  a?: string;
}

/** @k8s {"additionalProperties":true} */
export interface Both {
  a?: string;
}

/** @embeddedResource */
export interface Embedded {
  a?: string;
}

export interface Open extends CustomResource<'example.com/v1', 'Open'> {
  spec?: OpenSpec;
}

export const Open = defineResource<Open>({
  group: 'example.com',
  version: 'v1',
  kind: 'Open',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
