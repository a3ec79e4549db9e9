import type { TypeField } from './guard-types.ts';
import type { JSONSchemaProps, JsonValue } from '../../../kubernetes/crd/json-schema-props.ts';

/**
 * Finds differences between a union of object types and the `oneOf` of its schema: each member must match an alternative of its own, which requires what
 * the member requires, gives its literal fields their values, and forbids nothing that the member has.
 *
 * @param hasOwnType whether the values of a field are not those of its type: built-in types name the values that their server takes today
 */
export function unionDifferences(
  members: readonly (readonly TypeField[])[],
  schema: JSONSchemaProps,
  hasOwnType: (name: string) => boolean,
): string[] {
  const branches = [...(schema.oneOf ?? [])];
  const count = branches.length;
  const unmatched = members.filter((fields) => {
    const index = branches.findIndex((branch) => says(branch, fields, schema, hasOwnType));
    if (index !== -1) branches.splice(index, 1);
    return index === -1;
  });
  if (unmatched.length === 0 && branches.length === 0) return [];
  const names = unmatched.map((fields) => `{ ${fields.map((field) => field.name).join(', ')} }`);
  return [
    `the union has ${members.length} members, the schema ${count} alternatives` +
      (names.length === 0 ? '' : `, and none of them is ${names.join(' or ')}`),
  ];
}

function says(
  branch: JSONSchemaProps,
  fields: readonly TypeField[],
  schema: JSONSchemaProps,
  hasOwnType: (name: string) => boolean,
): boolean {
  const required = fields.filter((field) => !field.isOptional).map((field) => field.name);
  // A tag may require more, of fields that the type does not know.
  const known = (schema.required ?? []).filter((name) => Object.hasOwn(schema.properties ?? {}, name));
  if (!isSame(required, [...known, ...(branch.required ?? [])])) return false;
  const present = fields.filter((field) => !field.isNever);
  if (forbiddenBy(branch).some((name) => present.some((field) => field.name === name))) return false;
  const named = Object.keys(branch.properties ?? {});
  return (
    named.every((name) => present.some((field) => field.name === name)) &&
    present.every((field) => {
      const property = schema.properties?.[field.name];
      if (property !== undefined && hasOwnType(field.name)) return true;
      if (field.literals === undefined) return branch.properties?.[field.name] === undefined;
      const all = property?.enum ?? [true, false];
      return isSame(field.literals, branch.properties?.[field.name]?.enum ?? all);
    })
  );
}

function forbiddenBy({ not }: JSONSchemaProps): string[] {
  return [not ?? {}, ...(not?.anyOf ?? [])].flatMap((item) => item.required ?? []);
}

function isSame(one: readonly JsonValue[], other: readonly JsonValue[]): boolean {
  const [values, others] = [new Set(one), new Set(other)];
  return values.size === others.size && [...values].every((value) => others.has(value));
}
