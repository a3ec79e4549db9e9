import { closestName } from '../../../base/util/closest-name.ts';
import {
  isRecord,
  crdSchemaFields,
  type JSONSchemaProps,
} from '../../../kubernetes/crd/json-schema-props.ts';
import { checkForms } from '../../../kubernetes/crd/rules/schema/check-forms.ts';
import type { SchemaPath } from '../../../kubernetes/crd/rules/schema/types.ts';
import type { Parsed } from './values.ts';

/**
 * A schema, or a part of one, as the API server reads it: each field exists and has a value of its type. Whether the fields fit together is
 * not checked.
 */
export function readSchema(value: unknown): Parsed<JSONSchemaProps> {
  if (!isRecord(value as never)) return { problem: 'is not a JSON object' };
  const schema = value as Record<string, unknown>;
  const problems: string[] = [];
  const unknown = checkForms(schema, [], (path, message) => problems.push(`${message}${placeOf(path)}`));
  const [first] = unknown;
  if (first !== undefined) return { problem: noSuchField(first) };
  const [problem] = problems;
  return problem === undefined ? { value: schema } : { problem };
}

function noSuchField(path: SchemaPath): string {
  const name = String(path.at(-1));
  const meant = closestName(name, crdSchemaFields);
  return `a schema has no field ${name}${placeOf(path)}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function placeOf(path: SchemaPath): string {
  return path.length < 2 ? '' : ` (at ${path.join('.')})`;
}
