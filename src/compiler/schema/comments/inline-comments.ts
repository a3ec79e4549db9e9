import type ts from 'typescript';
import type { TypeScript } from '../../source/index.ts';

/** A doc comment, and the positions of its tags. */
export interface CommentBlock {
  readonly pos: number;
  readonly end: number;
  readonly tags: readonly number[];
}

/**
 * Doc comments in front of a field on the line of the `{`, `;` or `,` before it: `{ /** @minimum 1 *\/ size: Int32 }`. The compiler takes
 * them for something said of what is before, and attaches them to nothing.
 */
export function inlineBlocks(ts: TypeScript, node: ts.Node): CommentBlock[] {
  return inlineRanges(ts, node).map((range) => commentBlock(ts, node.getSourceFile(), range));
}

/** The doc comment of a range that the compiler has attached to nothing. */
export function commentBlock(ts: TypeScript, { text }: ts.SourceFile, range: ts.TextRange): CommentBlock {
  const { pos, end } = range;
  return { pos, end, tags: tagsOf(ts, text.slice(pos, end), pos) };
}

/** Where these comments are. One that ends the line of another field belongs to that, if to any. */
export function inlineRanges(ts: TypeScript, node: ts.Node): readonly ts.CommentRange[] {
  const isMember =
    ts.isTypeElement(node) || ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
  if (!isMember) return [];
  const file = node.getSourceFile();
  const { text } = file;
  const start = node.getStart(file);
  return (ts.getTrailingCommentRanges(text, node.pos) ?? []).filter(
    ({ pos, end }) =>
      text.startsWith('/**', pos) && end - pos > '/**/'.length && !text.slice(end, start).includes('\n'),
  );
}

/** The compiler's idea of where tags begin, as for every other comment. */
function tagsOf(ts: TypeScript, comment: string, position: number): readonly number[] {
  const file = ts.createSourceFile('comment.ts', `${comment}\nlet field;`, ts.ScriptTarget.Latest);
  const [block] = (file.statements[0] as { jsDoc?: ts.JSDoc[] } | undefined)?.jsDoc ?? [];
  return (block?.tags ?? []).map((tag) => position + tag.pos);
}
