import { parseLossyPath } from './lossy-paths.ts';
import type { CustomResource, DeepReadonly, JsonPath, Resource } from '../../api/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';

/**
 * Conversions between one version (the spoke) and the hub version. Both functions must be pure functions of the frozen body. The API server
 * also passes objects that no user wrote, such as one without the fields that a field manager no longer owns. Such an object may lack a
 * required field.
 *
 * Data that one version cannot represent is kept in the annotation `opsdk.dev/conversion-data` of the converted object. The conversion back
 * restores the data; see {@link defineConversion}.
 */
export interface SpokeConversion<
  H extends CustomResource,
  S extends CustomResource,
  To = ConvertedBody<H, S>,
  From = ConvertedBody<S, H>,
> {
  /**
   * Converts a spoke's body to a hub's body. A part that has the same type in both versions may be passed without listing its fields. In a
   * part whose types differ, every field must be present, by name or through a rest (`...rest`) of the spoke's part.
   */
  to(spoke: DeepReadonly<Body<S>>): To & CheckedBody<To, H, S>;
  /** Converts a hub's body to a spoke's body. The rules of `to` apply. */
  from(hub: DeepReadonly<Body<H>>): From & CheckedBody<From, S, H>;
  /**
   * Fields of the hub that may be lost in this spoke. All other data that the spoke cannot represent is kept in the annotation. Write each
   * path with names and dots, and `[*]` for the items of a list: `.spec.debug`, `.spec.ports[*].comment`. Default: none.
   */
  readonly lossy?: readonly JsonPath<Body<H>>[];
}

/** A conversion without its static types. */
export interface UntypedConversion {
  /** See {@link SpokeConversion.to}. */
  readonly to: (spoke: object) => unknown;
  /** See {@link SpokeConversion.from}. */
  readonly from: (hub: object) => unknown;
  /** See {@link SpokeConversion.lossy}. */
  readonly lossy?: readonly string[];
}

/**
 * Conversions of a kind, for `manager.add`. Each version (spoke) is converted to and from one version (hub), which is the stored version.
 */
export interface HubConversion {
  /** Distinguishes a conversion from other arguments of `manager.add`. */
  readonly role: 'conversion';
  /** The hub: the version to which all others are converted. Objects are stored in this version. */
  readonly hub: Resource;
  /** The other versions, each with its conversion to and from the hub. */
  readonly spokes: readonly {
    readonly resource: Resource;
    readonly conversion: UntypedConversion;
  }[];
}

/** The conversions of one kind, to which further versions can be added. */
export interface ConversionOf<H extends CustomResource> extends HubConversion {
  readonly hub: Resource<H>;
  /**
   * Returns these conversions with one more version.
   *
   * @throws OpSdkError `runtime/invalid-conversion` for a duplicate version, the hub itself, another kind, or an invalid path in `lossy`
   */
  spoke<S extends CustomResource, To extends DraftBody<H, S>, From extends DraftBody<S, H>>(
    resource: Resource<S>,
    conversion: SpokeConversion<H, S, To, From>,
  ): ConversionOf<H>;
}

/**
 * Declares how objects of a kind are converted between its versions. `manager.add` makes the operator serve `/convert`, and `op-sdk
 * generate manifests` writes `spec.conversion`.
 *
 * Conversions are lossless: fields of the hub's object that `from` omits are kept in an annotation of the spoke's object, and vice versa.
 * If the spoke's object was edited, the edit is merged with the kept fields: where the edit changes the resulting hub's object, the edit
 * takes precedence; all other kept fields are restored. Items of lists are matched if they are equal, else by `name`, `key`, `id` or
 * `type`, else by their position unless the list became shorter. An object without the annotation is converted without kept data.
 *
 * @example
 * export const memcachedConversion = defineConversion(v1beta1.Memcached).spoke(v1alpha1.Memcached, {
 *   to: ({ spec, status }) => ({ spec: { replicas: spec.size, image: undefined }, status }),
 *   from: ({ spec, status }) => ({ spec: { size: spec.replicas }, status }),
 * });
 */
export function defineConversion<H extends CustomResource>(hub: Resource<H>): ConversionOf<H> {
  return conversionOf(hub, []);
}

function conversionOf<H extends CustomResource>(
  hub: Resource<H>,
  spokes: HubConversion['spokes'],
): ConversionOf<H> {
  return {
    role: 'conversion',
    hub,
    spokes,
    spoke: (resource, typed) => {
      const conversion = typed as unknown as UntypedConversion;
      checkSpoke(hub, spokes, resource, conversion);
      return conversionOf(hub, [...spokes, { resource, conversion }]);
    },
  };
}

function checkSpoke(
  hub: Resource,
  spokes: HubConversion['spokes'],
  spoke: Resource,
  { to, from, lossy = [] }: UntypedConversion,
): void {
  const problems: string[] = [];
  const name = `${spoke.apiVersion} ${spoke.kind}`;
  if (spoke.group !== hub.group || spoke.kind !== hub.kind)
    problems.push(`spoke: expected a version of ${hub.kind} in ${hub.group}, got ${name}`);
  else if (spoke.version === hub.version) problems.push(`spoke: ${name} is the hub itself`);
  else if (spokes.some(({ resource }) => resource.version === spoke.version))
    problems.push(`spoke: ${name} has a conversion already`);
  for (const [field, value] of Object.entries({ to, from }))
    if (typeof value !== 'function')
      problems.push(`${name}: ${field}: expected a function, got ${typeof value}`);
  for (const path of lossy)
    if (parseLossyPath(path) === undefined)
      problems.push(
        `${name}: lossy: expected a path such as .spec.debug or .spec.ports[*].comment, got ${JSON.stringify(path)}`,
      );
  if (problems.length > 0)
    throw new OpSdkError(problems.map((message) => ({ code: 'runtime/invalid-conversion', message })));
}

/** An object without the fields that a conversion does not handle: metadata, `apiVersion` and `kind`. */
export type Body<T extends CustomResource> = Omit<T, 'apiVersion' | 'kind' | 'metadata'>;

/**
 * The body that a conversion returns. A part of the same type in both versions may be passed without listing its fields. In a part whose
 * types differ, every field must be named, including optional fields (`undefined` omits them). A forgotten field is therefore the type
 * error "Property 'x' is missing". A field that exists only in the target accepts any value of its type.
 */
export type ConvertedBody<Target extends CustomResource, Source extends CustomResource> = Converted<
  Body<Target>,
  Body<Source>
>;

/**
 * Checks the inferred type of a returned body. Optional fields may come from a rest (`...rest`) of the source. Refuses fields that the
 * target does not have, except in parts of the source that are passed unchanged.
 */
type CheckedBody<Returned, Target extends CustomResource, Source extends CustomResource> =
  Named<Returned, Body<Target>, Body<Source>> extends ConvertedBody<Target, Source>
    ? Known<Returned, Body<Target>, DeepReadonly<Body<Source>>>
    : ConvertedBody<Target, Source>;

/** Constraint on the inferred type of a returned body. Existing fields must be assignable to the target, but no field is required yet. */
type DraftBody<Target extends CustomResource, Source extends CustomResource> = Draft<
  ConvertedBody<Target, Source>
>;

/** Adds `undefined` to the type of each optional field, in the parts whose types differ between the versions. */
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

/**
 * True for two identical types. Mutual assignability is not enough, because types that differ in an optional field are also mutually
 * assignable.
 */
type Identical<A, B> = (<G>() => G extends A ? 1 : 2) extends <G>() => G extends B ? 1 : 2 ? true : false;

type Converted<T, Source> = Identical<T, Source> extends true ? T : ConvertedPart<T, NonNullable<Source>>;

/** Distributes over the members of the union `T`. `Source` may be a union, too. */
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

/**
 * Maps over `Required<T>` instead of using `-?`, which would also remove the `undefined` of optional fields if `exactOptionalPropertyTypes`
 * is off.
 */
type ConvertedFields<T, Source> = {
  [K in keyof Required<T>]:
    | ([FieldOf<Source, K>] extends [never] ? T[K] : Converted<T[K], FieldOf<Source, K>>)
    | (object extends Pick<T, K> ? undefined : never);
};

/**
 * Type of a field in the members of a union that have the field; `never` if no member has it. Without the `undefined` of optional fields.
 */
type FieldOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
