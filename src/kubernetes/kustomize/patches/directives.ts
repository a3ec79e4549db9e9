import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import type { PatchPath, ReportProblem } from './merge-list.ts';

/** Value of `$patch`: applies to the mapping that contains it or, if it is alone in an item, to the list. Default: `merge`. */
type Directive = 'merge' | 'replace' | 'delete';

const field = '$patch';

/** Matches directives of `kubectl patch` that kustomize does not support. kustomize would copy such a directive into the object. */
const foreign = /^\$(?:retainKeys$|setElementOrder\/|deleteFromPrimitiveList\/)/;

/** Reports each directive in a patch that kustomize would not apply as written. */
export function checkDirectives(patch: Json, report: ReportProblem, path: PatchPath = []): void {
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
export function findClearedAnnotations({ metadata }: JsonObject): PatchPath | undefined {
  const isCleared = (value: Json | undefined): boolean =>
    isObject(value) && (value[field] === 'replace' || value[field] === 'delete');
  if (isCleared(metadata)) return ['metadata', field];
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  return annotations === null || isCleared(annotations) ? ['metadata', 'annotations'] : undefined;
}

/** Returns the directive `$patch` of a mapping in a patch, and removes it from the mapping. */
export function takeDirective(patch: JsonObject): Directive {
  const directive = patch[field];
  if (!isDirective(directive)) return 'merge';
  delete patch[field];
  return directive;
}

/**
 * Returns the directive of a list in a patch, and removes it from the list. The directive is given by an item that contains only `$patch`.
 * As in kustomize, this item is ignored if an earlier item contains `$patch` among other fields.
 */
export function takeListDirective(patch: Json[]): Directive {
  const first = patch.find((item) => isObject(item) && Object.hasOwn(item, field));
  if (!isListDirective(first) || !isDirective(first[field])) return 'merge';
  const directive = first[field];
  const rest = patch.filter((item) => !(isObject(item) && item[field] === directive));
  patch.splice(0, patch.length, ...rest);
  return directive;
}

/** Returns true if an item contains only `$patch`, so that the directive applies to the list. */
export function isListDirective(item: Json | undefined): item is JsonObject {
  return isObject(item) && Object.hasOwn(item, field) && Object.keys(item).length === 1;
}

/** Returns the path of a directive that is still in the merged object, because kustomize does not look for directives at that position. */
export function findLeftDirective(merged: Json, path: PatchPath = []): PatchPath | undefined {
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
