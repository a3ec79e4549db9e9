import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { patternProblem } from '../../value/re2.ts';
import type { Problem, Schema, SchemaPath } from './types.ts';

/** Checks that the pattern of a schema is a regular expression of Go. */
export function checkPattern(schema: Schema, path: SchemaPath, problem: Problem): void {
  const pattern = jsonTextOf(schema['pattern']);
  const reason = pattern === '' ? undefined : patternProblem(pattern);
  if (reason !== undefined)
    problem(
      [...path, 'pattern'],
      `the pattern is not a valid regular expression in RE2, the syntax of Go: ${reason}`,
    );
}
