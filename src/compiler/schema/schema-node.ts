import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import type { Choice } from './adjust.ts';
import type { Doc } from './shape.ts';

/** A part of a generated schema, together with facts about the part that the schema itself does not contain. */
export interface SchemaNode {
  /** The complete schema of the part, including the parts inside of it. */
  readonly schema: JSONSchemaProps;
  /**
   * Origin of the part in the sources. Undefined for a part inside of a schema that comes from a table of known types or from a `@k8s` tag.
   * Only the outermost part of such a schema has an origin, which also applies to the parts inside.
   */
  readonly origin: Origin | undefined;
  readonly kind: NodeKind;
  readonly parts: NodeParts;
}

/** Place in the sources from which a part of a generated schema comes, and facts about this place. */
export interface Origin {
  /** Name of the part in messages: the name of the field, or the name of the type if the part is not a field. */
  readonly label: string;
  /** Docs on the path from the kind to this part, the outermost first. */
  readonly docTrail: readonly Doc[];
  /** Docs whose tags were applied to this part: the docs of the field, of the field's type, and of base interfaces. */
  readonly docs: readonly Doc[];
  /** False if some content of this part could not be expressed in the schema. This has then been reported as an error. */
  readonly isComplete: boolean;
}

/** Facts about a part that the guard needs to compare the part with its TypeScript type. */
export interface NodeKind {
  /**
   * Excludes the part from comparisons with its type, because the part does not come from the type alone. `type` excludes the part from all
   * comparisons, because a table of known types or a tag sets its schema. `nullable` excludes only the comparison of null.
   */
  readonly exempt?: 'type' | 'nullable' | undefined;
  /** True for an embedded resource. The schemas of its `apiVersion`, `kind` and `metadata` come from Kubernetes. */
  readonly isResource?: boolean;
  /** True for an object schema that represents a union of object types. Its `oneOf` distinguishes the members of the union. */
  readonly isUnion?: boolean;
  /** True for a string whose pattern comes from a template literal type. */
  readonly isTemplate?: boolean;
  /** Choices between the fields of an object, from ExactlyOneOf, AtMostOneOf and AtLeastOneOf. */
  readonly choices?: readonly Choice[];
}

/**
 * Nodes of the parts inside of a schema that were created separately. A part that comes from a table of known types or from a `@k8s` tag
 * has no node in this list.
 */
export interface NodeParts {
  readonly properties?: ReadonlyMap<string, SchemaNode>;
  readonly items?: SchemaNode | undefined;
  /** Node of the schema in `additionalProperties`, which describes the values of a record. */
  readonly values?: SchemaNode | undefined;
}

/** Creates a node without an origin of its own, because the origin of the enclosing part applies. */
export function bareNode(schema: JSONSchemaProps, kind: NodeKind = {}): SchemaNode {
  return { schema, origin: undefined, kind, parts: {} };
}

/**
 * Returns the node of a field; undefined if the schema has no such field. If the field has no node yet, a node without an origin is
 * created.
 */
export function fieldNode({ schema, parts }: SchemaNode, name: string): SchemaNode | undefined {
  const field = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
  return field && nodeOf(field, parts.properties?.get(name));
}

/** Returns the node of a list's items for their current schema; undefined if the schema defines no items. */
export function itemsNode({ schema: { items }, parts }: SchemaNode): SchemaNode | undefined {
  return items && nodeOf(items, parts.items);
}

/** Returns the node of a record's values for their current schema; undefined if the schema defines no values. */
export function valuesNode({ schema, parts }: SchemaNode): SchemaNode | undefined {
  const { additionalProperties: values } = schema;
  return typeof values === 'object' ? nodeOf(values, parts.values) : undefined;
}

// Returns the known node only if it belongs to the current schema. If the schema has been replaced, the facts in the known node would be
// wrong.
function nodeOf(schema: JSONSchemaProps, known: SchemaNode | undefined): SchemaNode {
  return known?.schema === schema ? known : bareNode(schema);
}

/** Returns the nodes of the parts inside of a node. Each has the name of its field; the name is undefined for items and values. */
export function innerNodes({
  parts,
}: SchemaNode): readonly { readonly name: string | undefined; readonly node: SchemaNode }[] {
  const { properties, items, values } = parts;
  const inner = [items, values].flatMap((node) => (node === undefined ? [] : [{ name: undefined, node }]));
  return [...[...(properties ?? [])].map(([name, node]) => ({ name, node })), ...inner];
}

/** Returns the label of the innermost field on the path; if the path contains no field, the label of the innermost declaration. */
export function labelOf(docTrail: readonly Doc[]): string {
  return (docTrail.findLast((doc) => doc.kind === 'member') ?? docTrail.at(-1))?.label ?? 'the type';
}
