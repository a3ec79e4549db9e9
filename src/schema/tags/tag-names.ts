/** The tags that say something about a schema, wherever it stands. */
const nodeTags = [
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
  'description',
  'externalDocs',
  'embeddedResource',
  'preserveUnknownFields',
  'mapType',
  'required',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'k8s',
] as const;

/** The tags that say something about the place of a field in its kind, or about our warnings. They have no form behind a prefix. */
const placeTags = ['printerColumn', 'selectable', 'scale', 'allow'] as const;

/** All tags that say something to op-sdk, without prefixes. */
export const schemaTags = [...nodeTags, ...placeTags] as const;

export type SchemaTag = (typeof schemaTags)[number];

/** Tags that may stand several times in one comment. */
export const repeatableTags: ReadonlySet<string> = new Set<SchemaTag>(['cel', 'k8s', 'allow']);

/** Where a prefixed tag belongs: `@items.maxLength` to the items of a list, `@values.maxLength` to the values of a record. */
export const tagPrefixes = ['items', 'values'] as const;

export type TagPrefix = (typeof tagPrefixes)[number];

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

const known: ReadonlySet<string> = new Set(schemaTags);
const withoutPrefix: ReadonlySet<string> = new Set(placeTags);

/** A tag's name in its parts: `items.values.maxLength` is `maxLength` behind `items` and `values`. */
export interface TagName {
  readonly prefixes: readonly TagPrefix[];
  readonly base: string;
}

/** Splits the name of a tag; what is no prefix belongs to the base. */
export function readTagName(name: string): TagName {
  const prefixes: TagPrefix[] = [];
  let base = name;
  for (;;) {
    const prefix = tagPrefixes.find((item) => base.startsWith(`${item}.`));
    if (prefix === undefined) return { prefixes, base };
    prefixes.push(prefix);
    base = base.slice(prefix.length + 1);
  }
}

/** Whether op-sdk has a tag of this name, prefixes included. */
export function isKnownTag(name: string): boolean {
  const { prefixes, base } = readTagName(name);
  return known.has(base) && (prefixes.length === 0 || !withoutPrefix.has(base));
}

/** Whether a tag exists but says nothing behind a prefix. */
export function isMisplacedPrefix(name: string): boolean {
  const { prefixes, base } = readTagName(name);
  return prefixes.length > 0 && withoutPrefix.has(base);
}

/** What people write who know another generator, and what it is called here. */
export const tagHints: Readonly<Record<string, string>> = {
  TJS: 'use a utility type such as Int32',
  asType: 'use a utility type such as Int32',
  enum: "make the field's type a union of literals: `'a' | 'b'`",
  examples: 'use @example',
  hidden: 'take the field out of the API, or make it a kind of its own',
  integer: 'make the type Int32, Int64 or Integer',
  items: 'say which constraint the items have: `@items.maxLength 10`',
  kubebuilder: "op-sdk's tags are listed in docs/crd.md",
  listMapKey: "make the type ListMap<T, 'key'>",
  listType: "make the type ListMap<T, 'key'>, ListSet<T> or AtomicList<T>",
  max: 'use @maximum',
  min: 'use @minimum',
  optional: 'make the field optional: `name?: …`',
  type: 'say it with the TypeScript type, or with `@k8s {"type": "…"}`',
  uniqueItems: 'make the type ListSet<T>; the API server refuses uniqueItems',
  validation: 'use @cel',
  values: 'say which constraint the values have: `@values.maxLength 10`',
};
