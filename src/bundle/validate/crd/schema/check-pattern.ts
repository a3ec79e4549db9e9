import { patternProblem } from '../../../../schema/tags/re2.ts';
import { textOf } from '../../fields.ts';
import type { FieldPath } from '../../types.ts';
import type { Problem, Schema } from './types.ts';

/** Says so if the pattern of a schema is no regular expression of Go. */
export function checkPattern(schema: Schema, path: FieldPath, problem: Problem): void {
  const pattern = textOf(schema['pattern']);
  const reason = pattern === '' ? undefined : patternProblem(pattern);
  if (reason !== undefined)
    problem([...path, 'pattern'], `the pattern is no regular expression in RE2, the syntax of Go: ${reason}`);
}
