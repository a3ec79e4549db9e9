import { commentJson, escapeComment, isPlainDescription, readableDescription } from './comment-text.ts';
import type { TagLine } from './model.ts';

/** A line that is longer gets a comment of several lines. */
const WIDEST = 100;

export interface DocComment {
  readonly description?: string | undefined;
  readonly tags: readonly TagLine[];
}

/**
 * A doc comment, its lines without indentation; empty if there is nothing to say.
 *
 * @param exact whether the comment is read back: then text that it cannot contain is written as a `@description`
 */
export function printComment({ description, tags }: DocComment, exact: boolean): readonly string[] {
  const isPlain = description !== undefined && (!exact || isPlainDescription(description));
  const text = !isPlain ? '' : escapeComment(exact ? description : readableDescription(description));
  const asTag = description === undefined || isPlain ? [] : [descriptionTag('', description)];
  const lines = [...asTag, ...tags].map(({ name, text: value }) => {
    return `@${name}${value === '' ? '' : ` ${escapeComment(value)}`}`;
  });
  const [first, ...more] = [
    ...(text === '' ? [] : text.split('\n')),
    ...(text !== '' && lines.length > 0 ? [''] : []),
    ...lines,
  ];
  if (first === undefined) return [];
  // A slash behind the opening would end the comment.
  if (more.length === 0 && first.length <= WIDEST && !first.endsWith('*')) return [`/** ${first} */`];
  return ['/**', ...[first, ...more].map((line) => (line === '' ? ' *' : ` * ${line}`)), ' */'];
}

/** `@description "…"`, behind a prefix such as `items.`. */
export function descriptionTag(prefix: string, description: string): TagLine {
  return { name: `${prefix}description`, text: commentJson(description) };
}
