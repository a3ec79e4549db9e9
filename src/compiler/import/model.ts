/** A tag of a doc comment: `@name text`. The text may be empty. Name and text are already escaped for use in a comment. */
export interface TagLine {
  readonly name: string;
  readonly text: string;
}

/** Use of a type in a field, as items of a list, or as values of a record, with the further facts of the schema there. */
export interface Use {
  readonly type: TypeExpression;
  readonly nullable: boolean;
  readonly description?: string;
  /** Tags in the order in which they are printed. Tags of items and values lack their prefix, such as `items.`. */
  readonly tags: readonly TagLine[];
}

export type TypeExpression =
  /** A keyword of TypeScript, or an imported type. */
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

/** An interface that has not got its name yet. Objects that would be printed identically share one declaration. */
export interface Declaration {
  readonly fields: readonly Field[];
  /** Tags that apply to every use of the interface. */
  readonly tags: readonly TagLine[];
  /** True if objects keep unknown fields. In TypeScript, this is printed only in types for clients. */
  readonly open: boolean;
  /** Name of a built-in Kubernetes type, of any release, that has the same fields. It is the preferred name for the interface. */
  readonly knownAs?: string | undefined;
}

/** Contents of a file with declarations, in parts, from which a template makes the complete file. */
export interface DeclarationModule {
  readonly group: string;
  readonly imports: readonly { readonly from: string; readonly clause: string }[];
  readonly declarations: readonly string[];
}
