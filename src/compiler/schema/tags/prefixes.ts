import type { Doc, Tag } from '../shape.ts';
import { parseDescription } from './description.ts';
import { isKnownTag, type TagPrefix } from './tag-names.ts';

/** The name of a tag as written in the source, with its prefixes. */
export function writtenName(tag: Pick<Tag, 'name' | 'written'>): string {
  return tag.written ?? tag.name;
}

/**
 * The docs that the items of a list (or the values of a record) get from the docs of the list: those of its tags that have the prefix,
 * without it. They stand in front of the docs of the items' own type, as if the items were a field of their own.
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
  // A tag that does not exist is reported once, at its place.
  if (!tag.name.startsWith(`${prefix}.`) || !isKnownTag(tag.name)) return [];
  return [{ ...tag, name: tag.name.slice(prefix.length + 1), written: writtenName(tag) }];
}

function describedBy(tag: Tag): string | undefined {
  if (tag.name !== 'description') return undefined;
  const parsed = parseDescription(tag.text);
  return 'value' in parsed ? parsed.value : undefined;
}
