import { defineResource, type CustomResource, type Json, type RawExtension } from 'opsdk';

export interface OpenSpec {
  fields?: OpenSpecFields;
  /** @preserveUnknownFields */
  record?: Record<string, string>;
  /** @k8s {"type":"object","additionalProperties":true} */
  anything?: RawExtension;
  both?: OpenSpecBoth;
  values?: Record<string, Json>;
  embedded?: OpenSpecEmbedded;
  list?: OpenSpecFields[];
}

/** @preserveUnknownFields */
export interface OpenSpecFields {
  a?: string;
}

/** @k8s {"additionalProperties":true} */
export interface OpenSpecBoth {
  a?: string;
}

/** @embeddedResource */
export interface OpenSpecEmbedded {
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
