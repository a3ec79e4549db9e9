import { isMap } from '../../json.ts';
import { mapOf, textOf } from '../fields.ts';
import type { FieldPath } from '../types.ts';
import type { Refuse } from './check-crds.ts';
import type { Schema } from '../../../crd/rules/schema/index.ts';

const MOST = 8;

/**
 * `selectableFields` of a version: plain values below spec or status, each once.
 * Source: apiextensions `validation.go` `ValidateCustomResourceSelectableFields`.
 */
export function checkSelectableFields(
  fields: readonly unknown[],
  schema: Schema,
  at: FieldPath,
  refuse: Refuse,
): void {
  const paths = fields.map((field) => textOf(mapOf(field)['jsonPath']));
  for (const [index, path] of paths.entries()) {
    const problem = paths.indexOf(path) < index ? 'it is there twice' : pathProblem(path, schema);
    if (problem === undefined) continue;
    const message = `the selectable field ${JSON.stringify(path)} is not valid: ${problem}`;
    refuse([...at, index], message, 'correct or remove it');
  }
  const count = new Set(paths).size;
  if (count > MOST) refuse(at, `there are ${count} selectable fields; ${MOST} are allowed`, 'remove some');
}

function pathProblem(path: string, schema: Schema): string | undefined {
  if (path === '') return 'it has no jsonPath';
  // `.spec.port` or `.spec['the-port']`.
  if (!/^(?:\.[A-Za-z_]\w*|\['[^'\\]+'\])+$/.test(path)) return 'it is no path of fields, such as .spec.host';
  const names = [...path.matchAll(/\.(\w+)|\['([^'\\]+)'\]/g)].map(
    ([, plain, quoted]) => plain ?? quoted ?? '',
  );
  if (names[0] === 'metadata') return 'metadata can be selected by name and namespace only';
  let current: Schema | undefined = schema;
  for (const name of names) current = fieldOf(current, name);
  if (current === undefined) return 'the schema has no such field';
  const type = textOf(current['type']);
  return ['string', 'boolean', 'integer'].includes(type)
    ? undefined
    : `it is of type ${type}; string, boolean and integer are possible`;
}

function fieldOf(schema: Schema | undefined, name: string): Schema | undefined {
  const properties = mapOf(schema?.['properties']);
  const field = Object.hasOwn(properties, name) ? properties[name] : schema?.['additionalProperties'];
  return isMap(field) ? field : undefined;
}
