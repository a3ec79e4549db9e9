/**
 * What plain TypeScript cannot say about a field. The generator knows these names; at run time they are ordinary JSON.
 * Constraints (`@minimum`, `@pattern`, `@default`, …) are JSDoc tags: see docs/crd.md.
 */

/** A 32-bit integer: `type: integer, format: int32`. */
export type Int32 = number;
/** A 64-bit integer: `type: integer, format: int64`. JavaScript is exact only up to 2^53-1: give it a `@maximum`. */
export type Int64 = number;
/** An integer without a format: `type: integer`. */
export type Integer = number;
/** A 32-bit floating point number: `type: number, format: float`. The API conventions discourage floats. */
export type Float32 = number;
/** A 64-bit floating point number: `type: number, format: double`. The API conventions discourage floats. */
export type Double = number;
/** A floating point number without a format: `type: number`. The API conventions discourage floats. */
export type Float = number;
/** An amount such as `500m`, `2Gi` or `1`: `x-kubernetes-int-or-string` with the pattern of resource.Quantity. */
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

/** A list whose items are identified by the fields `K`: `x-kubernetes-list-type: map`. Server-side apply merges it item by item. */
export type ListMap<T extends object, K extends Extract<keyof T, string>> = (T & Record<never, K>)[];
/** A list without duplicates: `x-kubernetes-list-type: set`. */
export type ListSet<T extends string | number | boolean> = T[];
/** A list that is replaced as a whole: `x-kubernetes-list-type: atomic`. */
export type AtomicList<T> = T[];
