import type ts from 'typescript';
import type { TypeScript } from '../../source/index.ts';
import type { Problem } from '../shape.ts';
import { isKnownTag } from '../tags/tag-names.ts';

/**
 * Reports comments that seem to apply to a declaration but that TypeScript ignores: a doc comment on the same line as the `{` or `;` before
 * the declaration, and tags in comments that are not doc comments.
 */
export function placementProblems(ts: TypeScript, node: ts.Node): Problem[] {
  const file = node.getSourceFile();
  const { text } = file;
  const problems: Problem[] = [];
  const own = inlineRanges(ts, node);
  if (ts.isTypeElement(node))
    problems.push(
      ...sameLine(ts, file, node.pos).filter(({ at }) => !own.some((range) => range.pos === at?.position)),
    );
  // The first statement of a file is skipped, because no token precedes its comment.
  if (ts.isStatement(node) && node.pos > 0) problems.push(...sameLine(ts, file, node.pos));
  if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))
    problems.push(...sameLine(ts, file, node.members.end));
  for (const range of ts.getLeadingCommentRanges(text, node.pos) ?? []) {
    const comment = text.slice(range.pos, range.end);
    if (comment.startsWith('/**')) continue;
    const tag = tagIn(comment);
    if (tag !== undefined) problems.push(notADocComment(file, range.pos, tag));
  }
  return [...problems, ...insideOf(ts, node)];
}

/** Finds tags in comments before a type, after a name or before a closing brace. */
function insideOf(ts: TypeScript, node: ts.Node): Problem[] {
  const file = node.getSourceFile();
  // A quick test first: few declarations contain a doc comment, and checking each token is slow.
  if (!file.text.slice(node.getStart(file), node.end).includes('/**')) return [];
  const problems: Problem[] = [];
  const check = (position: number): void => {
    for (const range of commentsAt(ts, file.text, position)) {
      const [, tag] = /^\/\*\*[\s\S]*?(?:^|[\s*])@([\w.]+)/.exec(file.text.slice(range.pos, range.end)) ?? [];
      if (tag !== undefined && isKnownTag(tag)) problems.push(attachedToNothing(file, range.pos, tag));
    }
  };
  const visit = (part: ts.Node): void => {
    // Members of an interface are checked as declarations of their own. Values of an enum are skipped too, because a schema has nowhere to
    // put their comments.
    if (part.kind >= ts.SyntaxKind.FirstJSDocNode && part.kind <= ts.SyntaxKind.LastJSDocNode) return;
    if (ts.isTypeElement(part)) return;
    const children = part.getChildren(file);
    if (children.length === 0) check(part.pos);
    children.forEach(visit);
  };
  const [, ...rest] = node.getChildren(file).filter((part) => !ts.isJSDoc(part));
  rest.forEach(visit);
  return problems;
}

function commentsAt(ts: TypeScript, text: string, position: number): readonly ts.CommentRange[] {
  // A comment on the line of the previous token follows that token; a comment on a line of its own precedes the next token.
  return [
    ...(ts.getTrailingCommentRanges(text, position) ?? []),
    ...(ts.getLeadingCommentRanges(text, position) ?? []),
  ];
}

function attachedToNothing(file: ts.SourceFile, position: number, tag: string): Problem {
  return {
    code: 'schema/ignored-comment',
    message: `@${tag} is in a comment that belongs to no field: TypeScript ignores it here`,
    fix: ['put it into the doc comment above the field or the type'],
    at: { file, position },
  };
}

function sameLine(ts: TypeScript, file: ts.SourceFile, position: number): Problem[] {
  const ranges = ts.getTrailingCommentRanges(file.text, position) ?? [];
  return ranges
    .filter((range) => file.text.startsWith('/**', range.pos) && range.end - range.pos > '/***/'.length - 1)
    .map((range) => ({
      code: 'schema/ignored-comment',
      message: 'TypeScript ignores this doc comment: it follows `{`, `;`, `}` or a field on the same line',
      fix: ['put the comment on a line of its own above the field or the type'],
      at: { file, position: range.pos },
    }));
}

function tagIn(comment: string): string | undefined {
  for (const [, name = ''] of comment.matchAll(/^[\s/*]*@([\w.]+)/gm)) {
    if (isKnownTag(name)) return name;
  }
  return undefined;
}

function notADocComment(file: ts.SourceFile, position: number, tag: string): Problem {
  return {
    code: 'schema/ignored-comment',
    message: `@${tag} is in an ordinary comment, where it has no effect`,
    fix: ['make it a doc comment: `/** … */`'],
    at: { file, position },
  };
}

/** A doc comment with the positions of its tags. */
export interface CommentBlock {
  readonly pos: number;
  readonly end: number;
  readonly tags: readonly number[];
}

/**
 * Returns the doc comments before a field that are on the same line as the `{`, `;` or `,` before the field: `{ /** @minimum 1 *\/ size:
 * Int32 }`. The compiler reads them as trailing comments of the previous token and attaches them to no declaration.
 */
export function inlineBlocks(ts: TypeScript, node: ts.Node): CommentBlock[] {
  return inlineRanges(ts, node).map((range) => commentBlock(ts, node.getSourceFile(), range));
}

/** Returns the doc comment at a range. Used for comments that the compiler attaches to no declaration. */
export function commentBlock(ts: TypeScript, { text }: ts.SourceFile, range: ts.TextRange): CommentBlock {
  const { pos, end } = range;
  return { pos, end, tags: tagsOf(ts, text.slice(pos, end), pos) };
}

/**
 * Returns the ranges of the doc comments before a field that are on the line of the previous token. A comment at the end of another field's
 * line does not belong to this field.
 */
function inlineRanges(ts: TypeScript, node: ts.Node): readonly ts.CommentRange[] {
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

/**
 * Returns the positions of the tags in a comment. Lets the compiler parse the comment, so that the tags are found as in all other comments.
 */
function tagsOf(ts: TypeScript, comment: string, position: number): readonly number[] {
  const file = ts.createSourceFile('comment.ts', `${comment}\nlet field;`, ts.ScriptTarget.Latest);
  const [block] = (file.statements[0] as { jsDoc?: ts.JSDoc[] } | undefined)?.jsDoc ?? [];
  return (block?.tags ?? []).map((tag) => position + tag.pos);
}
