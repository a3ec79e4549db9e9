import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import type { Choice } from './adjust.ts';
import type { Doc } from './shape.ts';

/** A part of a generated schema, with facts that the schema does not contain. */
export interface SchemaNode {
  /** Complete, its parts included. */
  readonly schema: JSONSchemaProps;
  /**
   * Undefined for a part that belongs to its enclosing part: a schema that a table or a `@k8s` tag sets has the origin of its outermost
   * part.
   */
  readonly origin: Origin | undefined;
  readonly kind: NodeKind;
  readonly parts: NodeParts;
}

/** Where a part of a generated schema comes from. */
export interface Origin {
  /** For messages: the field, or the type where there is none. */
  readonly label: string;
  /** The docs on the path from the kind to this part, the outermost first. */
  readonly docTrail: readonly Doc[];
  /** The docs whose tags have made this part: the field's, those of its type, those of base interfaces. */
  readonly docs: readonly Doc[];
  /** False if a part of it could not be expressed, which has been reported. */
  readonly isComplete: boolean;
}

/** Facts about a part that the guard needs to compare it with its type. */
export interface NodeKind {
  /**
   * Exclusion from the comparison, for parts that do not come from the type alone: `type` excludes everything (a table or a tag sets it),
   * `nullable` only that null is allowed.
   */
  readonly exempt?: 'type' | 'nullable' | undefined;
  /** True for an embedded resource: the schemas of its apiVersion, kind and metadata are those of Kubernetes. */
  readonly isResource?: boolean;
  /** An object made of a union: its `oneOf` is the union's. */
  readonly isUnion?: boolean;
  /** A string whose pattern is that of a template literal type. */
  readonly isTemplate?: boolean;
  /** Choices between fields of an object, by ExactlyOneOf and similar types. */
  readonly choices?: readonly Choice[];
}

/** The parts of a schema that were made one by one, without those of tables and tags. */
export interface NodeParts {
  readonly properties?: ReadonlyMap<string, SchemaNode>;
  readonly items?: SchemaNode | undefined;
  /** Schema of `additionalProperties`. */
  readonly values?: SchemaNode | undefined;
}

/** Creates a node for a part that belongs to its enclosing part. */
export function bareNode(schema: JSONSchemaProps, kind: NodeKind = {}): SchemaNode {
  return { schema, origin: undefined, kind, parts: {} };
}

/**
 * Returns the node of a field of the schema, whether or not it was made separately; undefined for a field that the schema does not have.
 */
export function fieldNode({ schema, parts }: SchemaNode, name: string): SchemaNode | undefined {
  const field = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
  return field && nodeOf(field, parts.properties?.get(name));
}

/** The node of a list's items as the schema has them. */
export function itemsNode({ schema: { items }, parts }: SchemaNode): SchemaNode | undefined {
  return items && nodeOf(items, parts.items);
}

/** The node of a record's values as the schema has them. */
export function valuesNode({ schema, parts }: SchemaNode): SchemaNode | undefined {
  const { additionalProperties: values } = schema;
  return typeof values === 'object' ? nodeOf(values, parts.values) : undefined;
}

// The schema decides: facts about another schema would be wrong.
function nodeOf(schema: JSONSchemaProps, known: SchemaNode | undefined): SchemaNode {
  return known?.schema === schema ? known : bareNode(schema);
}

/** The parts with their keys in a schema. */
export function innerNodes({
  parts,
}: SchemaNode): readonly { readonly name: string | undefined; readonly node: SchemaNode }[] {
  const { properties, items, values } = parts;
  const inner = [items, values].flatMap((node) => (node === undefined ? [] : [{ name: undefined, node }]));
  return [...[...(properties ?? [])].map(([name, node]) => ({ name, node })), ...inner];
}

/** Returns the label of the innermost field, or of the declaration if there is none. */
export function labelOf(docTrail: readonly Doc[]): string {
  return (docTrail.findLast((doc) => doc.kind === 'member') ?? docTrail.at(-1))?.label ?? 'the type';
}
