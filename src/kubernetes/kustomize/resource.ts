import type { Where } from '../../base/errors/index.ts';
import { groupOf } from '../../base/util/api-version.ts';

/** JSON as it is read from a manifest, changed in place by the transformers. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [field: string]: Json;
}

/** The identity of a resource in a build. */
export interface ResourceId {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  /** `''` if none is given. */
  readonly namespace: string;
}

/** A key of a mapping within an object. */
export interface Holder {
  readonly mapping: JsonObject;
  readonly key: string;
}

/**
 * Fields that have their value in common. kustomize adds one YAML node to all fields that it gives a label or an annotation, so that
 * whoever changes it in one of them later changes it in all: a patch of `metadata.labels` the selectors, too.
 */
export type SharedText = Holder[];

/** A resource on its way through a build. One owner at a time: the kustomization that is being built. */
export interface Resource {
  /** The object as it is now. */
  object: JsonObject;
  /**
   * The ids it had before each renaming, oldest first, without the present one. Patches, replacements and references
   * of outer kustomizations may mean it by any of them.
   */
  readonly previousIds: ResourceId[];
  /** The prefixes that its name was given, innermost first. */
  readonly prefixes: string[];
  /** The suffixes that its name was given, innermost first. */
  readonly suffixes: string[];
  /** True for a generated ConfigMap or Secret whose name gets a hash of its content at the end of the build. */
  isHashed: boolean;
  /** The variables that take their value from it. */
  readonly variables: string[];
  /** Where labels and annotations with a `$` were set, which may name a variable. */
  readonly dollars: { readonly path: string; readonly key: string; readonly text: string }[];
  /** Which fields have labels and annotations in common. */
  sharedTexts: SharedText[];
  /** The file it comes from, for findings. */
  readonly where: Where;
}

/** A resource as it enters a build. */
export function newResource(object: JsonObject, where: Where): Resource {
  return {
    object,
    previousIds: [],
    prefixes: [],
    suffixes: [],
    isHashed: false,
    variables: [],
    dollars: [],
    sharedTexts: [],
    where,
  };
}

/** The id that a resource has now. */
export function idOf({ object }: Pick<Resource, 'object'>): ResourceId {
  const apiVersion = text(object['apiVersion']);
  const metadata = object['metadata'];
  const meta = isObject(metadata) ? metadata : {};
  return {
    group: groupOf(apiVersion),
    version: apiVersion.slice(apiVersion.indexOf('/') + 1),
    kind: text(object['kind']),
    name: text(meta['name']),
    namespace: text(meta['namespace']),
  };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
