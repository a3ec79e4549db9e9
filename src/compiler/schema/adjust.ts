import {
  type JSONSchemaProps,
  hasCelName,
  celTypeOf,
  celName,
  type ValidationRule,
} from '../../kubernetes/crd/index.ts';
import type { Adjustment, ChoiceName, Problem, Shape } from './shape.ts';

/**
 * Applies the utility types around a field's type to the schema of the field.
 *
 * @param label name of the field for messages
 * @returns problems in the arguments of the utility types
 */
export function adjust(schema: JSONSchemaProps, { adjustments = [] }: Shape, label: string): Problem[] {
  return adjustments.flatMap((adjustment) => {
    const complaint = complaintOf(schema, adjustment);
    if (complaint === undefined) {
      write(schema, adjustment);
      return [];
    }
    const [message, fix] = complaint;
    return [{ code: 'schema/utility-type' as const, message: `${label}: ${message}`, fix: [fix] }];
  });
}

type Complaint = readonly [message: string, fix: string];

function complaintOf(schema: JSONSchemaProps, adjustment: Adjustment): Complaint | undefined {
  const { kind, name } = adjustment;
  if (schema.type !== 'object')
    return [`${name} can only wrap an object type`, `remove ${name}, or pass an object type`];
  if (kind === 'choice') return choiceComplaint(schema, adjustment);
  if (kind !== 'embedded' || schema.additionalProperties === undefined) return undefined;
  return [
    'a record cannot be a whole resource',
    "use EmbeddedResource without an argument for any kind, or give it the kind's interface",
  ];
}

function choiceComplaint(
  schema: JSONSchemaProps,
  { name, fields }: Adjustment & { kind: 'choice' },
): Complaint | undefined {
  const { properties = {}, oneOf } = schema;
  const names = Object.keys(properties);
  if (oneOf !== undefined)
    return [`${name} of a union`, 'declare one interface with the fields, and give that to it'];
  if (names.length === 0 || fields?.length === 0)
    return [`${name} has no fields to choose from`, 'give it an interface with fields'];
  const unknown = fields?.find((field) => !Object.hasOwn(properties, field));
  if (unknown !== undefined)
    return [`${name}: unknown field \`${unknown}\``, `choose from ${names.join(', ')}`];
  const nameless = (fields ?? names).find((field) => !hasCelName(field));
  if (nameless !== undefined)
    return [
      `${name}: no rule can name the field ${JSON.stringify(nameless)}`,
      'leave it out of the choice, or rename it',
    ];
  const typeless = (fields ?? names).find((field) => celTypeOf({ ...properties[field] }) === undefined);
  if (typeless !== undefined)
    return [
      `${name}: rules cannot reach the field \`${typeless}\`, whose schema has no type`,
      'leave it out of the choice, or give it a type, such as JsonObject for any object',
    ];
  const defaulted = (fields ?? names).find((field) => properties[field]?.default !== undefined);
  if (defaulted === undefined) return undefined;
  return [
    `${name}: the field \`${defaulted}\` has a default, so it is always there`,
    'remove the default, or leave the field out of the choice',
  ];
}

function write(schema: JSONSchemaProps, adjustment: Adjustment): void {
  switch (adjustment.kind) {
    case 'atomic':
      schema['x-kubernetes-map-type'] = 'atomic';
      return;
    case 'embedded':
      schema['x-kubernetes-embedded-resource'] = true;
      if (adjustment.isResource) schema.properties = withResourceFields(schema.properties ?? {});
      return;
    case 'choice': {
      const required = (schema.required ?? []).filter(
        (field) => !fieldsOf(schema, adjustment).includes(field),
      );
      delete schema.required;
      if (required.length > 0) schema.required = required;
    }
  }
}

function withResourceFields(
  properties: Readonly<Record<string, JSONSchemaProps>>,
): Record<string, JSONSchemaProps> {
  return {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    ...properties,
    // The API server has a fixed schema for metadata and accepts only `type: object` here.
    metadata: { type: 'object' },
  };
}

function fieldsOf(schema: JSONSchemaProps, { fields }: Adjustment & { kind: 'choice' }): readonly string[] {
  return fields ?? Object.keys(schema.properties ?? {});
}

/** A rule about how many of the listed fields an object may have, such as ExactlyOneOf. */
export interface Choice {
  readonly name: ChoiceName;
  readonly fields: readonly string[];
}

/** Returns the choices (such as ExactlyOneOf) of the utility types around a shape, except those that `adjust` rejects. */
export function choicesOf(schema: JSONSchemaProps, { adjustments = [] }: Shape): Choice[] {
  return adjustments.flatMap((item) =>
    item.kind === 'choice' && complaintOf(schema, item) === undefined
      ? [{ name: item.name, fields: fieldsOf(schema, item) }]
      : [],
  );
}

/**
 * Adds the validation rules of ExactlyOneOf and similar types after the rules of the tags, as controller-gen does. Separate from `adjust`,
 * because tags overwrite rules that are added earlier.
 */
export function addChoiceRules(schema: JSONSchemaProps, shape: Shape): void {
  const rules = choicesOf(schema, shape).map(({ name, fields }) => choiceRule(name, fields));
  if (rules.length === 0) return;
  schema['x-kubernetes-validations'] = [...(schema['x-kubernetes-validations'] ?? []), ...rules];
}

const comparisons = { ExactlyOneOf: '== 1', AtMostOneOf: '<= 1' } as const;
const quantities = {
  ExactlyOneOf: ['exactly', 'must'],
  AtMostOneOf: ['at most', 'may'],
  AtLeastOneOf: ['at least', 'must'],
} as const;

/**
 * Creates the CEL rule for a choice among fields. Source: controller-tools (v0.23) `pkg/crd/markers/validation.go`, the markers with these
 * names.
 */
function choiceRule(name: ChoiceName, fields: readonly string[]): ValidationRule {
  const tests = fields.map((field) => `has(self.${celName(field)})`);
  const rule =
    name === 'AtLeastOneOf'
      ? tests.join('||')
      : `${tests.map((test) => `(${test}?1:0)`).join('+')} ${comparisons[name]}`;
  const [quantity, verb] = quantities[name];
  return { rule, message: `${quantity} one of the fields in [${fields.join(' ')}] ${verb} be set` };
}
