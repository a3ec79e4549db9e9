import type ts from 'typescript';
import type { FindingCode } from '../../base/errors/index.ts';
import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import type { TemplateText } from './template-pattern.ts';

/** One JSDoc tag, with its name, its text, and the position of its `@`. The text is as written, without the margins of the comment. */
export interface Tag {
  readonly name: string;
  /** Name of the tag as written in the source, such as `items.maxLength`. Set only if `name` lacks a prefix that the source contains. */
  readonly written?: string;
  readonly text: string;
  readonly file: ts.SourceFile;
  readonly position: number;
}

/**
 * The doc comment of a field, an interface, an alias or an enum. A `Doc` exists for every declaration on the path to a type, even for a
 * declaration without a comment.
 */
export interface Doc {
  /** Identifies the doc within a program. The engine stores this id in the annotation of a type. */
  readonly id: number;
  /** Name of the declaration in messages: `MemcachedSpec.size`, `Port`. */
  readonly label: string;
  readonly kind: 'member' | 'declaration';
  readonly node: ts.Node;
  readonly description?: string;
  /** Tags that affect op-sdk. Tags that only inform people are not included; see `isForPeople`. */
  readonly tags: readonly Tag[];
  /** Errors in the doc comment itself, such as an unreadable tag. */
  readonly problems: readonly Problem[];
  /** Warnings about the doc comment itself. */
  readonly advice: readonly Problem[];
}

/** A problem that becomes a finding. Its place is still a position in a syntax tree; see `Reporter`. */
export interface Problem {
  readonly code: FindingCode;
  readonly message: string;
  readonly fix: readonly string[];
  /** Position of the problem. Default: the innermost declaration that the user owns. */
  readonly at?: { readonly file: ts.SourceFile; readonly position: number };
  /** Position of a second declaration that is involved in the problem. The end of the message names this position. */
  readonly other?: { readonly file: ts.SourceFile; readonly position: number };
}

/**
 * A type as the engine has read it, before the rules of Kubernetes are applied. All code that runs after the engine uses shapes instead of
 * the engine's types.
 */
export interface Shape {
  readonly form: Form;
  /**
   * Docs that apply to the type, from the outermost (the doc of the field) to the innermost (the doc of the declaration of the field's
   * type).
   */
  readonly docs: readonly Doc[];
  /** True if `null` is a possible value. */
  readonly nullable: boolean;
  /** True if `undefined` is a possible value. */
  readonly optional: boolean;
  /** Changes by the utility types that enclose the type, the innermost first. Default: none. */
  readonly adjustments?: readonly Adjustment[];
}

/** Change that a utility type makes to the schema of its type argument. */
export type Adjustment =
  /** Made by the utility types AtomicMap and AtomicObject. */
  | { readonly kind: 'atomic'; readonly name: string }
  /** EmbeddedResource. `isResource`: the argument extends the base of resources. */
  | { readonly kind: 'embedded'; readonly name: string; readonly isResource: boolean }
  /** ExactlyOneOf, AtMostOneOf, AtLeastOneOf. `fields`: all, if undefined. */
  | { readonly kind: 'choice'; readonly name: ChoiceName; readonly fields: readonly string[] | undefined };

/** Names of the utility types that limit how many of the given fields may be set. */
export type ChoiceName = 'ExactlyOneOf' | 'AtMostOneOf' | 'AtLeastOneOf';

export interface ShapeProperty {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

export type Form =
  /**
   * A string. `texts` are the forms of text that a template literal type matches, or a union that contains such a type. Default: any
   * string.
   */
  | { readonly kind: 'string'; readonly texts?: readonly TemplateText[] }
  | { readonly kind: 'boolean' }
  /** A plain `number`: JSON Schema cannot tell whether integers are meant. */
  | { readonly kind: 'number' }
  | { readonly kind: 'enum'; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'array'; readonly items: Shape; readonly list?: ListKind }
  | { readonly kind: 'record'; readonly values: Shape }
  | {
      readonly kind: 'object';
      readonly properties: readonly ShapeProperty[];
      /**
       * Docs of base interfaces, and of the parts of an intersection. The constraints in these docs apply to the object, but the
       * descriptions do not.
       */
      readonly inherited: readonly Doc[];
    }
  /** A utility type or a built-in Kubernetes type: its schema is known. */
  | { readonly kind: 'fixed'; readonly name: string; readonly schema: JSONSchemaProps }
  /** A union of object types. */
  | { readonly kind: 'union'; readonly members: readonly Shape[] }
  /**
   * Type that cannot be expressed. `escapable`: a `@k8s` tag that gives the type resolves it. `never`: no value can have the type, which is a
   * statement where the field is an optional one of a member of a union.
   */
  | {
      readonly kind: 'refused';
      readonly problem: Problem;
      readonly escapable: boolean;
      readonly never?: boolean;
    };

export type ListKind =
  | { readonly type: 'map'; readonly keys: readonly string[] }
  | { readonly type: 'set' }
  | { readonly type: 'atomic' };
