import type { JSONSchemaProps, JsonValue } from '../../kubernetes/crd/index.ts';
import { defaultStandardFields, wrappedStandardFields } from '../schema/index.ts';
import type { Field, TagLine } from './model.ts';
import { k8sTag, planTags, sameJson } from './plan-tags.ts';
import type { Planner } from './plan-types.ts';

/** Planned interface of a kind, and the settings of `defineResource` for the fields that every object has. */
export interface PlannedRoot {
  readonly description: string | undefined;
  readonly tags: readonly TagLine[];
  /** Fields that only this kind has: `spec`, `status` and the like. */
  readonly fields: readonly Field[];
  readonly open: boolean;
  /** Value of `standardFields` in `defineResource`; an empty object for the default. */
  readonly standardFields: JsonValue;
}

const standard = ['apiVersion', 'kind', 'metadata'] as const;
/** Standard fields whose descriptions have line breaks, as controller-gen writes them. */
const { metadata: _asByDefault, ...wrapped } = wrappedStandardFields as {
  readonly [name: string]: JsonValue;
};

/** Plans the interface of a kind from the root of a version's schema. */
export function planRoot(planner: Planner, root: JSONSchemaProps): PlannedRoot {
  const { description, nullable: _never, ...wanted } = root;
  const { properties = {}, required = [] } = root;
  const own = Object.fromEntries(
    Object.entries(properties).filter(([name]) => !(standard as readonly string[]).includes(name)),
  );
  const fields = planner.fields({ properties: own, required });
  const constrained: Record<string, JsonValue> = {};
  const standardFields: Record<string, JsonValue> = {};
  for (const name of standard) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const said = standardField(name, schema, required.includes(name));
    if (said.field !== undefined) standardFields[name] = said.field;
    if (said.constraints !== undefined) constrained[name] = said.constraints;
  }
  const declared = Object.keys(properties);
  const listed = required.filter((name) => declared.includes(name));
  const fromType: JSONSchemaProps = { type: 'object' };
  if (declared.length > 0) fromType.properties = properties;
  if (listed.length > 0) fromType.required = [...new Set(listed)];
  const { tags, rest } = planTags(wanted, fromType);
  const overrides: JSONSchemaProps = {
    ...rest,
    ...(Object.keys(constrained).length === 0
      ? {}
      : { properties: constrained as unknown as Record<string, JSONSchemaProps> }),
  };
  return {
    description,
    tags: [...tags, ...k8sTag(overrides)],
    fields,
    open: root['x-kubernetes-preserve-unknown-fields'] === true,
    standardFields: sameJson(standardFields, wrapped) ? 'wrapped' : standardFields,
  };
}

interface StandardField {
  /** Value for the field in `standardFields`; undefined if the field has the default. */
  readonly field?: JsonValue | undefined;
  /** Entire schema of the field, if it contains more than a type and a description. */
  readonly constraints?: JsonValue | undefined;
}

function standardField(
  name: (typeof standard)[number],
  schema: JSONSchemaProps | undefined,
  isRequired: boolean,
): StandardField {
  const required = isRequired ? { required: true } : {};
  // If a required field is missing in the properties, its name is among the names of the tag @required instead.
  if (schema === undefined) return { field: false };
  const { description, ...rest } = schema;
  const isMetadata = name === 'metadata';
  const isPlain =
    sameJson(rest as JsonValue, { type: isMetadata ? 'object' : 'string' }) &&
    !(isMetadata && description !== undefined);
  const text = isMetadata || description === undefined ? {} : { description };
  const isDefault = !isRequired && sameJson({ ...text }, defaultStandardFields[name] as JsonValue);
  return {
    field: isDefault ? undefined : { ...text, ...required },
    constraints: isPlain ? undefined : (schema as JsonValue),
  };
}
