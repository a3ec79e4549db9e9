import { checkDefaults } from './check-defaults.ts';
import { checkForms } from './check-forms.ts';
import { checkOpenApi } from './check-open-api.ts';
import { checkRoot } from './check-root.ts';
import { checkStructural } from './check-structural.ts';
import type { Problem, Schema, SchemaPath } from './types.ts';

export type { Problem, Schema, SchemaPath } from './types.ts';

/** The place of a schema. */
export interface SchemaCheck {
  /** The keys that lead to the schema; all reported paths begin with them. */
  readonly path: SchemaPath;
  /** Whether the version has a status subresource. */
  readonly hasStatus: boolean;
  readonly problem: Problem;
}

/**
 * A schema of a CustomResourceDefinition as the API server (1.36) demands it: all but what needs the expressions in CEL to be compiled.
 * Schemas that are generated, those that users write in tags, and those that others wrote are all judged here.
 * Source: apiextensions `validation.go` `validateCustomResourceDefinitionValidation`.
 *
 * @returns the places of the fields that the API server does not know and drops
 */
export function checkSchema(
  schema: Schema,
  { path, hasStatus, problem }: SchemaCheck,
): readonly SchemaPath[] {
  let found = 0;
  const count: Problem = (at, message, owner) => {
    found++;
    problem(at, message, owner);
  };
  const unknown = checkForms(schema, path, count);
  // The API server could not even read it.
  if (found > 0) return unknown;
  checkRoot(schema, path, hasStatus, count);
  checkStructural(schema, path, count);
  checkDefaults(schema, path, count);
  checkOpenApi(schema, path, count);
  return unknown;
}
