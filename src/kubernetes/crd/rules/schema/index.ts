import { checkOpenApi, checkDefaults } from './check-open-api.ts';
import { checkForms, type Problem, type Schema, type SchemaPath } from './check-forms.ts';
import { checkRoot, checkStructural } from './check-root.ts';

export type { Problem, Schema, SchemaPath } from './check-forms.ts';

/** The place of a schema. */
interface SchemaCheck {
  /** The keys that lead to the schema; all reported paths begin with them. */
  readonly path: SchemaPath;
  /** True if the version has a status subresource. */
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
export function checkSchema(schema: Schema, check: SchemaCheck): readonly SchemaPath[] {
  let isReadable = true;
  const unknown = checkForms(schema, check.path, (at, message, owner) => {
    isReadable = false;
    check.problem(at, message, owner);
  });
  // The API server could not even read it.
  if (isReadable) checkSchemaRules(schema, check);
  return unknown;
}

/** The same for a schema whose form is known to be right. */
export function checkSchemaRules(schema: Schema, { path, hasStatus, problem }: SchemaCheck): void {
  // The checks go down with one path, which is another one as soon as they go on.
  const at = [...path];
  const report: Problem = (where, message, owner) =>
    problem([...where], message, owner === undefined ? undefined : [...owner]);
  checkRoot(schema, at, hasStatus, report);
  checkStructural(schema, at, report);
  checkDefaults(schema, at, report);
  checkOpenApi(schema, at, report);
}
