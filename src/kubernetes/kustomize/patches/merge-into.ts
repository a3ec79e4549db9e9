import type { FindingList } from '../../../base/errors/index.ts';
import type { Copy } from '../build/copies.ts';
import type { PatchEntry } from '../entries.ts';
import {
  idOf,
  type Resource,
  type ResourceId,
  describeId,
  rememberId,
  hasInternalAnnotations,
} from '../resource.ts';
import { isObject, type JsonObject, type Json } from '../../objects/index.ts';
import { followCopy, spreadPatched, type PatchedText } from '../shared-texts.ts';
import { toYaml } from '../../yaml/index.ts';
import { isBare } from '../written-values.ts';
import { mergeList, fieldOf, type PatchPath, shapeOf, type ReportProblem } from './merge-list.ts';
import { mergeKeysOf, schemaOfField, schemaOfItems, schemaOfKind, type MergeSchema } from './merge-schema.ts';
import type { MergePatch } from './read-patch.ts';

/**
 * Kinds that Kubernetes has dropped since 1.21, but whose lists kustomize still merges. The tables of merge schemas do not contain these
 * kinds, so a merge would silently replace their lists. Patches of these kinds are therefore refused.
 */
const droppedKinds = new Set(
  Object.entries({
    'apiextensions.k8s.io/v1beta1': 'CustomResourceDefinition',
    'autoscaling/v2beta1': 'HorizontalPodAutoscaler',
    'autoscaling/v2beta2': 'HorizontalPodAutoscaler',
    'certificates.k8s.io/v1beta1': 'CertificateSigningRequest',
    'discovery.k8s.io/v1beta1': 'EndpointSlice',
    'events.k8s.io/v1beta1': 'Event',
    'flowcontrol.apiserver.k8s.io/v1beta1': 'FlowSchema PriorityLevelConfiguration',
    'policy/v1beta1': 'PodSecurityPolicy',
    'storage.k8s.io/v1beta1': 'CSIStorageCapacity VolumeAttachment',
  }).flatMap(([apiVersion, kinds]) => kinds.split(' ').map((kind) => `${apiVersion} ${kind}`)),
);

/** Returns true for a kind that kustomize merges by a schema that is missing in the tables of merge schemas. */
function isDroppedKind(apiVersion: string, kind: string): boolean {
  return droppedKinds.has(`${apiVersion} ${kind}`);
}

/**
 * Merges a strategic merge patch into a resource. The resource keeps its kind and name unless the options allow the change. It always keeps
 * its apiVersion and namespace.
 *
 * @param resource changed in place, but left unchanged if there is a problem, which is reported as a finding
 */
export function mergeInto(
  resource: Resource,
  { object: patch, locate }: MergePatch,
  { allowNameChange = false, allowKindChange = false }: NonNullable<PatchEntry['options']>,
  findings: FindingList,
  copyOf: Copy,
): 'merged' | 'deleted' | 'failed' {
  const id = idOf(resource);
  let failed = false;
  const report = (path: PatchPath, message: string, fix: string): void => {
    failed = true;
    findings.add({
      code: 'kustomize/patch-failed',
      message: `the patch does not fit ${describeId(id)}: ${path.length === 0 ? '' : `${show(path)}: `}${message}`,
      where: locate(path),
      fix: [fix],
    });
  };

  checkDirectives(patch, report);
  if (patch['$patch'] === 'replace') {
    report(
      ['$patch'],
      'kustomize ignores $patch: replace for a whole object',
      'replace its parts, or remove the resource from the build and add the new one',
    );
  }
  const cleared = findClearedAnnotations(patch);
  if (cleared !== undefined && hasInternalAnnotations(resource)) {
    report(
      cleared,
      'the patch removes all annotations of the object, in which kustomize keeps its former names and whether its name ends in a hash: references to the object would break',
      'remove annotations by their names, each with null, or use a JSON 6902 patch',
    );
  }
  const apiVersion = resource.object['apiVersion'];
  if (typeof apiVersion === 'string' && isDroppedKind(apiVersion, id.kind)) {
    report(
      ['apiVersion'],
      `the patch is for ${apiVersion} ${id.kind}, which Kubernetes no longer has; kustomize still merges its lists in a way of its own`,
      'change the resource to a version that is served, or use a JSON 6902 patch',
    );
  }
  if (failed) return 'failed';

  const copy = copyOf(patch);
  if (apiVersion === undefined) delete copy['apiVersion'];
  else copy['apiVersion'] = apiVersion;
  const present = copyOf(resource.object);
  const sharedTexts = followCopy(resource, present);
  const patched: PatchedText[] = [];
  const merged = mergeObject(present, copy, { report, patched: (text) => patched.push(text) });
  const left = merged === undefined ? undefined : findLeftDirective(merged);
  if (left !== undefined && findLeftDirective(resource.object) === undefined) {
    report(
      left,
      '$patch has no effect here: kustomize does not look for it, and would leave it in the object',
      'write the list in full, or use a JSON 6902 patch',
    );
  }
  if (failed) return 'failed';
  if (merged === undefined) return 'deleted';

  if (allowNameChange || allowKindChange) rememberId(resource);
  resource.object = merged;
  resource.sharedTexts = sharedTexts;
  spreadPatched(resource, patched);
  restore(merged, id, { allowNameChange, allowKindChange });
  return 'merged';
}

function restore(
  object: JsonObject,
  { kind, name, namespace }: ResourceId,
  {
    allowNameChange,
    allowKindChange,
  }: { readonly allowNameChange: boolean; readonly allowKindChange: boolean },
): void {
  if (!allowKindChange) object['kind'] = kind;
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  if (!allowNameChange) metadata['name'] = name;
  if (namespace === '') delete metadata['namespace'];
  else metadata['namespace'] = namespace;
  object['metadata'] = metadata;
}

function show(path: PatchPath): string {
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
}

/**
 * Merges a strategic merge patch into an object like kustomize. Mappings are merged field by field. Lists of built-in types that have merge
 * keys are merged by these keys; other lists are replaced. Null removes a field, and the directive `$patch` replaces or deletes the mapping
 * or list that contains it.
 *
 * @param present changed in place; `patch` is changed, too
 * @param patched called for each text, number or boolean that the patch sets
 * @returns undefined if the patch deletes the object
 */
function mergeObject(
  present: JsonObject,
  patch: JsonObject,
  { report, patched }: { readonly report: ReportProblem; readonly patched: (text: PatchedText) => void },
): JsonObject | undefined {
  const merged = mergeValue(present, patch, undefined, []);
  return isObject(merged) ? merged : undefined;

  function mergeValue(
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
      report(
        path,
        `the patch has ${shapeOf(patch ?? null)} where the object has ${shapeOf(sample)}`,
        'give it the same shape, or replace the value by a JSON 6902 patch',
      );
      return present;
    }
    const schema = known ?? schemaOfEmbedded(present) ?? schemaOfEmbedded(patch);
    if (isObject(sample)) return mergeMapping(present, patch, schema, path);
    if (!Array.isArray(sample)) return mergeScalar(present, patch, schema, path);
    const keys = mergeKeysOf(schema);
    if (keys === undefined) return patch === undefined ? present : (patch ?? undefined);
    return mergeListByKeys(present, patch, keys, schemaOfItems(schema), path);
  }

  function mergeScalar(
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
    report(
      path,
      `the patch has ${JSON.stringify(patch)} where the object has the text ${JSON.stringify(present)}: whether kustomize would write it as a text depends on the quotes in the file of the resource`,
      `write "${patch}" if it is a text; change the type by a JSON 6902 patch`,
    );
    return present;
  }

  function mergeMapping(
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
      const value = mergeValue(fieldOf(result, name), field, schemaOfField(schema, name), here);
      if (value === undefined) delete result[name];
      else result[name] = value;
      if (field !== undefined && value !== undefined && typeof value !== 'object')
        patched({ mapping: result, key: name, value, path: here });
    }
    return result;
  }

  function mergeListByKeys(
    present: Json | undefined,
    patch: Json | undefined,
    keys: readonly string[],
    items: MergeSchema,
    path: PatchPath,
  ): Json | undefined {
    if (patch === null) return undefined;
    const additions = Array.isArray(patch) ? patch : [];
    const places = new Map(additions.map((item, index) => [item, index]));
    if (!Array.isArray(present)) {
      if (additions.some(isListDirective)) {
        report(
          path,
          'the list has an item that holds nothing but $patch, but the object has no such list: kustomize would leave the item in the result',
          'remove the item',
        );
        return undefined;
      }
      return merged(additions, additions);
    }
    const directive = takeListDirective(additions);
    if (directive === 'delete') return undefined;
    return merged(directive === 'replace' ? additions : present, additions);

    function merged(present: Json[], patch: Json[]): Json {
      if (present.length + patch.length > mostItems) {
        report(path, `the lists have more than ${mostItems} items together`, 'use a JSON 6902 patch');
        return present;
      }
      if (!haveKeys(present, keys) || !haveKeys(patch, keys)) {
        report(
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
        return mergeValue(one, other, items, index === undefined ? path : [...path, index]);
      });
    }
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

/** Value of `$patch`: applies to the mapping that contains it or, if it is alone in an item, to the list. Default: `merge`. */
type Directive = 'merge' | 'replace' | 'delete';

const field = '$patch';

/** Matches directives of `kubectl patch` that kustomize does not support. kustomize would copy such a directive into the object. */
const foreign = /^\$(?:retainKeys$|setElementOrder\/|deleteFromPrimitiveList\/)/;

/** Reports each directive in a patch that kustomize would not apply as written. */
function checkDirectives(patch: Json, report: ReportProblem, path: PatchPath = []): void {
  if (Array.isArray(patch)) {
    for (const [index, item] of patch.entries()) checkDirectives(item, report, [...path, index]);
    return;
  }
  if (!isObject(patch)) return;
  for (const [key, value] of Object.entries(patch)) {
    const place = [...path, key];
    if (foreign.test(key)) {
      report(
        place,
        `unknown directive ${key}: kustomize would copy it into the object`,
        `remove it; \`${field}: replace\` and \`${field}: delete\` are known, and so is JSON 6902`,
      );
    } else if (key === field && !isDirective(value)) {
      report(place, `${field} is ${JSON.stringify(value)}`, 'write delete, replace or merge');
    } else {
      checkDirectives(value, report, place);
    }
  }
}

/** Returns the path at which a patch removes all annotations of an object, including foreign ones; undefined if it does not. */
function findClearedAnnotations({ metadata }: JsonObject): PatchPath | undefined {
  const isCleared = (value: Json | undefined): boolean =>
    isObject(value) && (value[field] === 'replace' || value[field] === 'delete');
  if (isCleared(metadata)) return ['metadata', field];
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  return annotations === null || isCleared(annotations) ? ['metadata', 'annotations'] : undefined;
}

/** Returns the directive `$patch` of a mapping in a patch, and removes it from the mapping. */
function takeDirective(patch: JsonObject): Directive {
  const directive = patch[field];
  if (!isDirective(directive)) return 'merge';
  delete patch[field];
  return directive;
}

/**
 * Returns the directive of a list in a patch, and removes it from the list. The directive is given by an item that contains only `$patch`.
 * As in kustomize, this item is ignored if an earlier item contains `$patch` among other fields.
 */
function takeListDirective(patch: Json[]): Directive {
  const first = patch.find((item) => isObject(item) && Object.hasOwn(item, field));
  if (!isListDirective(first) || !isDirective(first[field])) return 'merge';
  const directive = first[field];
  const rest = patch.filter((item) => !(isObject(item) && item[field] === directive));
  patch.splice(0, patch.length, ...rest);
  return directive;
}

/** Returns true if an item contains only `$patch`, so that the directive applies to the list. */
function isListDirective(item: Json | undefined): item is JsonObject {
  return isObject(item) && Object.hasOwn(item, field) && Object.keys(item).length === 1;
}

/** Returns the path of a directive that is still in the merged object, because kustomize does not look for directives at that position. */
function findLeftDirective(merged: Json, path: PatchPath = []): PatchPath | undefined {
  if (Array.isArray(merged)) {
    for (const [index, item] of merged.entries()) {
      const found = findLeftDirective(item, [...path, index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(merged)) return undefined;
  for (const [key, value] of Object.entries(merged)) {
    const found = key === field ? [...path, key] : findLeftDirective(value, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isDirective(value: Json | undefined): value is Directive {
  return value === 'merge' || value === 'replace' || value === 'delete';
}

/** Returns true if the schema of a built-in type leaves the type of a value open, as for IntOrString and Quantity: texts and numbers both fit. */
function isTextOrNumber(schema: MergeSchema): boolean {
  return schema !== undefined && schema.type === undefined && schema.properties === undefined;
}
