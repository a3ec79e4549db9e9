import {
  type FieldError,
  type Json,
  type JsonObject,
  type NameRule,
  type Schema,
  FieldSet,
  isObject,
} from '../../../kubernetes/objects/index.ts';
import type { CompiledRules } from '../../../kubernetes/crd/index.ts';

/** A served version of a kind. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  /** Group and version: `apps/v1`, or `v1` for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** The schema of complete objects. */
  readonly schema: Schema;
  /** The CEL rules of the kind; undefined if it has none, or if these count as met. */
  readonly rules: CompiledRules | undefined;
  /** True if the kind has the status subresource: `status` is written separately. */
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  readonly nameRule: NameRule;
  /** Paths that field selectors accept, in addition to name and namespace. */
  readonly selectableFields: readonly string[];
  /** The rules of a built-in kind; undefined for a kind of a CRD. */
  readonly builtIn: BuiltInRules | undefined;
}

/** Paths of the fields that the scale subresource reads and writes: dotted, without the leading dot. */
export interface ScalePaths {
  readonly spec: string;
  readonly status: string;
  readonly selector: string | undefined;
}

/** Behaviour of the server that the schema of a built-in kind does not express. */
interface BuiltInRules {
  /** JSON that Go writes for an empty object of the kind. The fields of this JSON get no owner when an object is created. */
  readonly empty: JsonObject;
  /** False for a kind that is served with its schema alone. */
  readonly hasRules: boolean;
  /** Normalises the object to the form that Go serialises and sets defaults, in place. */
  normalize(object: JsonObject): void;
  /** Validates a new object. */
  validate?(object: JsonObject): readonly FieldError[];
  readonly validateUpdate?: (now: JsonObject, before: JsonObject) => readonly FieldError[];
  /** Validates a write to the status endpoint. */
  readonly validateStatus?: (now: JsonObject, before: JsonObject) => readonly FieldError[];
  /** Returns warnings about a new or changed object that is valid. */
  readonly warnings?: (now: JsonObject, before?: JsonObject) => readonly string[];
  /** Sets the fields of a new object that the server itself determines. Called before the create is validated. */
  prepareCreate?(object: JsonObject): void;
  /** Sets defaults that the server sets only when it reads a new object that it has stored. */
  settle?(object: JsonObject): void;
  prepareUpdate?(now: JsonObject, before: JsonObject): void;
  prepareStatus?(now: JsonObject, before: JsonObject): void;
  /** True if objects of the kind have `metadata.generation`. */
  readonly hasGeneration: boolean;
  /** Fields whose changes give an object a new generation. Default: `spec`. */
  readonly generationFields?: readonly string[];
  /** Group that refusals of invalid objects name. Default: the group of the kind. */
  readonly internalGroup?: string;
  /** True if the metadata of a new object is checked only if the object is valid otherwise. */
  readonly checksMetadataLast?: boolean;
  /** True if finalizers of objects need no domain. */
  readonly allowsPlainFinalizers?: boolean;
  /** True if a PUT without resourceVersion overwrites the object. */
  readonly unconditionalUpdate: boolean;
  /** True if DELETE responds with the object. */
  readonly returnsDeleted: boolean;
  /** Fields that a write to the status endpoint does not change. Default: `metadata` and `spec`. */
  readonly statusIgnores?: FieldSet;
  /** Returns the seconds that an object has to end in its own time after a DELETE; undefined if it is removed at once. */
  gracePeriod?(object: JsonObject, requested: number | undefined): number;
  /**
   * Policy by which dependents are treated if a DELETE names none. Default: the garbage collector deletes them. `Unsupported`: the server
   * ignores the policy of a DELETE.
   */
  readonly deletionPolicy?: 'Orphan' | 'Unsupported';
  /** Warning in the answer to a DELETE that names no policy. */
  readonly deletionWarning?: string;
  /**
   * Refuses a write that this test server cannot perform like the real API server.
   * @throws OpSdkError
   */
  refuse?(verb: string, object: JsonObject): void;
}

/** The rules of a built-in kind, and the properties of its endpoints that its schema does not contain. */
export interface BuiltInEntry extends Omit<BuiltInRules, 'empty' | 'hasRules' | 'normalize'> {
  /** Sets the defaults of an object that has the form that Go serialises, in place. */
  readonly normalize?: (object: JsonObject) => void;
  /** True if the kind has the status subresource. Default: true if its schema has `status`. */
  readonly hasStatus?: boolean;
  /** Paths of the scale subresource, if the kind has it. */
  readonly scale?: ScalePaths;
  /** Rule for the names of objects. Default: a DNS subdomain. */
  readonly nameRule?: NameRule;
  readonly selectableFields?: readonly string[];
}

/** Returns the fields for which a write to the main endpoint records no owner. */
export function ignoredByMain({ hasStatus }: ServedKind): FieldSet {
  return hasStatus ? FieldSet.of(['f:status']) : new FieldSet();
}

/** Returns the fields for which a write to the status endpoint records no owner. */
export function ignoredByStatus({ builtIn }: ServedKind): FieldSet {
  return builtIn?.statusIgnores ?? FieldSet.of(['f:metadata'], ['f:spec']);
}

/** Returns the value at a dotted path. */
export function valueAt(object: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = object;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = value[part];
  }
  return value;
}

/** Registry of the kinds that the server serves, by path and by type. */
export class KindRegistry {
  readonly #byPath = new Map<string, ServedKind>();
  readonly #byType = new Map<string, ServedKind>();

  constructor(kinds: readonly ServedKind[]) {
    for (const kind of kinds) {
      this.#byPath.set(`${kind.apiVersion} ${kind.plural}`, kind);
      this.#byType.set(`${kind.apiVersion} ${kind.kind}`, kind);
    }
  }

  get all(): readonly ServedKind[] {
    return [...this.#byPath.values()];
  }

  atPath(apiVersion: string, plural: string): ServedKind | undefined {
    return this.#byPath.get(`${apiVersion} ${plural}`);
  }

  ofType(apiVersion: string, kind: string): ServedKind | undefined {
    return this.#byType.get(`${apiVersion} ${kind}`);
  }

  /** Returns the kind whose objects a collection holds, in any one of its versions. */
  ofCollection(id: string): ServedKind | undefined {
    return this.all.find(({ group, plural }) => `${group}/${plural}` === id);
  }

  hasGroup(group: string): boolean {
    return this.all.some((kind) => kind.group === group);
  }
}

/** Sets missing fields to their defaults. */
export function setDefaults(object: JsonObject, defaults: JsonObject): void {
  for (const [name, value] of Object.entries(defaults)) if (object[name] === undefined) object[name] = value;
}

/** Returns the object in a field. Creates the object if it is missing. */
export function ensureObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  if (isObject(value)) return value;
  const created: JsonObject = {};
  object[name] = created;
  return created;
}
