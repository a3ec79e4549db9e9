import type { CustomResource, DeepReadonly } from '../../api/index.ts';

/** An object without what is not the author's to convert: metadata, `apiVersion` and `kind`. */
export type Body<T extends CustomResource> = Omit<T, 'apiVersion' | 'kind' | 'metadata'>;

/**
 * The body that a conversion returns. A part that has the same type in both versions may be passed whole. In a part that differs every
 * field must be named, optional ones too (`undefined` leaves them out), so that a forgotten field is the type error
 * "Property 'x' is missing". A field that only the target has takes any value of its type.
 */
export type ConvertedBody<Target extends CustomResource, Source extends CustomResource> = Converted<
  Body<Target>,
  Body<Source>
>;

/**
 * The check of a body as TypeScript infers it, so that optional fields may be named by a rest of the source. Fields that the target does
 * not have are refused, except in parts of the source that are passed whole.
 */
export type CheckedBody<Returned, Target extends CustomResource, Source extends CustomResource> =
  Named<Returned, Body<Target>, Body<Source>> extends ConvertedBody<Target, Source>
    ? Known<Returned, Body<Target>, DeepReadonly<Body<Source>>>
    : ConvertedBody<Target, Source>;

/** The constraint of a body that is inferred: what is there must fit, and nothing must be there yet. */
export type DraftBody<Target extends CustomResource, Source extends CustomResource> = Draft<
  ConvertedBody<Target, Source>
>;

/** With each optional field as one that may be undefined, in the parts that differ. */
type Named<T, Target, Source> =
  Identical<NonNullable<Target>, NonNullable<Source>> extends true
    ? T
    : T extends readonly (infer Item)[]
      ? Named<Item, ItemOf<Target>, ItemOf<Source>>[]
      : T extends object
        ? { [K in keyof Required<T>]: Named<T[K], FieldOf<Target, K>, FieldOf<Source, K>> }
        : T;

type Known<T, Target, Source> = Identical<T, Source> extends true ? unknown : KnownPart<T, Target, Source>;

type KnownPart<T, Target, Source> = T extends readonly (infer Item)[]
  ? Known<Item, ItemOf<Target>, ItemOf<Source>>[]
  : T extends object
    ? {
        [K in keyof T]: K extends KeyOf<Target> ? Known<T[K], FieldOf<Target, K>, FieldOf<Source, K>> : never;
      }
    : unknown;

type Draft<T> = T extends readonly (infer Item)[]
  ? readonly Draft<Item>[]
  : T extends object
    ? { [K in keyof T]?: Draft<T[K]> | undefined }
    : T;

type KeyOf<T> = T extends unknown ? keyof T : never;

type ItemOf<T> = T extends readonly (infer Item)[] ? Item : never;

/** True for two types that are the same: assignable types are not enough, for an optional field more is assignable both ways. */
type Identical<A, B> = (<G>() => G extends A ? 1 : 2) extends <G>() => G extends B ? 1 : 2 ? true : false;

type Converted<T, Source> = Identical<T, Source> extends true ? T : ConvertedPart<T, NonNullable<Source>>;

/** Distributes over `T`; `Source` may be a union. */
type ConvertedPart<T, Source> = T extends readonly (infer Item)[]
  ? ConvertedList<T, Item, Extract<Source, readonly unknown[]>>
  : T extends object
    ? [Extract<Source, object>] extends [never]
      ? T
      : ConvertedFields<T, Exclude<Extract<Source, object>, readonly unknown[]>>
    : T;

type ConvertedList<List, Item, SourceList> = [SourceList] extends [readonly (infer SourceItem)[]]
  ? [SourceList] extends [never]
    ? List
    : Converted<Item, SourceItem>[]
  : List;

/** Maps over `Required<T>`: `-?` would remove the `undefined` of optional fields, too, where `exactOptionalPropertyTypes` is off. */
type ConvertedFields<T, Source> = {
  [K in keyof Required<T>]:
    | ([FieldOf<Source, K>] extends [never] ? T[K] : Converted<T[K], FieldOf<Source, K>>)
    | (object extends Pick<T, K> ? undefined : never);
};

/** The field's type in those members of a union that have it; `never` if none has. Without the `undefined` of optional fields. */
type FieldOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
