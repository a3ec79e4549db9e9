import { defineResource, type CustomResource, type Integer } from 'opsdk';

export interface ValueSpec {
  /** @default plain */
  text?: string;
  /** @default 10 */
  number?: string;
  /** @default "null" */
  null?: string;
  /** @default "a\nb" */
  lines?: string;
  /** @default "x \u0040y *\/" */
  tag?: string;
  /** @default {} */
  object?: SpecObject;
  /** @default ["a","\u0040b"] */
  list?: string[];
  /** @default false */
  flag?: boolean;
  /** @k8s {"example":"true"} */
  misfit?: boolean;
  /** @example {"a":"*\/"} */
  example?: Record<string, string>;

  /**
   * @externalDocs https://example.com More of it
   * @title A title
   */
  title?: string;

  /** @externalDocs {"description":"Only \u0040text"} */
  docsWithoutUrl?: string;
}

export interface SpecObject {
  /** @default 1 */
  a?: Integer;
}

export interface Value extends CustomResource<'example.com/v1', 'Value'> {
  spec?: ValueSpec;
}

export const Value = defineResource<Value>({
  group: 'example.com',
  version: 'v1',
  kind: 'Value',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
