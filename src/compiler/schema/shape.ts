import type ts from 'typescript';
import type { FindingCode } from '../../base/errors/index.ts';
import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import type { TemplateText } from './template-pattern.ts';

/** One JSDoc tag: its name, its text as written (margins removed), and the position of its `@`. */
export interface Tag {
  readonly name: string;
  /** Name of the tag in the source, such as `items.maxLength`, if a prefix was removed from `name`. */
  readonly written?: string;
  readonly text: string;
  readonly file: ts.SourceFile;
  readonly position: number;
}

/**
 * The doc comment of a field, an interface, an alias or an enum. Every declaration on the way to a type has a Doc, even if it has no
 * comment.
 */
export interface Doc {
  /** Identifies the doc within a program. The engine carries this id as an annotation. */
  readonly id: number;
  /** Name of the declaration in messages: `MemcachedSpec.size`, `Port`. */
  readonly label: string;
  readonly kind: 'member' | 'declaration';
  readonly node: ts.Node;
  readonly description?: string;
  /** Tags that affect op-sdk, without those for people; see `isForPeople`. */
  readonly tags: readonly Tag[];
  /** Errors in the comment itself. */
  readonly problems: readonly Problem[];
  /** Warnings about the comment itself. */
  readonly advice: readonly Problem[];
}

/** A finding whose place is still a syntax position; see `reportProblem`. */
export interface Problem {
  readonly code: FindingCode;
  readonly message: string;
  readonly fix: readonly string[];
  /** Position of the problem. Default: the nearest declaration of the user. */
  readonly at?: { readonly file: ts.SourceFile; readonly position: number };
  /** Second position of a problem that has two; the message names it at its end. */
  readonly other?: { readonly file: ts.SourceFile; readonly position: number };
}

/** A type as the engine understood it, before Kubernetes' rules are applied. All code after the engine uses only this form. */
export interface Shape {
  readonly form: Form;
  /** Docs of the type, from the outermost (that of the field) to the innermost (that of the declaration of the field's type). */
  readonly docs: readonly Doc[];
  /** True if `null` is a possible value. */
  readonly nullable: boolean;
  /** True if `undefined` is a possible value. */
  readonly optional: boolean;
  /** Adjustments by utility types around the form, the innermost first. Default: none. */
  readonly adjustments?: readonly Adjustment[];
}

/** Change that a utility type makes to the schema of its argument. */
export type Adjustment =
  /** Made by AtomicMap or AtomicObject. */
  | { readonly kind: 'atomic'; readonly name: string }
  /** EmbeddedResource. `isResource`: the argument extends the base of resources. */
  | { readonly kind: 'embedded'; readonly name: string; readonly isResource: boolean }
  /** ExactlyOneOf, AtMostOneOf, AtLeastOneOf. `fields`: all, if undefined. */
  | { readonly kind: 'choice'; readonly name: ChoiceName; readonly fields: readonly string[] | undefined };

/** Utility types that limit how many of the given fields may be set. */
export type ChoiceName = 'ExactlyOneOf' | 'AtMostOneOf' | 'AtLeastOneOf';

export interface ShapeProperty {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

export type Form =
  /** A string. `texts` are the strings that a template literal type, or a union with one, matches. Default: any string. */
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
      /** The docs of base interfaces and of the parts of an intersection. Their constraints apply, but their descriptions do not. */
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
