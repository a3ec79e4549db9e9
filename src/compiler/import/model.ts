/** A tag of a doc comment: `@name text`; the text may be empty. Both are ready for a comment. */
export interface TagLine {
  readonly name: string;
  readonly text: string;
}

/** A type with what a schema says beside it, wherever it is used: as a field, as items of a list, as values of a record. */
export interface Use {
  readonly type: TypeExpression;
  readonly nullable: boolean;
  readonly description?: string;
  /** In the order in which they are written; for items and values without their prefix. */
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

/** An interface that is yet to be named. Objects that would be printed alike share one. */
export interface Declaration {
  readonly fields: readonly Field[];
  /** Tags that hold wherever the interface is used. */
  readonly tags: readonly TagLine[];
  /** Unknown fields are kept: only types for clients say it in TypeScript. */
  readonly open: boolean;
  /** The built-in type of Kubernetes, of any release, that has its fields: the best name. */
  readonly knownAs?: string | undefined;
}

/** Parts of a file of declarations, for the template that frames it. */
export interface DeclarationModule {
  readonly group: string;
  readonly imports: readonly { readonly from: string; readonly clause: string }[];
  readonly declarations: readonly string[];
}
