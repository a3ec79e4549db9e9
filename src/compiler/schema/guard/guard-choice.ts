import type { Choice } from '../adjust.ts';
import type { TypeField } from './guard-types.ts';
import type { JSONSchemaProps } from '../../../kubernetes/crd/json-schema-props.ts';

/**
 * Finds differences between the type that ExactlyOneOf and its like make and the schema. The type is a union with a member for each of the fields to choose
 * from; in the schema these fields are all optional, and a rule counts them.
 */
export function choiceDifferences(
  members: readonly (readonly TypeField[])[],
  schema: JSONSchemaProps,
  choices: readonly Choice[],
): string[] {
  const chosen = new Set(choices.flatMap((choice) => choice.fields));
  const differences: string[] = [];
  for (const field of members.flat().filter(({ name }) => !chosen.has(name))) {
    const required = schema.required?.includes(field.name) === true;
    if (field.isOptional === required)
      differences.push(`the field ${field.name} is ${required ? 'required' : 'optional'} in the schema only`);
  }
  for (const name of chosen)
    if (schema.required?.includes(name) === true) differences.push(`the schema requires the field ${name}`);
  for (const choice of choices) {
    const picked = members.map((fields) => pickedBy(fields, choice));
    const covered = new Set(picked.flatMap((name) => name ?? []));
    if (picked.includes(undefined) || choice.fields.some((name) => !covered.has(name)))
      differences.push(`the type is not ${choice.name} of ${choice.fields.join(', ')}`);
  }
  return [...new Set(differences)];
}

/** The fields that a member of the type stands for; undefined if it is none that the choice makes. */
function pickedBy(fields: readonly TypeField[], { name, fields: names }: Choice): string[] | undefined {
  const own = names.map((item) => fields.find((field) => field.name === item));
  const possible = own.filter((field) => field !== undefined && !field.isNever);
  const required = possible.filter((field) => field?.isOptional === false);
  const known = possible.map((field) => field?.name ?? '');
  const must = required.map((field) => field?.name ?? '');
  switch (name) {
    case 'ExactlyOneOf':
      return possible.length === 1 && must.length === 1 ? must : undefined;
    case 'AtMostOneOf':
      return possible.length <= 1 && must.length === 0 ? known : undefined;
    case 'AtLeastOneOf':
      return must.length >= 1 && possible.length === names.length ? must : undefined;
  }
}
