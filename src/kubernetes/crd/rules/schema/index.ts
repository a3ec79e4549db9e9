import { checkOpenApi, checkDefaults } from './check-open-api.ts';
import { checkForms, type Problem, type Schema, type SchemaPath } from './check-forms.ts';
import { checkRoot, checkStructural } from './check-root.ts';

export type { Problem, Schema, SchemaPath } from './check-forms.ts';

/** Context in which a schema is checked. */
interface SchemaCheck {
  /** Keys that lead to the schema. All reported paths begin with these keys. */
  readonly path: SchemaPath;
  /** True if the version of the schema has a status subresource. */
  readonly hasStatus: boolean;
  readonly problem: Problem;
}

/**
 * Checks a schema of a CustomResourceDefinition like the API server (1.36), except for the compilation of CEL expressions. This check is
 * used for generated schemas, for schemas that users write in tags, and for schemas of other projects. Source: apiextensions
 * `validation.go` `validateCustomResourceDefinitionValidation`.
 *
 * @returns the paths of the fields that the API server does not know and drops
 */
export function checkSchema(schema: Schema, check: SchemaCheck): readonly SchemaPath[] {
  let isReadable = true;
  const unknown = checkForms(schema, check.path, (at, message, owner) => {
    isReadable = false;
    check.problem(at, message, owner);
  });
  // Rules are checked only if the schema is readable, because the API server cannot decode an unreadable schema.
  if (isReadable) checkSchemaRules(schema, check);
  return unknown;
}

/** Checks a schema like {@link checkSchema}, but without its form. The caller must have checked the form already. */
export function checkSchemaRules(schema: Schema, { path, hasStatus, problem }: SchemaCheck): void {
  // The checks change this path in place, so each reported path is a copy.
  const at = [...path];
  const report: Problem = (where, message, owner) =>
    problem([...where], message, owner === undefined ? undefined : [...owner]);
  checkRoot(schema, at, hasStatus, report);
  checkStructural(schema, at, report);
  checkDefaults(schema, at, report);
  checkOpenApi(schema, at, report);
}
