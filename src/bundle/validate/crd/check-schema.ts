import { fieldName, textOf } from '../fields.ts';
import type { FieldPath, PlacedDocument, Report } from '../types.ts';
import { checkDefaults } from './schema/check-defaults.ts';
import { checkForms } from './schema/check-forms.ts';
import { checkOpenApi } from './schema/check-open-api.ts';
import { checkStructural, isZero } from './schema/check-structural.ts';
import type { Problem, Schema } from './schema/types.ts';

/** Fields that may stand at the root beside a status subresource. Source: apiextensions `allowedFieldsAtRootSchema`. */
const besideStatus = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/** Whose schema is checked. */
export interface SchemaOwner {
  readonly crd: PlacedDocument;
  readonly version: string;
  readonly hasStatus: boolean;
}

/**
 * A schema as the API server demands it, all but expressions in CEL.
 * Source: apiextensions `validation.go` `validateCustomResourceDefinitionValidation`.
 */
export function checkSchema(schema: Schema, path: FieldPath, owner: SchemaOwner, report: Report): void {
  const { crd, version } = owner;
  const depth = path.length;
  let found = 0;
  const problem: Problem = (at, message) => {
    found++;
    const inside = at.slice(depth);
    const where =
      inside.length === 0 ? `the schema of ${version}` : `the schema of ${version}, at ${fieldName(inside)}`;
    const fix = 'correct the schema; generated ones are changed in their sources';
    report.error('bundle/crd-schema', [crd, at], `${where}: ${message}`, fix);
  };
  const unknown = checkForms(schema, path, problem);
  warnOfUnknown(unknown, owner, report);
  // The API server could not even read it.
  if (found > 0) return;
  checkRoot(schema, path, owner, problem);
  checkStructural(schema, path, problem);
  if (found === 0) checkDefaults(schema, path, problem);
  checkOpenApi(schema, path, problem);
}

/** One warning for each unknown field, however often it is there. */
function warnOfUnknown(unknown: readonly FieldPath[], { crd, version }: SchemaOwner, { warn }: Report): void {
  const byName = new Map<string, FieldPath[]>();
  for (const path of unknown) {
    const name = String(path.at(-1));
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  for (const [name, [first = [], ...more]] of byName) {
    const often = more.length === 0 ? '' : `, here and at ${more.length} more places`;
    const message = `the schema of ${version} has a field ${name}, which the API server drops${often}`;
    warn('bundle/unknown-schema-field', [crd, first], message, 'remove it, or correct its name');
  }
}

function checkRoot(schema: Schema, path: FieldPath, { hasStatus }: SchemaOwner, problem: Problem): void {
  if (schema['nullable'] === true) problem([...path, 'nullable'], 'the root cannot be nullable');
  if (!hasStatus) return;
  const extra = Object.entries(schema).find(
    ([field, value]) => !isZero(value) && !besideStatus.includes(field),
  );
  if (extra !== undefined)
    problem([...path, extra[0]], `${extra[0]} cannot stand at the root beside a status subresource`);
  if (textOf(schema['type']) === '') problem(path, 'beside a status subresource, the root must be an object');
}
