import { unchecked, bool, list, mapped, object, string } from '../../../base/util/json-reader.ts';
import { invalid, type JsonReader } from '../../../base/util/read-json.ts';
import type { PatchField, PatchTarget } from '../entries.ts';
import { type Fields, says, optionalText, written, type Locate } from './kustomization.ts';

type Patch = Fields['patches'][number];
type Replacement = Fields['replacements'][number];

/** Returns readers for the fields that contain patches and replacements. These readers do not open the files that the fields name. */
export function patchReaders(locate: Locate): {
  readonly [F in PatchField]: JsonReader<readonly Patch[]>;
} & { readonly replacements: JsonReader<readonly Replacement[]> } {
  return {
    patchesStrategicMerge: list(strategicMerge(locate)),
    patches: list(patchReader('patches', locate)),
    patchesJson6902: list(patchReader('patchesJson6902', locate)),
    replacements: list(replacement(locate)),
  };
}

/** Returns a reader for an entry that is either a path or an inline patch. An entry with several lines, or in JSON, is an inline patch. */
function strategicMerge(locate: Locate): JsonReader<Patch> {
  return mapped(string, (given, place) => {
    if (given.trim() === '') return invalid(place, 'the patch is empty', 'write the patch or its path');
    const where = locate(place.path);
    const isInline = /\n\s*\S|^\s*\{/.test(given);
    const source = isInline ? { text: given } : { path: { path: given, where } };
    return { source, from: 'patchesStrategicMerge', where };
  });
}

const target = object({
  group: optionalText,
  version: optionalText,
  kind: optionalText,
  name: optionalText,
  namespace: optionalText,
  labelSelector: optionalText,
  annotationSelector: optionalText,
} satisfies Record<keyof PatchTarget, JsonReader<string>>);

const patchFields = written(
  object({
    path: optionalText,
    patch: mapped(string, (given) => (given.trim() === '' ? undefined : given)),
    target,
    options: object({ allowNameChange: bool, allowKindChange: bool }),
  }),
);

/** Returns a reader for one patch, with its target and options. */
export function patchReader(from: PatchField, locate: Locate): JsonReader<Patch> {
  return mapped(patchFields, ({ read, value }, place): Patch | undefined => {
    const { path, patch: inline, ...rest } = read;
    if (path !== undefined && inline !== undefined)
      return invalid(place, 'it has both a path and a patch', 'keep one of them');
    if (path === undefined && inline === undefined) {
      // A value of the wrong type has been reported already, so this problem is not reported again.
      const isReported = ['path', 'patch'].some(
        (field) => says(value, field) && typeof value[field] !== 'string',
      );
      return isReported ? undefined : invalid(place, 'it has neither a path nor a patch', 'add one of them');
    }
    if (from === 'patchesJson6902' && !says(value, 'target'))
      return invalid(place, 'the target is missing', 'name the kind and the name of the resource to patch');
    const source =
      path === undefined
        ? // kustomize trims inline texts of `patches`, but not those of `patchesJson6902`.
          { text: (from === 'patches' ? inline?.trim() : inline) ?? '' }
        : { path: { path, where: locate([...place.path, 'path']) } };
    return { source, ...rest, from, where: locate(place.path) };
  });
}

const replacementFields = written(
  object({ path: optionalText, source: unchecked, sourceValue: unchecked, targets: unchecked }),
);

function replacement(locate: Locate): JsonReader<Replacement> {
  return mapped(replacementFields, ({ read, value }, place) => {
    const { path } = read;
    if (path !== undefined && (read.source !== undefined || read.targets !== undefined))
      return invalid(place, 'it has both a path and a replacement', 'keep one of them');
    return {
      value,
      where: locate(place.path),
      locate: (inner) => locate([...place.path, ...inner]),
      ...(path === undefined ? {} : { path: { path, where: locate([...place.path, 'path']) } }),
    };
  });
}
