import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import type { Choice } from './adjust.ts';
import type { Doc } from './shape.ts';

/** A part of a generated schema, with facts that the schema does not contain. */
export interface SchemaNode {
  /** The complete schema of the part, including the parts inside of it. */
  readonly schema: JSONSchemaProps;
  /**
   * Origin of the part. Undefined for a part that belongs to its enclosing part: if a table or a `@k8s` tag sets a schema, only the
   * outermost part of this schema has an origin, which also applies to the parts inside.
   */
  readonly origin: Origin | undefined;
  readonly kind: NodeKind;
  readonly parts: NodeParts;
}

/** The origin of a part of a generated schema in the sources. */
export interface Origin {
  /** Name in messages: the field, or the type if the part is not a field. */
  readonly label: string;
  /** The docs on the path from the kind to this part, the outermost first. */
  readonly docTrail: readonly Doc[];
  /** The docs whose tags have made this part: those of the field, of its type, and of base interfaces. */
  readonly docs: readonly Doc[];
  /** False if some content of this part could not be expressed, which has been reported. */
  readonly isComplete: boolean;
}

/** Facts about a part that the guard needs to compare the part with its type. */
export interface NodeKind {
  /**
   * Excludes a part from the comparison if it does not come from the type alone. `type` excludes everything, because a table or a tag sets
   * the part. `nullable` excludes only the comparison of null.
   */
  readonly exempt?: 'type' | 'nullable' | undefined;
  /** True for an embedded resource, whose apiVersion, kind and metadata have the schemas of Kubernetes. */
  readonly isResource?: boolean;
  /** True for an object that was made of a union; its `oneOf` distinguishes the members of the union. */
  readonly isUnion?: boolean;
  /** True for a string whose pattern was made of a template literal type. */
  readonly isTemplate?: boolean;
  /** Choices between fields of an object, made by ExactlyOneOf and similar types. */
  readonly choices?: readonly Choice[];
}

/** Nodes of those parts of a schema that were created separately. Parts that a table or a tag sets have no node here. */
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
 * Returns the node of a field. A field that was not made separately gets a bare node; a field that the schema does not have yields
 * undefined.
 */
export function fieldNode({ schema, parts }: SchemaNode, name: string): SchemaNode | undefined {
  const field = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
  return field && nodeOf(field, parts.properties?.get(name));
}

/** Returns the node of the items of a list, as they are in the schema; undefined if the schema defines no items. */
export function itemsNode({ schema: { items }, parts }: SchemaNode): SchemaNode | undefined {
  return items && nodeOf(items, parts.items);
}

/** Returns the node of the values of a record, as they are in the schema; undefined if the schema defines none. */
export function valuesNode({ schema, parts }: SchemaNode): SchemaNode | undefined {
  const { additionalProperties: values } = schema;
  return typeof values === 'object' ? nodeOf(values, parts.values) : undefined;
}

// The current schema decides, because facts about a schema that has been replaced would be wrong.
function nodeOf(schema: JSONSchemaProps, known: SchemaNode | undefined): SchemaNode {
  return known?.schema === schema ? known : bareNode(schema);
}

/** Returns the nodes of the parts, each with its key in the schema. */
export function innerNodes({
  parts,
}: SchemaNode): readonly { readonly name: string | undefined; readonly node: SchemaNode }[] {
  const { properties, items, values } = parts;
  const inner = [items, values].flatMap((node) => (node === undefined ? [] : [{ name: undefined, node }]));
  return [...[...(properties ?? [])].map(([name, node]) => ({ name, node })), ...inner];
}

/** Returns the label of the innermost field, or of the declaration if the trail contains no field. */
export function labelOf(docTrail: readonly Doc[]): string {
  return (docTrail.findLast((doc) => doc.kind === 'member') ?? docTrail.at(-1))?.label ?? 'the type';
}
