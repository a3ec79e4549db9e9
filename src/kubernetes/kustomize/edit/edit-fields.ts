import { join } from 'node:path';
import {
  parseYaml,
  addToYamlList,
  removeFromYamlMap,
  setInYamlMap,
  YamlSpliceError,
} from '../../yaml/index.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import { kustomizationNames } from '../load/load-folder.ts';

/**
 * Sets entries of `images` in the text of a kustomization. Comments are kept, and new entries are appended.
 *
 * @param file name of the file in findings
 * @throws OpSdkError if the file is not YAML, or `images` is not a list of images
 */
export function setImages(text: string, file: string, changes: readonly ImageChange[]): string {
  return spliced(file, () => changes.reduce((before, change) => setImage(before, file, change), text));
}

function setImage(text: string, file: string, change: ImageChange): string {
  const { value } = parseYaml(text, file);
  const images = isObject(value as Json) ? (value as { images?: Json }).images : undefined;
  const entries = Array.isArray(images) ? images : [];
  let edited = text;
  let found = false;
  for (const [index, entry] of entries.entries()) {
    if (!isObject(entry) || entry['name'] !== change.name) continue;
    found = true;
    const wanted = changedEntry(entry, change);
    for (const field of ['newName', 'newTag', 'tagSuffix', 'digest'])
      if (Object.hasOwn(entry, field) && wanted[field] === undefined)
        edited = removeFromYamlMap(edited, ['images', index], field);
    edited = setInYamlMap(edited, ['images', index], wanted);
  }
  return found ? edited : addToYamlList(edited, ['images'], changedEntry({}, change));
}

/** Value for a part of an image (name, tag or digest) that keeps the present part in the kustomization. */
const keep = '*';

/**
 * Wanted entry of `images`. If a part is absent here, it is removed from the entry. If a part is `*`, the entry keeps its present value.
 */
export interface ImageChange {
  /** Name of the image in the resources, without tag and digest. */
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly digest?: string;
}

const imageName =
  /^(?:(?:\[[\da-fA-F:]+\]|[A-Za-z0-9._-]+)(?::\d+)?\/)?[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const tagPattern = /^[\w][\w.-]{0,127}$/;
const digestPattern = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/;

/**
 * Parses an argument of `kustomize edit set image`: `NAME=NEW[:TAG][@DIGEST]`, or `NAME[:TAG][@DIGEST]` to keep the name.
 *
 * @returns the change, or the reason why the argument is invalid
 */
export function parseImageChange(argument: string): ImageChange | { readonly problem: string } {
  const equals = argument.indexOf('=');
  const value = argument.slice(equals + 1);
  const { name, tag, digest } = splitImage(value);
  if (equals < 0 && tag === undefined && digest === undefined)
    return { problem: 'expected a new name, tag or digest of the image, got none' };
  const key = equals < 0 ? name : argument.slice(0, equals);
  if (!imageName.test(key)) return { problem: `invalid image name '${key}'` };
  if (equals >= 0 && name !== keep && !imageName.test(name))
    return { problem: name === '' ? 'the new name after = is missing' : `invalid image name '${name}'` };
  if (tag !== undefined && tag !== keep && !tagPattern.test(tag))
    return {
      problem: `invalid tag '${tag}': expected up to 128 letters, digits, dots, dashes and underscores`,
    };
  if (digest !== undefined && digest !== keep && !digestPattern.test(digest))
    return { problem: `invalid digest '${digest}': expected the form sha256:…` };
  return {
    name: key,
    ...(equals < 0 ? {} : { newName: name }),
    ...(tag === undefined ? {} : { newTag: tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Returns an entry of `images` with the change applied. For a new entry, `present` is empty. */
function changedEntry(present: JsonObject, change: ImageChange): JsonObject {
  const entry: JsonObject = { name: change.name };
  for (const field of ['newName', 'newTag', 'digest'] as const) {
    const value = change[field] === keep ? present[field] : change[field];
    if (value !== undefined && value !== '') entry[field] = value;
  }
  return entry;
}

/** Splits an image into name, tag and digest. A colon in front of the last slash belongs to a port, not to a tag. */
function splitImage(value: string): {
  readonly name: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
} {
  const at = value.indexOf('@');
  const rest = at < 0 ? value : value.slice(0, at);
  const colon = rest.indexOf(':', rest.lastIndexOf('/') + 1);
  return {
    name: colon < 0 ? rest : rest.slice(0, colon),
    tag: colon < 0 ? undefined : rest.slice(colon + 1),
    digest: at < 0 ? undefined : value.slice(at + 1),
  };
}

/**
 * Sets a text field in the text of a kustomization. All other content is kept.
 *
 * @param file name of the file in findings
 * @throws OpSdkError if the file is not YAML, or not a mapping
 */
export function setField(
  text: string,
  file: string,
  field: 'namespace' | 'namePrefix',
  value: string,
): string {
  parseYaml(text, file);
  return spliced(file, () => setInYamlMap(text, [], { [field]: value }));
}

/**
 * Adds paths to `resources`. Paths that `resources` already contains are skipped.
 *
 * @param file name of the file in findings
 * @throws OpSdkError if the file is not YAML, or `resources` is not a list
 */
export function addResources(text: string, file: string, paths: readonly string[]): string {
  parseYaml(text, file);
  return spliced(file, () =>
    paths.reduce((before, path) => addToYamlList(before, ['resources'], path), text),
  );
}

/** Runs an edit of a YAML text. If the edit fails, throws an error with a finding for the file. */
function spliced(file: string, edit: () => string): string {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof YamlSpliceError)) throw error;
    throw new OpSdkError(
      {
        code: 'kustomize/cannot-edit',
        message: `the kustomization cannot be edited: ${error.message}`,
        where: { file },
        fix: ['write the field in block style, one entry a line, or edit the kustomization by hand'],
      },
      { cause: error },
    );
  }
}

/**
 * Finds the kustomization of a folder.
 *
 * @param folder absolute path of the folder
 * @param shown name of the folder in findings
 * @returns the file name of the kustomization
 * @throws OpSdkError unless the folder has exactly one kustomization
 */
export async function findKustomization(folder: string, shown: string): Promise<string> {
  const present = await Promise.all(
    kustomizationNames.map(async (name) => ((await pathExists(join(folder, name))) ? [name] : [])),
  );
  const [first, ...others] = present.flat();
  if (first !== undefined && others.length === 0) return first;
  throw new OpSdkError({
    code: 'kustomize/no-kustomization',
    message:
      first === undefined
        ? `${shown} holds no kustomization.yaml`
        : `${shown} holds several kustomizations: ${[first, ...others].join(', ')}`,
    where: { file: shown },
    fix: [first === undefined ? 'go to its folder, or name it by --dir' : 'keep one of them'],
  });
}
