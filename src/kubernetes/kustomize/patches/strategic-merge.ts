import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import { toYaml } from '../../yaml/index.ts';
import type { PatchedText } from '../shared-texts.ts';
import { isBare } from '../written-values.ts';
import { isListDirective, takeDirective, takeListDirective } from './directives.ts';
import { fieldOf, mergeList, type PatchPath, type ReportProblem, shapeOf } from './merge-list.ts';
import { mergeKeysOf, type MergeSchema, schemaOfField, schemaOfItems, schemaOfKind } from './merge-schema.ts';

/** Rules for merging the items of a list. */
interface ListMerge {
  /** Fields that identify an item; none for a list of scalars. */
  readonly keys: readonly string[];
  readonly items: MergeSchema;
  readonly path: PatchPath;
  /** Positions of the items in the patch. */
  readonly places: ReadonlyMap<Json, number>;
}

interface MergeCallbacks {
  readonly report: ReportProblem;
  /** Called for each text, number or boolean that the patch sets. */
  readonly patched: (text: PatchedText) => void;
}

/**
 * Merges a strategic merge patch into an object like kustomize. Mappings are merged field by field. Lists of built-in types that have merge
 * keys are merged by these keys; other lists are replaced. Null removes a field, and the directive `$patch` replaces or deletes the mapping
 * or list that contains it.
 *
 * @param present changed in place; `patch` is changed, too
 * @returns undefined if the patch deletes the object
 */
export function mergeObject(
  present: JsonObject,
  patch: JsonObject,
  callbacks: MergeCallbacks,
): JsonObject | undefined {
  const merged = new StrategicMerge(callbacks).value(present, patch, undefined, []);
  return isObject(merged) ? merged : undefined;
}

class StrategicMerge {
  readonly #report: ReportProblem;
  readonly #patched: MergeCallbacks['patched'];

  constructor({ report, patched }: MergeCallbacks) {
    this.#report = report;
    this.#patched = patched;
  }

  value(
    present: Json | undefined,
    patch: Json | undefined,
    known: MergeSchema,
    path: PatchPath,
  ): Json | undefined {
    // An explicit null in the object is kept, but a null in the patch removes the field.
    const sample = present ?? patch ?? null;
    if (sample === null) return patch === undefined ? present : undefined;
    for (const other of [present, patch]) {
      if (other === undefined || other === null || sameShape(sample, other)) continue;
      this.#report(
        path,
        `the patch has ${shapeOf(patch ?? null)} where the object has ${shapeOf(sample)}`,
        'give it the same shape, or replace the value by a JSON 6902 patch',
      );
      return present;
    }
    const schema = known ?? schemaOfEmbedded(present) ?? schemaOfEmbedded(patch);
    if (isObject(sample)) return this.#mapping(present, patch, schema, path);
    if (!Array.isArray(sample)) return this.#scalar(present, patch, schema, path);
    const keys = mergeKeysOf(schema);
    if (keys === undefined) return patch === undefined ? present : (patch ?? undefined);
    return this.#listByKeys(present, patch, keys, schemaOfItems(schema), path);
  }

  #scalar(
    present: Json | undefined,
    patch: Json | undefined,
    schema: MergeSchema,
    path: PatchPath,
  ): Json | undefined {
    if (patch === undefined) return present;
    if (typeof present !== 'string' || (typeof patch !== 'number' && typeof patch !== 'boolean'))
      return patch ?? undefined;
    // kustomize keeps the quotes of the resource's text, so that a number from the patch becomes a text.
    if (needsQuotes(present)) return String(patch);
    if (isTextOrNumber(schema)) return patch;
    this.#report(
      path,
      `the patch has ${JSON.stringify(patch)} where the object has the text ${JSON.stringify(present)}: whether kustomize would write it as a text depends on the quotes in the file of the resource`,
      `write "${patch}" if it is a text; change the type by a JSON 6902 patch`,
    );
    return present;
  }

  #mapping(
    present: Json | undefined,
    patch: Json | undefined,
    schema: MergeSchema,
    path: PatchPath,
  ): Json | undefined {
    if (patch === null) return undefined;
    const directive = isObject(patch) ? takeDirective(patch) : 'merge';
    if (directive === 'delete') return undefined;
    const result = isObject(present) && directive === 'merge' ? present : patch;
    if (!isObject(result)) return undefined;
    const names = new Set([...Object.keys(result), ...(isObject(patch) ? Object.keys(patch) : [])]);
    for (const name of names) {
      const field = isObject(patch) ? fieldOf(patch, name) : undefined;
      // kustomize removes fields that are written without a value from every mapping that it merges.
      if (field === undefined && isBare(result, name)) {
        delete result[name];
        continue;
      }
      const here = [...path, name];
      const value = this.value(fieldOf(result, name), field, schemaOfField(schema, name), here);
      if (value === undefined) delete result[name];
      else result[name] = value;
      if (field !== undefined && value !== undefined && typeof value !== 'object')
        this.#patched({ mapping: result, key: name, value, path: here });
    }
    return result;
  }

  #listByKeys(
    present: Json | undefined,
    patch: Json | undefined,
    keys: readonly string[],
    items: MergeSchema,
    path: PatchPath,
  ): Json | undefined {
    if (patch === null) return undefined;
    const additions = Array.isArray(patch) ? patch : [];
    const places = new Map(additions.map((item, index) => [item, index]));
    const merge: ListMerge = { keys, items, path, places };
    if (!Array.isArray(present)) {
      if (additions.some(isListDirective)) {
        this.#report(
          path,
          'the list has an item that holds nothing but $patch, but the object has no such list: kustomize would leave the item in the result',
          'remove the item',
        );
        return undefined;
      }
      return this.#items(additions, additions, merge);
    }
    const directive = takeListDirective(additions);
    if (directive === 'delete') return undefined;
    return this.#items(directive === 'replace' ? additions : present, additions, merge);
  }

  #items(present: Json[], patch: Json[], { keys, items, path, places }: ListMerge): Json {
    if (present.length + patch.length > mostItems) {
      this.#report(path, `the lists have more than ${mostItems} items together`, 'use a JSON 6902 patch');
      return present;
    }
    if (!haveKeys(present, keys) || !haveKeys(patch, keys)) {
      this.#report(
        path,
        keys.length === 0
          ? 'the list holds an item that is a mapping or a list, where names or numbers belong'
          : `the list holds an item without ${keys.join(' and ')}, which identify its items: kustomize would lose others`,
        keys.length === 0
          ? 'correct the item'
          : `give every item ${keys.length === 1 ? `a ${keys[0] ?? ''}` : 'them'}, or use a JSON 6902 patch`,
      );
      return present;
    }
    return mergeList(present, patch, keys, (one, other) => {
      const index = other === undefined ? undefined : places.get(other);
      return this.value(one, other, items, index === undefined ? path : [...path, index]);
    });
  }
}

/** Maximum number of items in two merged lists together. The limit is needed because every item is compared with every other item. */
const mostItems = 3000;

/** Returns true if each item of a list can be identified: by at least one of the keys or, if `keys` is empty, by its scalar value. */
function haveKeys(list: readonly Json[], keys: readonly string[]): boolean {
  if (keys.length === 0) return list.every((item) => typeof item !== 'object' || item === null);
  return list.every((item) => keys.some((key) => fieldOf(item, key) !== undefined));
}

function schemaOfEmbedded(value: Json | undefined): MergeSchema {
  if (!isObject(value)) return undefined;
  const { apiVersion, kind } = value;
  return typeof apiVersion === 'string' && typeof kind === 'string'
    ? schemaOfKind(apiVersion, kind)
    : undefined;
}

/** Returns true if a text needs quotes or a block scalar in YAML. */
function needsQuotes(text: string): boolean {
  return /^["'|>]/.test(toYaml(text));
}

function sameShape(a: Json, b: Json): boolean {
  return isObject(a) === isObject(b) && Array.isArray(a) === Array.isArray(b);
}

/** Returns true if the schema of a built-in type leaves the type of a value open, as for IntOrString and Quantity: texts and numbers both fit. */
function isTextOrNumber(schema: MergeSchema): boolean {
  return schema !== undefined && schema.type === undefined && schema.properties === undefined;
}
