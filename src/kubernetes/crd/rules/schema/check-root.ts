import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { isZero } from './check-structural.ts';
import type { Problem, Schema, SchemaPath } from './types.ts';

/** Keywords that a root may have beside a status subresource, whose schema is cut out of it. Source: apiextensions `allowedFieldsAtRootSchema`. */
export const besideStatus: readonly string[] = [
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

/** Refuses what only the root may not have. Source: apiextensions `validation.go` `validateCustomResourceDefinitionValidation`. */
export function checkRoot(schema: Schema, path: SchemaPath, hasStatus: boolean, problem: Problem): void {
  if (schema['nullable'] === true) problem([...path, 'nullable'], 'the root cannot be nullable');
  if (!hasStatus) return;
  const extra = Object.entries(schema).find(
    ([field, value]) => !isZero(value) && !besideStatus.includes(field),
  );
  if (extra !== undefined)
    problem(
      [...path, extra[0]],
      `${extra[0]} is not allowed at the root of a version with a status subresource`,
    );
  if (jsonTextOf(schema['type']) === '')
    problem(path, 'beside a status subresource, the root must be an object');
}
