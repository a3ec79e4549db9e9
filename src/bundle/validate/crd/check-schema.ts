import { structuralProblems } from '../../../schema/structural-rules.ts';
import { isMap } from '../../json.ts';
import { mapOf } from '../fields.ts';
import type { BundleObject, FieldPath } from '../types.ts';
import type { Refuse } from './check-crds.ts';

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
  readonly crd: BundleObject;
  readonly version: string;
  readonly hasStatus: boolean;
}

/**
 * A schema as the API server demands it: structural, and with a root that is an object of Kubernetes.
 * Source: apiextensions `validation.go` `validateCustomResourceDefinitionValidation`, `schema/validation.go`.
 */
export function checkSchema(
  schema: Readonly<Record<string, unknown>>,
  path: FieldPath,
  owner: SchemaOwner,
  refuse: Refuse,
): void {
  checkRoot(schema, path, owner, refuse);
  let problems: readonly string[];
  try {
    problems = structuralProblems(schema);
  } catch (error) {
    // The rules take the types of a schema's fields for granted.
    if (!(error instanceof TypeError)) throw error;
    refuse(
      path,
      `the schema of ${owner.version} has a field of a wrong type (${error.message})`,
      'correct the schema',
    );
    return;
  }
  for (const problem of problems) {
    const [, message = problem, at = ''] = /^(.*) \(at (.*)\)$/s.exec(problem) ?? [];
    const place = [...path, ...(at === '' ? [] : (pathIn(schema, at) ?? []))];
    const what = at === '' ? `the schema of ${owner.version}` : `the schema of ${owner.version}, at ${at}`;
    refuse(place, `${what}: ${message}`, 'correct the schema; generated ones are changed in their sources');
  }
}

function checkRoot(
  schema: Readonly<Record<string, unknown>>,
  path: FieldPath,
  { version, hasStatus }: SchemaOwner,
  refuse: Refuse,
): void {
  const wrong = (field: string, message: string): void =>
    refuse([...path, field], `the schema of ${version}: ${message}`, 'correct the schema');
  if (schema['type'] !== undefined && schema['type'] !== 'object') wrong('type', 'its root is no object');
  if (schema['nullable'] === true) wrong('nullable', 'its root cannot be nullable');
  if (schema['additionalProperties'] !== undefined)
    wrong('additionalProperties', 'its root cannot have additionalProperties');
  const properties = mapOf(schema['properties']);
  for (const field of ['apiVersion', 'kind']) {
    const property = properties[field];
    if (property !== undefined && mapOf(property)['type'] !== 'string')
      wrong('properties', `${field} is a string`);
  }
  const metadata = properties['metadata'];
  if (metadata !== undefined && !isPlainMetadata(metadata))
    wrong('properties', 'metadata is an object, of which only name and generateName can be restricted');
  if (!hasStatus) return;
  const extra = Object.keys(schema).filter((field) => !besideStatus.includes(field));
  if (extra.length > 0)
    wrong(extra[0] ?? '', `${extra.join(', ')} cannot stand at the root beside a status subresource`);
}

function isPlainMetadata(metadata: unknown): boolean {
  const { type, description: _description, properties, ...others } = mapOf(metadata);
  const names = Object.keys(mapOf(properties));
  return (
    type === 'object' &&
    Object.keys(others).length === 0 &&
    names.every((name) => name === 'name' || name === 'generateName')
  );
}

/** The way to `spec.ports.items.name`, as the rules write paths; field names may have dots, so it is tried out. */
function pathIn(schema: unknown, at: string): FieldPath | undefined {
  if (at === '') return [];
  const { properties, items, additionalProperties } = mapOf(schema);
  const children: readonly (readonly [string, FieldPath, unknown])[] = [
    ...Object.entries(mapOf(properties)).map(([name, child]) => [name, ['properties', name], child] as const),
    ...(isMap(items) ? [['items', ['items'], items] as const] : []),
    ...(isMap(additionalProperties)
      ? [['additionalProperties', ['additionalProperties'], additionalProperties] as const]
      : []),
  ];
  for (const [name, way, child] of children) {
    if (at === name) return way;
    const rest = at.startsWith(`${name}.`) ? pathIn(child, at.slice(name.length + 1)) : undefined;
    if (rest !== undefined) return [...way, ...rest];
  }
  return undefined;
}
