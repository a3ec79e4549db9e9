/** A part of a doc comment: the description, or a tag with its text. */
export interface CommentPart {
  readonly position: number;
  /** With the stars in front of the lines. */
  readonly raw: string;
}

/**
 * The description and the tags of a doc comment. An `@` at the beginning of a line of a code block, such as a decorator, is not a tag,
 * although TypeScript reads it as one.
 *
 * @param start behind `/**`
 * @param tags the positions of what TypeScript takes for tags
 * @param end in front of the end of the comment
 */
export function commentParts(
  text: string,
  start: number,
  tags: readonly number[],
  end: number,
): readonly CommentPart[] {
  const inCode = codeBlocks(text.slice(start, end));
  const starts = [start, ...tags.filter((position) => !inCode(position - start))];
  return starts.map((position, index) => ({ position, raw: text.slice(position, starts[index + 1] ?? end) }));
}

/** A fence on a line of its own, or behind a tag. */
const fence = /(?:^|\n)[ \t]*(?:\*[ \t]?)?[ \t]*(?:@\w+[ \t]+)?(`{3,}|~{3,})/g;

/** Returns a function that finds whether a position is inside of a code block. A block that does not end hides nothing. */
function codeBlocks(comment: string): (position: number) => boolean {
  const blocks: { readonly from: number; readonly to: number }[] = [];
  let open: { readonly from: number; readonly mark: string } | undefined;
  for (const { index, 0: line, 1: mark = '' } of comment.matchAll(fence)) {
    const at = index + line.length;
    if (open === undefined) open = { from: at, mark };
    else if (mark.startsWith(open.mark)) {
      blocks.push({ from: open.from, to: at });
      open = undefined;
    }
  }
  return (position) => blocks.some(({ from, to }) => position >= from && position < to);
}
