import type ts from 'typescript';
import type { Finding } from '../../base/errors/index.ts';
import { isProjectFile, projectPath, type SourcePlace, type SourceProgram } from '../source/index.ts';
import { commentTags, createDocReader } from './comments/doc-comments.ts';
import { createSchemaReporter } from './reporter.ts';
import { allowsOf, unusedAllow, type Allow } from './tags/cel.ts';
import type { Problem, Tag } from './shape.ts';
import { tagProblem } from './tags/apply-tags.ts';
import { isKnownTag } from './tags/tag-names.ts';

/** Warnings that an author allows with `@allow` tags above a declaration, a statement, a property or an item of a list. */
export interface CodeAllows {
  /** Returns true if the warning with this code is allowed at a place, and marks the tags that allow it as used. */
  covers(code: string, place: SourcePlace): boolean;
  /** Errors in `@allow` tags that lack a reason or have an unknown code. */
  readonly findings: readonly Finding[];
  /** Returns a warning for each tag that covered no warning. */
  unused(): readonly Finding[];
}

interface CodeOptions {
  /** Codes of the warnings that tags may allow. A tag with any other code is considered only if it covers one of `places`. */
  readonly codes: readonly string[];
  /** Places at which a warning may be reported. */
  readonly places: readonly SourcePlace[];
  /** Calls of `defineResource`. They are skipped, because the comments above them are read together with the schema. */
  readonly resources: readonly ts.CallExpression[];
}

/** The part of a file that a comment covers. */
interface Covered {
  readonly file: ts.SourceFile;
  readonly start: number;
  readonly end: number;
}

type PlacedAllow = Allow & { readonly covered: Covered };

/** Reads the `@allow` tags above code. Skips tags above types and above `defineResource`, because they belong to the schema. */
export function codeAllows(source: SourceProgram, { codes, places, resources }: CodeOptions): CodeAllows {
  const reporter = createSchemaReporter(source);
  const skipped = new Set<ts.Node>(resources.map((call) => statementOf(source, call)));
  const contains = ({ file, start, end }: Covered, place: SourcePlace): boolean => {
    if (projectPath(source.projectDir, file.fileName) !== place.file) return false;
    const position = file.getPositionOfLineAndCharacter(place.line - 1, place.column - 1);
    return start <= position && position < end;
  };
  const allows: PlacedAllow[] = [];
  for (const file of source.program.getSourceFiles()) {
    if (!isProjectFile(source.program, file) || !file.text.includes('@allow')) continue;
    for (const { range, covered } of commentsOfCode(source, file, skipped)) {
      const isNear = places.some((place) => contains(covered, place));
      const tags = commentTags(source, file, range).filter(
        (tag) => tag.name === 'allow' && (isNear || codes.includes(/^\S*/.exec(tag.text)?.[0] ?? '')),
      );
      const read = allowsOf({ tags });
      for (const problem of read.problems) reporter.error(problem, []);
      allows.push(...read.allows.map((allow) => ({ ...allow, covered })));
    }
  }
  const used = new Set<Allow>();
  return {
    covers(code, place) {
      const covering = allows.filter((allow) => allow.code === code && contains(allow.covered, place));
      for (const allow of covering) used.add(allow);
      return covering.length > 0;
    },
    findings: reporter.findings,
    unused() {
      for (const allow of allows) if (!used.has(allow)) reporter.warn(unusedAllow(allow), []);
      return reporter.warnings;
    },
  };
}

/**
 * Returns the doc comments of a file that contain `@allow`, each with the code that it covers: the outermost node that begins after the
 * comment.
 */
function commentsOfCode(
  { ts }: SourceProgram,
  file: ts.SourceFile,
  skipped: ReadonlySet<ts.Node>,
): readonly { readonly range: ts.TextRange; readonly covered: Covered }[] {
  const { text } = file;
  const seen = new Set<number>();
  const found: { readonly range: ts.TextRange; readonly covered: Covered }[] = [];
  const visit = (node: ts.Node): void => {
    if (skipped.has(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node)) return;
    if (ts.isPropertyDeclaration(node)) {
      if (node.initializer !== undefined) visit(node.initializer);
      return;
    }
    const start = node.getStart(file);
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.pos) ?? []).filter(
        ({ end }) => !text.slice(end, start).includes('\n'),
      ),
    ];
    for (const range of ranges) {
      const comment = text.slice(range.pos, range.end);
      if (seen.has(range.pos) || !comment.startsWith('/**') || !comment.includes('@allow')) continue;
      seen.add(range.pos);
      found.push({ range, covered: { file, start, end: node.end } });
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found;
}

/** Warnings about a resource that its author allows with `@allow` tags above `export const X = defineResource`. */
export interface ResourceAllows {
  /** Returns true if the warning with this code is allowed, and marks the `@allow` tag as used. */
  allows(code: string): boolean;
  /** Errors in the comment above the `defineResource` call. */
  readonly findings: readonly Finding[];
  /** Returns a warning for each `@allow` that was never used. */
  unused(): readonly Finding[];
}

/** Names of tags that authors also use above any code as plain documentation. */
const forPeople = new Set(['default', 'description', 'example', 'required', 'title']);

/** @param call `defineResource` call above which the comment is read */
export function resourceAllows(source: SourceProgram, call: ts.CallExpression): ResourceAllows {
  const doc = createDocReader(source).of(statementOf(source, call));
  const { allows, problems } = allowsOf(doc);
  const reporter = createSchemaReporter(source);
  const used = new Set<Allow>();
  for (const problem of [...problems, ...doc.problems, ...doc.tags.flatMap(misplaced)])
    reporter.error(problem, [doc]);
  return {
    allows(code) {
      const allowing = allows.filter((allow) => allow.code === code);
      for (const allow of allowing) used.add(allow);
      return allowing.length > 0;
    },
    findings: reporter.findings,
    unused() {
      for (const allow of allows.filter((item) => !used.has(item))) reporter.warn(unusedAllow(allow), []);
      return reporter.warnings;
    },
  };
}

function misplaced(tag: Tag): readonly Problem[] {
  if (!isKnownTag(tag.name) || tag.name === 'allow' || forPeople.has(tag.name)) return [];
  const message = `@${tag.name} has no effect here: the comment above defineResource is not part of the schema`;
  return [tagProblem('schema/ignored-comment', tag, message, ['put it above the interface of the kind'])];
}

/** Returns the statement whose comment belongs to the call, as in `export const X = defineResource(…)`. */
function statementOf({ ts }: SourceProgram, call: ts.CallExpression): ts.Node {
  let node: ts.Node = call;
  while (!ts.isSourceFile(node.parent) && !ts.isBlock(node.parent)) node = node.parent;
  return node;
}
