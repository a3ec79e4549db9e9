import type { PatchField, PatchTarget } from '../entries.ts';
import type { Json, JsonObject } from '../resource.ts';
import type { Fields } from './kustomization.ts';
import type { Path, ValueReader } from './value-reader.ts';

type Patch = Fields['patches'][number];
type Replacement = Fields['replacements'][number];

/** Reads the fields that hold patches and replacements; their files are not read yet. */
export function readPatches(
  fields: JsonObject,
  reader: ValueReader,
): { readonly patches: readonly Patch[]; readonly replacements: readonly Replacement[] } {
  const entries = (from: PatchField, read: typeof readPatch): readonly Patch[] =>
    reader.list(fields[from], [from], (item, path) => read(item, path, from, reader));
  return {
    patches: [
      ...entries('patchesStrategicMerge', readStrategicMerge),
      ...entries('patches', readPatch),
      ...entries('patchesJson6902', readPatch),
    ],
    replacements: reader.list(fields['replacements'], ['replacements'], (item, path) =>
      readReplacement(item, path, reader),
    ),
  };
}

/** A path or, over several lines or as JSON, the patch itself. */
function readStrategicMerge(
  item: Json,
  path: Path,
  from: PatchField,
  reader: ValueReader,
): Patch | undefined {
  const text = reader.text(item, path);
  if (text === undefined) return undefined;
  if (text.trim() === '') return reader.wrong(path, 'the patch is empty');
  const where = reader.locate(path);
  const isInline = /\n\s*\S|^\s*\{/.test(text);
  return { source: isInline ? { text } : { path: { path: text, where } }, from, where };
}

function readPatch(item: Json, path: Path, from: PatchField, reader: ValueReader): Patch | undefined {
  const entry = reader.record(item, path, ['path', 'patch', 'target', 'options']);
  if (entry === undefined) return undefined;
  const file = reader.text(entry['path'], [...path, 'path']) ?? '';
  const text = (reader.text(entry['patch'], [...path, 'patch']) ?? '').trim();
  const target = readTarget(entry['target'], [...path, 'target'], reader);
  const options = readOptions(entry['options'], [...path, 'options'], reader);
  if (file !== '' && text !== '')
    return reader.wrong(path, 'it has both a path and a patch', 'keep one of them');
  if (file === '' && text === '') {
    // What is of the wrong type has been reported.
    const isReported =
      typeof (entry['path'] ?? '') !== 'string' || typeof (entry['patch'] ?? '') !== 'string';
    return isReported ? undefined : reader.wrong(path, 'it has neither a path nor a patch');
  }
  if (from === 'patchesJson6902' && target === undefined) {
    return reader.wrong(path, 'the target is missing', 'name the kind and the name of the resource to patch');
  }
  return {
    source: text === '' ? { path: { path: file, where: reader.locate([...path, 'path']) } } : { text },
    ...(target === undefined ? {} : { target }),
    ...(options === undefined ? {} : { options }),
    from,
    where: reader.locate(path),
  };
}

const targetFields = [
  'group',
  'version',
  'kind',
  'name',
  'namespace',
  'labelSelector',
  'annotationSelector',
] as const satisfies readonly (keyof PatchTarget)[];

function readTarget(value: Json | undefined, path: Path, reader: ValueReader): PatchTarget | undefined {
  const target = reader.record(value, path, targetFields);
  if (target === undefined) return undefined;
  return Object.fromEntries(
    targetFields.flatMap((field) => {
      const text = reader.text(target[field], [...path, field]);
      return text === undefined || text === '' ? [] : [[field, text]];
    }),
  );
}

function readOptions(value: Json | undefined, path: Path, reader: ValueReader): Patch['options'] {
  const names = ['allowNameChange', 'allowKindChange'] as const;
  const options = reader.record(value, path, names);
  if (options === undefined) return undefined;
  return Object.fromEntries(
    names.flatMap((name) => {
      const flag = reader.flag(options[name], [...path, name]);
      return flag === undefined ? [] : [[name, flag]];
    }),
  );
}

function readReplacement(item: Json, path: Path, reader: ValueReader): Replacement | undefined {
  const value = reader.record(item, path, ['path', 'source', 'sourceValue', 'targets']);
  if (value === undefined) return undefined;
  const file = reader.text(value['path'], [...path, 'path']) ?? '';
  const isInline = (value['source'] ?? null) !== null || (value['targets'] ?? null) !== null;
  if (file !== '' && isInline) {
    return reader.wrong(path, 'it has both a path and a replacement', 'keep one of them');
  }
  return {
    value,
    where: reader.locate(path),
    locate: (inner) => reader.locate([...path, ...inner]),
    ...(file === '' ? {} : { path: { path: file, where: reader.locate([...path, 'path']) } }),
  };
}
