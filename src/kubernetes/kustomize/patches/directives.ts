import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import type { PatchPath, ReportProblem } from './merge-list.ts';

/** The directive of `$patch`: for the mapping that holds it or, alone in an item, for the list. Default: `merge`. */
type Directive = 'merge' | 'replace' | 'delete';

const field = '$patch';

/** Directives of `kubectl patch` that kustomize does not know: it would copy them into the object. */
const foreign = /^\$(?:retainKeys$|setElementOrder\/|deleteFromPrimitiveList\/)/;

/** Finds the directives in a patch that would not do what they say. */
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
        `kustomize does not know the directive ${key}: it would copy it into the object`,
        `remove it; \`${field}: replace\` and \`${field}: delete\` are known, and so is JSON 6902`,
      );
    } else if (key === field && !isDirective(value)) {
      report(place, `${field} is ${JSON.stringify(value)}`, 'write delete, replace or merge');
    } else {
      checkDirectives(value, report, place);
    }
  }
}

/** Where a patch removes all annotations of an object, those of others included; undefined if it does not. */
export function findClearedAnnotations({ metadata }: JsonObject): PatchPath | undefined {
  const isCleared = (value: Json | undefined): boolean =>
    isObject(value) && (value[field] === 'replace' || value[field] === 'delete');
  if (isCleared(metadata)) return ['metadata', field];
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  return annotations === null || isCleared(annotations) ? ['metadata', 'annotations'] : undefined;
}

/** Reads the directive of a mapping of a patch, and takes it out. */
export function takeDirective(patch: JsonObject): Directive {
  const directive = patch[field];
  if (!isDirective(directive)) return 'merge';
  delete patch[field];
  return directive;
}

/**
 * Reads the directive of a list of a patch, and takes it out: an item that holds nothing but `$patch`. As in kustomize it
 * counts only if no item in front of it has a `$patch` of its own.
 */
export function takeListDirective(patch: Json[]): Directive {
  const first = patch.find((item) => isObject(item) && Object.hasOwn(item, field));
  if (!isListDirective(first) || !isDirective(first[field])) return 'merge';
  const directive = first[field];
  const rest = patch.filter((item) => !(isObject(item) && item[field] === directive));
  patch.splice(0, patch.length, ...rest);
  return directive;
}

/** Returns true if an item holds nothing but `$patch`: its directive is for the list. */
export function isListDirective(item: Json | undefined): item is JsonObject {
  return isObject(item) && Object.hasOwn(item, field) && Object.keys(item).length === 1;
}

/** The path of a directive that a merge left behind, because it is where kustomize does not look for it. */
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
