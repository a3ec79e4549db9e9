import type ts from 'typescript';
import type { Finding } from '../../base/errors/index.ts';
import { createDocReader } from './comments/doc-comments.ts';
import type { SourceProgram } from '../source/index.ts';
import { createSchemaReporter } from './reporter.ts';
import type { Problem, Tag } from './shape.ts';
import { allowsOf, unusedAllow, type Allow } from './tags/allow.ts';
import { tagProblem } from './tags/apply-tags.ts';
import { isKnownTag } from './tags/tag-names.ts';

/** The warnings about a resource that its author allows, by `@allow` tags above `export const X = defineResource`. */
export interface ResourceAllows {
  /** The codes that are allowed. Whoever asks is taken to have had something to allow. */
  allows(code: string): boolean;
  /** Errors in the comment. */
  readonly findings: readonly Finding[];
  /** A warning for each `@allow` that nobody has asked for. */
  unused(): readonly Finding[];
}

/** Tags that people also write for people, above anything. */
const forPeople = new Set(['default', 'description', 'example', 'required', 'title']);

/** @param call of `defineResource` */
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
  const message = `@${tag.name} has no effect above defineResource, which is not part of the schema`;
  return [tagProblem('schema/ignored-comment', tag, message, ['put it above the interface of the kind'])];
}

/** The statement whose comment belongs to the call: `export const X = defineResource(…)`. */
export function statementOf({ ts }: SourceProgram, call: ts.CallExpression): ts.Node {
  let node: ts.Node = call;
  while (!ts.isSourceFile(node.parent) && !ts.isBlock(node.parent)) node = node.parent;
  return node;
}
