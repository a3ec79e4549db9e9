import type ts from 'typescript';
import type { FindingCode } from '../../base/errors/index.ts';
import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import type { TemplateText } from './template-pattern.ts';

/** One JSDoc tag: its name, its text as written (margins removed), and the position of its `@`. */
export interface Tag {
  readonly name: string;
  /** The name in the source where a prefix was taken off: `items.maxLength`. */
  readonly written?: string;
  readonly text: string;
  readonly file: ts.SourceFile;
  readonly position: number;
}

/** The doc comment of a field, an interface, an alias or an enum. Every declaration on the way to a type has one, empty or not. */
export interface Doc {
  /** Identifies the docs within a program; carried through the engine as an annotation. */
  readonly id: number;
  /** For messages: `MemcachedSpec.size`, `Port`. */
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
  /** Default: the nearest declaration of the user. */
  readonly at?: { readonly file: ts.SourceFile; readonly position: number };
  /** The other place, where a problem has two: it is named at the end of the message. */
  readonly other?: { readonly file: ts.SourceFile; readonly position: number };
}

/** A type as the engine understood it, before Kubernetes' rules. The seam between the engine and everything after it. */
export interface Shape {
  readonly form: Form;
  /** The outermost (the field) first, the innermost (the declaration of its type) last. */
  readonly docs: readonly Doc[];
  /** `null` is among the values. */
  readonly nullable: boolean;
  /** `undefined` is among the values. */
  readonly optional: boolean;
  /** Adjustments by utility types around the form, the innermost first. Default: none. */
  readonly adjustments?: readonly Adjustment[];
}

/** Addition of a utility type to the schema of its argument. */
export type Adjustment =
  /** AtomicMap, AtomicObject. */
  | { readonly kind: 'atomic'; readonly name: string }
  /** EmbeddedResource. `isResource`: the argument extends the base of resources. */
  | { readonly kind: 'embedded'; readonly name: string; readonly isResource: boolean }
  /** ExactlyOneOf, AtMostOneOf, AtLeastOneOf. `fields`: all, if undefined. */
  | { readonly kind: 'choice'; readonly name: ChoiceName; readonly fields: readonly string[] | undefined };

/** Number of the fields that may be set. */
export type ChoiceName = 'ExactlyOneOf' | 'AtMostOneOf' | 'AtLeastOneOf';

export interface ShapeProperty {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

export type Form =
  /** `texts`: the strings that a template literal type, or a union with one, matches. Default: any string. */
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
      /** The docs of base interfaces and of the parts of an intersection: their constraints hold, their descriptions do not. */
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
