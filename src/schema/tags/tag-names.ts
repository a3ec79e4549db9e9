/** The tags that say something about the schema. */
export const schemaTags = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'default',
  'example',
  'title',
  'nullable',
  'immutable',
  'cel',
  'printerColumn',
  'k8s',
] as const;

export type SchemaTag = (typeof schemaTags)[number];

/** Tags that may stand several times in one comment. */
export const repeatableTags: ReadonlySet<string> = new Set<SchemaTag>(['cel', 'k8s']);

/**
 * Tags of TSDoc and JSDoc that inform people and have no place in a schema. They are read over: neither they nor their text appear in the
 * CRD.
 */
export const toleratedTags: ReadonlySet<string> = new Set([
  'alpha',
  'author',
  'beta',
  'copyright',
  'deprecated',
  'experimental',
  'file',
  'fileoverview',
  'internal',
  'license',
  'link',
  'module',
  'packageDocumentation',
  'privateRemarks',
  'public',
  'readonly',
  'remarks',
  'see',
  'since',
  'template',
  'todo',
  'typeParam',
  'version',
]);

export const knownTags: ReadonlySet<string> = new Set(schemaTags);

/** What people write who know another generator, and what it is called here. */
export const tagHints: Readonly<Record<string, string>> = {
  TJS: 'use a utility type such as Int32',
  asType: 'use a utility type such as Int32',
  description: 'write the text at the beginning of the comment, without a tag',
  embeddedResource:
    'use `@k8s {"x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}`',
  enum: "make the field's type a union of literals: `'a' | 'b'`",
  examples: 'use @example',
  externalDocs: 'use `@k8s {"externalDocs": {"url": "…"}}`',
  hidden: 'take the field out of the API, or make it a kind of its own',
  integer: 'make the type Int32, Int64 or Integer',
  items: 'give the items a type alias of their own and put the tag above it',
  kubebuilder: "op-sdk's tags are listed in docs/crd.md",
  listMapKey: "make the type ListMap<T, 'key'>",
  listType: "make the type ListMap<T, 'key'>, ListSet<T> or AtomicList<T>",
  max: 'use @maximum',
  min: 'use @minimum',
  optional: 'make the field optional: `name?: …`',
  preserveUnknownFields: 'make the type Json or JsonObject',
  required: 'make the field required: `name: …`',
  type: 'say it with the TypeScript type, or with `@k8s {"type": "…"}`',
  uniqueItems: 'make the type ListSet<T>; the API server refuses uniqueItems',
  validation: 'use @cel',
};
