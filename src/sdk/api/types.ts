/**
 * Types that express properties of a field for which plain TypeScript has no syntax, such as `format: int32`. The generator recognizes the
 * names of these types; at run time the values are ordinary JSON. Constraints (`@minimum`, `@pattern`, `@default`, …) are JSDoc tags, which
 * docs/crd.md describes.
 */
import type { KubeObject } from './meta.ts';

/** A 32-bit integer: `type: integer, format: int32`. */
export type Int32 = number;
/**
 * A 64-bit integer: `type: integer, format: int64`. JavaScript represents integers exactly only up to 2^53-1, so give the field a
 * `@maximum`.
 */
export type Int64 = number;
/** An integer without a format: `type: integer`. */
export type Integer = number;
/** A 32-bit floating point number: `type: number, format: float`. The API conventions discourage floats. */
export type Float32 = number;
/** A 64-bit floating point number: `type: number, format: double`. The API conventions discourage floats. */
export type Double = number;
/** A floating point number without a format: `type: number`. The API conventions discourage floats. */
export type Float = number;
/** An amount such as `500m`, `2Gi` or `1`: `x-kubernetes-int-or-string` with the pattern of Kubernetes' `resource.Quantity`. */
export type Quantity = string | number;
/** A number or a string such as `25%`: `x-kubernetes-int-or-string`. */
export type IntOrString = string | number;
/** An RFC 3339 time such as `2026-01-02T15:04:05Z`: `type: string, format: date-time`. */
export type DateTime = string;
/** A duration such as `1h30m`: `type: string, format: duration`. */
export type Duration = string;
/** Bytes as base64: `type: string, format: byte`. */
export type Base64 = string;
/** Any JSON value; unknown fields are kept: `x-kubernetes-preserve-unknown-fields: true` without a type. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** Any JSON object; unknown fields are kept: `type: object, x-kubernetes-preserve-unknown-fields: true`. */
export type JsonObject = { [key: string]: Json };

/** An object without fields: `type: object` without further keywords. The API server drops all content of such an object. */
export type EmptyObject = Record<string, never>;
/**
 * Any JSON object, like Go's `runtime.RawExtension`; unknown fields are kept: `type: object, x-kubernetes-preserve-unknown-fields: true`.
 * The values have the type `unknown`, while those of JsonObject have the type `Json`.
 */
export type RawExtension = { [key: string]: unknown };
/**
 * A complete Kubernetes object inside another one. The API server requires apiVersion and kind of the inner object, and checks its
 * metadata. Without a type argument, any object is accepted and its fields are kept: `type: object, x-kubernetes-embedded-resource: true,
 * x-kubernetes-preserve-unknown-fields: true`. With a kind as type argument, the field has the schema of this kind plus
 * `x-kubernetes-embedded-resource: true`, and fields that the kind does not define are dropped.
 */
export type EmbeddedResource<T extends object = KubeObject | (KubeObject & RawExtension)> = T;
/** A record that server-side apply replaces as one value: `additionalProperties` and `x-kubernetes-map-type: atomic`. */
export type AtomicMap<T> = Record<string, T>;
/** An object that server-side apply replaces as one value: the schema of `T` and `x-kubernetes-map-type: atomic`. */
export type AtomicObject<T extends object> = T;

/**
 * Metadata that a template gives to the objects created from the template. Only the fields of this interface are kept; other fields of
 * ObjectMeta are dropped. Source: controller-gen's `generateEmbeddedObjectMeta`.
 */
export interface EmbeddedObjectMeta {
  /** Annotations of the created objects. */
  annotations?: Record<string, string>;
  /** Finalizers of the created objects. */
  finalizers?: string[];
  /** Labels of the created objects. */
  labels?: Record<string, string>;
  /** Name of the created objects. */
  name?: string;
  /** Namespace of the created objects. */
  namespace?: string;
}

/** A list whose items are identified by the fields `K`: `x-kubernetes-list-type: map`. Server-side apply merges it item by item. */
export type ListMap<T extends object, K extends Extract<keyof T, string>> = (T & Record<never, K>)[];
/**
 * A list without duplicates: `x-kubernetes-list-type: set`. Items that are objects must be AtomicObject or AtomicMap; items that are lists
 * must be AtomicList or plain lists.
 */
export type ListSet<T> = T[];
/** A list that server-side apply replaces as one value: `x-kubernetes-list-type: atomic`. */
export type AtomicList<T> = T[];

/**
 * An object that has exactly one of the fields `K`. By default, `K` is all of the object's fields. In the schema, the fields are optional,
 * and a CEL rule checks that exactly one is set. controller-gen's marker of the same name writes such a rule, too. Example:
 * `ExactlyOneOf<Source, 'git' | 'http'>`
 */
export type ExactlyOneOf<T extends object, K extends keyof T = keyof T> = T extends object
  ? Omit<T, K> & { [P in K]-?: Required<Pick<T, P>> & { [Q in Exclude<K, P>]?: never } }[K]
  : never;
/**
 * An object that has at most one of the fields `K`. By default, `K` is all of the object's fields. In the schema, the fields are optional,
 * and a CEL rule checks that at most one is set. controller-gen's marker of the same name writes such a rule, too.
 */
export type AtMostOneOf<T extends object, K extends keyof T = keyof T> = T extends object
  ? Omit<T, K> & { [P in K]-?: Partial<Pick<T, P>> & { [Q in Exclude<K, P>]?: never } }[K]
  : never;
/**
 * An object that has at least one of the fields `K`. By default, `K` is all of the object's fields. In the schema, the fields are optional,
 * and a CEL rule checks that at least one is set. controller-gen's marker of the same name writes such a rule, too.
 */
export type AtLeastOneOf<T extends object, K extends keyof T = keyof T> = T extends object
  ? Omit<T, K> & { [P in K]-?: Required<Pick<T, P>> & Partial<Pick<T, Exclude<K, P>>> }[K]
  : never;
