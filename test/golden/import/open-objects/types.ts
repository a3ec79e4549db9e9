import { defineResource, type AnyObject, type CustomResource, type Json } from 'opsdk';

export interface OpenSpec {
  fields?: OpenSpecFields;
  /** @preserveUnknownFields */
  record?: Record<string, string>;
  /** @k8s {"type":"object","additionalProperties":true} */
  anything?: AnyObject;
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

export interface Open extends CustomResource {
  spec?: OpenSpec;
}

export const Open = defineResource<Open>({
  group: 'example.com',
  version: 'v1',
  kind: 'Open',
  scope: 'Namespaced',
  standardFields: { apiVersion: false, kind: false, metadata: false },
});
