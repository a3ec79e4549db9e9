import type { Doc, Tag } from '../shape.ts';
import { parseJson, type Parsed } from './values.ts';

/** Tags that apply to the schema of a type, at every place where the type is used. */
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

/** Tags that apply to a field's position in its kind, to its display in OLM, or to warnings of op-sdk. These tags cannot have a prefix. */
const placeTags = ['printerColumn', 'selectable', 'scale', 'descriptor', 'displayName', 'allow'] as const;

/** Names of all tags that affect op-sdk, without prefixes. */
export const schemaTags = [...nodeTags, ...placeTags] as const;

export type SchemaTag = (typeof schemaTags)[number];

/** Tags that may appear several times in one comment. */
export const repeatableTags: ReadonlySet<string> = new Set<SchemaTag>([
  'allow',
  'cel',
  'descriptor',
  'example',
  'k8s',
]);

/**
 * Prefixes that apply a tag to inner values. For example, `@items.maxLength` applies to the items of a list, and `@values.maxLength` to the
 * values of a record.
 */
export const tagPrefixes = ['items', 'values'] as const;

export type TagPrefix = (typeof tagPrefixes)[number];

/**
 * Tags of TSDoc, JSDoc and TypeDoc that only inform people. Tags by which other tools omit a field from their output, such as `@hidden`,
 * are not included.
 */
const forPeople: ReadonlySet<string> = new Set(
  [
    'abstract access alpha async augments author beta borrows callback category class classdesc const constant constructor',
    'constructs copyright decorator defaultValue deprecated document enumMember event eventProperty exception experimental exports',
    'extends external file fileoverview fires func function generator global group host implements import inheritDoc inheritdoc',
    'inner instance interface internal kind label lends license link linkcode linkplain listens member memberof method mixes mixin',
    'module name namespace override overload overview package packageDocumentation param privateRemarks private prop property',
    'protected public readonly remarks return returns satisfies sealed see since static summary template this throws todo',
    'tutorial typedef typeParam var variation version virtual yields',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Tags with which JSDoc declares a type, in braces. op-sdk ignores them, as TypeScript does. A tag without braces is not ignored, because
 * the author means a constraint.
 */
const typeTags: ReadonlySet<string> = new Set(['enum', 'type']);

/**
 * Returns true if a tag is for people, so that neither the tag nor its text appears in the CRD. `@example`, with or without prefixes, is
 * for people unless its text is JSON.
 */
export function isForPeople(name: string, text: string): boolean {
  if (forPeople.has(name)) return true;
  if (typeTags.has(name)) return text.startsWith('{');
  return isKnownTag(name) && readTagName(name).base === 'example' && !isJson(text);
}

function isJson(text: string): boolean {
  return 'value' in parseJson(text);
}

/** Names of the tags that are for people, for suggesting corrections of misspelled tags. */
export const tagsForPeople: readonly string[] = [...forPeople];

const known: ReadonlySet<string> = new Set(schemaTags);
const withoutPrefix: ReadonlySet<string> = new Set(placeTags);

/** The parts of a tag's name. For example, `items.values.maxLength` has the prefixes `items` and `values`, and the base `maxLength`. */
interface TagName {
  readonly prefixes: readonly TagPrefix[];
  readonly base: string;
}

/** Splits the name of a tag into prefixes and base. The base is everything after the prefixes. */
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

/** Returns true if op-sdk has a tag of this name, and the tag may have the prefixes in the name. */
export function isKnownTag(name: string): boolean {
  const { prefixes, base } = readTagName(name);
  return known.has(base) && (prefixes.length === 0 || !withoutPrefix.has(base));
}

/** Returns true if the tag exists but must not have the prefix that it has. */
export function isMisplacedPrefix(name: string): boolean {
  const { prefixes, base } = readTagName(name);
  return prefixes.length > 0 && withoutPrefix.has(base);
}

/** Returns the name of a tag as written in the source, with its prefixes. */
export function writtenName(tag: Pick<Tag, 'name' | 'written'>): string {
  return tag.written ?? tag.name;
}

/**
 * Returns docs for the items of a list or the values of a record, made from the docs of the list or record itself. They contain the tags
 * with the given prefix, but without the prefix. These docs precede the docs of the item's or value's own type, as if the item or value
 * were a field.
 */
export function handDown(docs: readonly Doc[], prefix: TagPrefix): Doc[] {
  return docs.flatMap((doc) => {
    const tags = doc.tags.flatMap((tag) => handDownTag(tag, prefix));
    if (tags.length === 0) return [];
    const description = tags.map(describedBy).find((text) => text !== undefined);
    const { id, kind, node } = doc;
    const label = `${doc.label}${prefix === 'items' ? '[]' : '[*]'}`;
    return [
      {
        id,
        kind,
        node,
        label,
        tags,
        problems: [],
        advice: [],
        ...(description === undefined ? {} : { description }),
      },
    ];
  });
}

function handDownTag(tag: Tag, prefix: TagPrefix): Tag[] {
  // Skips a tag that does not exist, because it has already been reported at its own place.
  if (!tag.name.startsWith(`${prefix}.`) || !isKnownTag(tag.name)) return [];
  return [{ ...tag, name: tag.name.slice(prefix.length + 1), written: writtenName(tag) }];
}

function describedBy(tag: Tag): string | undefined {
  if (tag.name !== 'description') return undefined;
  const parsed = parseDescription(tag.text);
  return 'value' in parsed ? parsed.value : undefined;
}

/**
 * Reads the text of a `@description` tag. The text is plain text or a JSON string. A JSON string is for texts that a comment cannot
 * contain, such as the empty text.
 */
export function parseDescription(text: string): Parsed<string> {
  if (text === '') return { problem: 'expects a text; write an empty one as `""`' };
  if (!text.startsWith('"')) return { value: text };
  const parsed = parseJson(text);
  return 'value' in parsed && typeof parsed.value === 'string'
    ? { value: parsed.value }
    : { problem: 'expects a JSON string where its text begins with a double quote' };
}
