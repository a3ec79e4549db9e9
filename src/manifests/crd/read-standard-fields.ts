import type { FindingList } from '../../errors/index.ts';
import {
  wrappedStandardFields,
  type EvaluatedProperty,
  type StandardField,
  type StandardFields,
} from '../../schema/index.ts';
import { isAbsent, readObject, readScalar } from '../read-value.ts';

const names = ['apiVersion', 'kind', 'metadata'] as const;

/** Reads `standardFields` of defineResource; a field that is not mentioned stands as by default. */
export function readStandardFields(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): StandardFields {
  if (property === undefined || isAbsent(property)) return {};
  if (property.value.type === 'scalar' && property.value.value === 'wrapped') return wrappedStandardFields;
  const fields = readObject(findings, property.value, '`standardFields`', names);
  const read = names.flatMap((name) => {
    const field = readField(findings, name, fields?.get(name));
    return field === undefined ? [] : [[name, field] as const];
  });
  return Object.fromEntries(read);
}

function readField(
  findings: FindingList,
  name: (typeof names)[number],
  property: EvaluatedProperty | undefined,
): StandardField | false | undefined {
  if (property === undefined || isAbsent(property)) return undefined;
  const { value } = property;
  if (value.type === 'scalar' && value.value === false) return false;
  const what = `\`${name}\` of \`standardFields\``;
  // The API server allows metadata no description.
  const known = name === 'metadata' ? ['required'] : ['description', 'required'];
  const parts = readObject(findings, value, what, known);
  if (parts === undefined) return undefined;
  const description = readScalar(findings, parts.get('description'), `\`description\` of ${what}`, 'string');
  const required = readScalar(findings, parts.get('required'), `\`required\` of ${what}`, 'boolean');
  return {
    ...(description === undefined ? {} : { description: description.value }),
    ...(required === undefined ? {} : { required: required.value }),
  };
}
