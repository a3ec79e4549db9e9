import { defineResource, type CustomResource } from 'opsdk';

export interface NoteSpec {
  /** One line. */
  plain?: string;

  /**
   * First line.
   *
   *   - indented
   * * star
   */
  several?: string;

  /** Ends the comment *\/ early */
  ends?: string;
  /** Holds the escape *\\/ itself */
  escaped?: string;
  /** @description "Looks like a tag:\n@minimum 1" */
  tag?: string;
  /** Write to a@example.com. */
  mail?: string;
  /** @description " blank at the edge " */
  edge?: string;
  /** @description "one\r\ntwo" */
  windows?: string;
  /** @description "Text\n+optional" */
  marker?: string;
  /** @description "See {\u0040link https://example.com}" */
  link?: string;
  /** @description "one\u2028two" */
  separator?: string;
  /** @description "" */
  empty?: string;
  /** {{handlebars}} ${template} `backticks` */
  braces?: string;
  /** @items.description "One of them." */
  items?: string[];
}

export interface Note extends CustomResource<'example.com/v1', 'Note'> {
  spec?: NoteSpec;
}

export const Note = defineResource<Note>({
  group: 'example.com',
  version: 'v1',
  kind: 'Note',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
