/** A tag of a doc comment: `@name text`; the text may be empty. Both are already escaped for a comment. */
export interface TagLine {
  readonly name: string;
  readonly text: string;
}

/** A type with the other facts of a schema, at one place of use: a field, items of a list, or values of a record. */
export interface Use {
  readonly type: TypeExpression;
  readonly nullable: boolean;
  readonly description?: string;
  /** Tags in the order in which they are written. Tags of items and values lack their prefix. */
  readonly tags: readonly TagLine[];
}

export type TypeExpression =
  /** A keyword, or a type that is imported. */
  | { readonly kind: 'name'; readonly name: string; readonly from?: string }
  | { readonly kind: 'literals'; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'list'; readonly items: Use; readonly list?: ListType }
  | { readonly kind: 'record'; readonly values: Use; readonly atomic: boolean }
  | { readonly kind: 'declared'; readonly declaration: Declaration };

type ListType =
  | { readonly utility: 'ListMap'; readonly keys: readonly string[] }
  | { readonly utility: 'ListSet' | 'AtomicList' };

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly use: Use;
}

/** An interface that does not have a name yet. Objects that would be printed alike share one interface. */
export interface Declaration {
  readonly fields: readonly Field[];
  /** Tags that hold wherever the interface is used. */
  readonly tags: readonly TagLine[];
  /** True if unknown fields are kept; only types for clients express this in TypeScript. */
  readonly open: boolean;
  /** Built-in Kubernetes type, of any release, with the same fields; the preferred name. */
  readonly knownAs?: string | undefined;
}

/** Parts of a file of declarations, for the template that frames it. */
export interface DeclarationModule {
  readonly group: string;
  readonly imports: readonly { readonly from: string; readonly clause: string }[];
  readonly declarations: readonly string[];
}
