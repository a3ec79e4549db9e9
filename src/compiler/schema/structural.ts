import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import { addChoiceRules, adjust, choicesOf } from './adjust.ts';
import { baseSchema, type BaseSchema, type InnerDocs, type Context } from './base-schema.ts';
import { bareNode, type NodeKind, type NodeParts, type SchemaNode, labelOf } from './schema-node.ts';
import { replacesType, lintNumbers } from './schema-size.ts';
import type { Reporter } from './reporter.ts';
import type { Doc, Form, Shape, Problem } from './shape.ts';
import { createTaggedFields, type TaggedFields } from './tagged-fields.ts';
import { applyTags, checkTagNames, tagProblem } from './tags/apply-tags.ts';
import { k8sOverrides, mergeOverrides, saysType } from './tags/values.ts';
import { handDown, writtenName } from './tags/tag-names.ts';
import { fixedUtilityTypes } from './utility-types.ts';

/** A structural schema, together with facts about its fields that other parts of the CRD need, such as printer columns. */
interface Structural {
  readonly root: SchemaNode;
  readonly fields: TaggedFields;
}

/**
 * Converts a shape to a structural schema. Parts that cannot be expressed are reported; the schema is then incomplete and must not be used.
 */
export function schemaOfShape(shape: Shape, reporter: Reporter): Structural {
  const fields = createTaggedFields(reporter);
  return { root: convert(shape, { convert, reporter, fields, docTrail: [], path: [] }), fields };
}

/** Converts a shape to a schema, together with the facts about the part that the shape describes. */
function convert(declared: Shape, context: Context): SchemaNode {
  const { reporter, fields, path, inheritedDocs = [] } = context;
  const shape =
    inheritedDocs.length === 0 ? declared : { ...declared, docs: [...inheritedDocs, ...declared.docs] };
  const { docs, form } = shape;
  const baseDocs = baseDocsOf(form);
  // The docs of base interfaces also apply to the parts inside. The docs of the type itself come last, because messages take their names
  // and places from the last doc.
  const docTrail = [...context.docTrail, ...baseDocs, ...docs];
  const ownDocs = [...docs, ...baseDocs];
  checkDocs(ownDocs, docTrail, reporter);
  const overrides = k8sOverrides(ownDocs);
  const isReplaced = saysType(overrides) && replacesType(overrides, form);
  const innerDocs: InnerDocs = { items: handDown(ownDocs, 'items'), values: handDown(ownDocs, 'values') };
  const isResource = shape.adjustments?.some((item) => item.kind === 'embedded' && item.isResource) === true;
  const innerContext: Context = {
    convert,
    reporter,
    // An embedded kind adds no columns to the outer kind, because its columns belong to its own CRD.
    fields: isResource ? { ...fields, add: () => undefined } : fields,
    docTrail,
    path,
  };
  const base: BaseSchema | undefined = isReplaced
    ? { schema: {} }
    : baseSchema(shape, innerContext, innerDocs);
  const schema = base?.schema ?? {};
  const description = docs.find((doc) => doc.description !== undefined)?.description;
  if (description !== undefined) schema.description = description;
  if (shape.nullable) schema.nullable = true;
  const misused = base === undefined || isReplaced ? [] : adjust(schema, shape, labelOf(docTrail));
  for (const problem of misused) reporter.error(problem, toField(docTrail));
  const choices = choicesOf(schema, shape);
  if (base !== undefined) applyDocs(schema, shape, base, overrides, innerContext);
  const parts = partsAfter(base?.parts ?? {}, schema, overrides, isResource);
  const inside =
    base === undefined ? parts : reachInside(schema, parts, base.applied, innerDocs, innerContext);
  fields.add([...declared.docs, ...baseDocs], schema, path);
  return {
    schema,
    origin: { label: labelOf(docTrail), docTrail, docs: ownDocs, isComplete: base !== undefined },
    kind: {
      exempt: exemptionOf(shape, schema, overrides, isReplaced),
      isResource,
      isUnion: base?.isUnion === true,
      isTemplate: base?.isTemplate === true,
      ...(choices.length > 0 ? { choices } : {}),
    },
    parts: inside,
  };
}

function baseDocsOf(form: Form): readonly Doc[] {
  return form.kind === 'object' ? form.inherited : [];
}

function checkDocs(docs: readonly Doc[], docTrail: readonly Doc[], reporter: Reporter): void {
  for (const doc of docs) {
    for (const problem of doc.problems) reporter.error(problem, docTrail);
    for (const problem of doc.advice) reporter.warn(problem, docTrail);
    checkTagNames(doc, (problem) => reporter.error(problem, docTrail));
    reporter.visit(doc);
  }
}

/** Applies the tags of a shape's docs to the schema, and checks the result. */
function applyDocs(
  schema: JSONSchemaProps,
  shape: Shape,
  base: BaseSchema,
  overrides: JSONSchemaProps,
  { reporter, docTrail }: Context,
): void {
  const before = { ...schema };
  // Applies the `@k8s` tags first if they set a type, because the other tags are checked against this type.
  if (saysType(overrides)) mergeOverrides(schema, overrides);
  applyTags(schema, shape.docs, baseDocsOf(shape.form), {
    error: (problem) => reporter.error(problem, docTrail),
    warn: (problem) => reporter.warn(problem, docTrail),
  });
  addChoiceRules(schema, shape);
  for (const problem of replacedParts(base, schema, before, labelOf(docTrail)))
    reporter.error(problem, docTrail);
  checkNullableEnum(reporter, schema, shape, docTrail);
  lintNumbers(reporter, schema, shape.form, docTrail);
}

/** Returns from which comparisons with its TypeScript type the guard must exclude a part. */
function exemptionOf(
  { form, nullable }: Shape,
  schema: JSONSchemaProps,
  overrides: JSONSchemaProps,
  isReplaced: boolean,
): NodeKind['exempt'] {
  // If a `@k8s` tag sets keywords that the guard compares, the user has overridden the type deliberately, so the comparison is skipped.
  if (isReplaced || isKnownWhole(form) || compared.some((name) => overrides[name] !== undefined))
    return 'type';
  return schema.nullable === true && !nullable ? 'nullable' : undefined;
}

const compared = ['required', 'items', 'additionalProperties', 'enum', 'x-kubernetes-int-or-string'] as const;

/**
 * Returns true for a form with a known schema that the guard must not compare with the type. Such a form is a built-in type, whose
 * TypeScript type lists the values that its server accepts today, which a schema must not do. Utility types of op-sdk are compared if they
 * describe a string or a number.
 */
function isKnownWhole(form: Form): boolean {
  const plain = ['string', 'integer', 'number'];
  return form.kind === 'fixed' && !(form.name in fixedUtilityTypes && plain.includes(form.schema.type ?? ''));
}

/**
 * Returns the parts inside of a schema after utility types and `@k8s` tags have been applied. Parts that these have replaced no longer come
 * from the type.
 */
function partsAfter(
  parts: NodeParts,
  schema: JSONSchemaProps,
  overrides: JSONSchemaProps,
  isResource: boolean,
): NodeParts {
  const names = Object.keys(overrides.properties ?? {});
  const properties = new Map(parts.properties);
  if (isResource) properties.delete('metadata');
  for (const name of names) {
    const field = schema.properties?.[name];
    if (field !== undefined) properties.set(name, bareNode(field, { exempt: 'type' }));
  }
  return {
    properties,
    items: overrides.items === undefined ? parts.items : undefined,
    values: overrides.additionalProperties === undefined ? parts.values : undefined,
  };
}

/**
 * Applies `@items.…` and `@values.…` tags to a type whose schema comes from a table of known types or a `@k8s` tag. The items and values of
 * such a schema have no shape, so the tags have not been applied to them yet.
 *
 * @param applied prefix of the tags that have already been applied
 */
function reachInside(
  schema: JSONSchemaProps,
  parts: NodeParts,
  applied: BaseSchema['applied'],
  { items, values }: InnerDocs,
  context: Context,
): NodeParts {
  let inside = parts;
  if (items.length > 0 && applied !== 'items') {
    if (schema.items === undefined) refuseInside(items, context, 'a list');
    else {
      const node = convertKnown(schema.items, items, context);
      schema.items = node.schema;
      inside = { ...inside, items: node };
    }
  }
  if (values.length > 0 && applied !== 'values') {
    const { additionalProperties } = schema;
    if (typeof additionalProperties !== 'object') refuseInside(values, context, 'a record');
    else {
      const node = convertKnown(additionalProperties, values, context);
      schema.additionalProperties = node.schema;
      inside = { ...inside, values: node };
    }
  }
  return inside;
}

function convertKnown(schema: JSONSchemaProps, inheritedDocs: readonly Doc[], context: Context): SchemaNode {
  const form: Form = { kind: 'fixed', name: '', schema };
  const shape: Shape = { form, docs: [], nullable: schema.nullable ?? false, optional: false };
  return convert(shape, { ...context, path: undefined, inheritedDocs });
}

function refuseInside(docs: readonly Doc[], { reporter, docTrail }: Context, needs: string): void {
  for (const tag of docs.flatMap((doc) => doc.tags)) {
    const message = `${labelOf(docTrail)}: @${writtenName(tag)} needs ${needs}`;
    const fix = ['remove the tag, or correct the type'];
    reporter.error(tagProblem('schema/tag-type', tag, message, fix), docTrail);
  }
}

/**
 * Reports null together with an enumeration, because the API server then refuses null. If the type contains null, it is an error, because
 * the type promises a value that is never accepted. If only a tag allows null, it is a warning, because the tag merely has no effect and
 * real CRDs contain it. Measured with kube-apiserver 1.36.
 */
function checkNullableEnum(
  reporter: Reporter,
  schema: JSONSchemaProps,
  { nullable }: Shape,
  docTrail: readonly Doc[],
): void {
  if (schema.nullable !== true || schema.enum === undefined) return;
  const message = `${labelOf(docTrail)}: null is declared as allowed, but the API server refuses null for a field with an enumeration, even if the field is nullable`;
  if (nullable) reporter.error({ code: 'schema/nullable-enum', message, fix: fixes }, toField(docTrail));
  else
    reporter.warn({ code: 'schema/nullable-enum-tag', message, fix: ['remove the tag'] }, toField(docTrail));
}

const fixes = [
  "make the field optional instead: `name?: 'a' | 'b'`",
  'or add a literal that stands for no value',
  'or write `string | null` with `@anyOf [{"enum": ["a", "b"]}]`, which the API server does not ask about null',
];

/**
 * Reports tags that replace a part of the schema that comes from the type, because the type then no longer describes the schema correctly.
 *
 * @param before the schema before the tags were applied
 * @param label name of the field in messages
 */
function replacedParts(
  { isUnion, isTemplate }: Pick<NodeKind, 'isUnion' | 'isTemplate'>,
  schema: JSONSchemaProps,
  before: Pick<JSONSchemaProps, 'oneOf' | 'pattern'>,
  label: string,
): Problem[] {
  const problems: Problem[] = [];
  if (isUnion === true && schema.oneOf !== before.oneOf) {
    problems.push({
      code: 'schema/object-union',
      message: `${label}: this tag would overwrite the union's oneOf`,
      fix: ['write what the tag requires as a `@cel` rule, or in `@allOf`'],
    });
  }
  if (isTemplate === true && schema.pattern !== before.pattern) {
    problems.push({
      code: 'schema/pattern',
      message: `${label}: this tag would overwrite the pattern of the template literal type`,
      fix: [
        'use the type string, with one pattern for both',
        'or write what the tag requires as `@allOf [{"pattern": "…"}]`',
      ],
    });
  }
  return problems;
}

/**
 * Returns the docs up to the innermost field. A problem that is caused by the use of a type, rather than by the type itself, is reported at
 * these docs.
 */
function toField(docTrail: readonly Doc[]): readonly Doc[] {
  return docTrail.slice(0, docTrail.findLastIndex((doc) => doc.kind === 'member') + 1);
}
