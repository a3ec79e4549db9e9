import type ts from 'typescript';
import type { TypeScript } from './compiler.ts';
import type { Problem } from './shape.ts';
import { knownTags } from './tags/tag-names.ts';

/**
 * Comments that look as if they said something about a declaration but that TypeScript ignores: a doc comment on the line of the `{` or `;`
 * before it, and tags in comments that are not doc comments.
 */
export function placementProblems(ts: TypeScript, node: ts.Node): Problem[] {
  const file = node.getSourceFile();
  const { text } = file;
  const problems: Problem[] = [];
  if (ts.isTypeElement(node)) problems.push(...sameLine(ts, file, node.pos));
  if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))
    problems.push(...sameLine(ts, file, node.members.end));
  for (const range of ts.getLeadingCommentRanges(text, node.pos) ?? []) {
    const comment = text.slice(range.pos, range.end);
    if (comment.startsWith('/**')) continue;
    const tag = tagIn(comment);
    if (tag !== undefined) problems.push(notADocComment(file, range.pos, tag));
  }
  return problems;
}

function sameLine(ts: TypeScript, file: ts.SourceFile, position: number): Problem[] {
  const ranges = ts.getTrailingCommentRanges(file.text, position) ?? [];
  return ranges
    .filter((range) => file.text.startsWith('/**', range.pos) && range.end - range.pos > '/***/'.length - 1)
    .map((range) => ({
      code: 'schema/ignored-comment',
      message: 'TypeScript ignores a doc comment that stands on the same line after `{`, `;` or a field',
      fix: ['put the comment on a line of its own above the field'],
      at: { file, position: range.pos },
    }));
}

function tagIn(comment: string): string | undefined {
  for (const [, name = ''] of comment.matchAll(/^[\s/*]*@(\w+)/gm)) {
    if (knownTags.has(name)) return name;
  }
  return undefined;
}

function notADocComment(file: ts.SourceFile, position: number, tag: string): Problem {
  return {
    code: 'schema/ignored-comment',
    message: `@${tag} stands in an ordinary comment, where it has no effect`,
    fix: ['make it a doc comment: `/** … */`'],
    at: { file, position },
  };
}
