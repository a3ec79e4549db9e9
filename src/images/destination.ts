import { access, constants, stat } from 'node:fs/promises';
import { dirname, basename, join } from 'node:path';
import { OpSdkError, type Finding } from '../base/errors/index.ts';
import { errnoOf, errnoText } from '../base/util/fs.ts';
import { removeTemporaries } from '../base/util/folders.ts';
import { removeDeadDrafts, withLock } from '../base/util/with-lock.ts';
import { imageStore, blobPath, layoutFiles, layoutMarker } from './layout.ts';
import {
  type ImageContent,
  type ImageReference,
  mediaTypes,
  type Descriptor,
  resolvePlace,
  type Place,
} from './types.ts';
import { formatReference } from './reference.ts';
import { storeImage, namedRoot } from './store-image.ts';
import { readBlob } from './blob.ts';
import { digestOfFile, makeFolders, undoable, writeWhole } from './blob-files.ts';
import { imageParts, isForeignLayer, isIndex, readImageManifest } from './manifest.ts';
import { writeTar, type TarEntry } from '../base/util/write-tar.ts';

/** Destination of a built image: the project's own store, or the value of `--to`. */
export interface Destination {
  readonly kind: 'store' | 'oci' | 'oci-archive' | 'docker-archive';
  readonly place: Place;
}

/**
 * Reads the value of `--to`.
 * @param text `oci:DIR`, `oci-archive:FILE` or `docker-archive:FILE`; undefined selects the store of the project
 * @param cwd absolute path of the folder to which relative paths in `text` refer
 * @throws OpSdkError `oci/invalid-destination`
 */
export function parseDestination(text: string | undefined, cwd: string): Destination {
  if (text === undefined) return { kind: 'store', place: resolvePlace(cwd, imageStore) };
  const colon = text.indexOf(':');
  const kind = text.slice(0, Math.max(colon, 0));
  const path = text.slice(colon + 1);
  if (kind !== 'oci' && kind !== 'oci-archive' && kind !== 'docker-archive')
    throw invalid(
      `'${text}' does not begin with oci:, oci-archive: or docker-archive:`,
      'write --to oci:DIR',
    );
  if (path === '') throw invalid(`'${text}' names no path`, `write --to ${kind}:PATH`);
  // Other tools interpret the text after a second colon as the name of the image, so a second colon is refused.
  if (/:/.test(path.replace(/^[A-Za-z]:(?=[\\/])/, '')))
    throw invalid(
      `'${text}' has a second colon; the name of the image comes from --tag`,
      `write --to ${kind}:${path.split(':')[0]}`,
    );
  return { kind, place: resolvePlace(cwd, path) };
}

/** Checks a destination before anything is written, as far as this is possible before writing. */
export async function checkDestination({ kind, place }: Destination): Promise<readonly Finding[]> {
  const isFile = kind === 'oci-archive' || kind === 'docker-archive';
  const there = await statOf(place.path);
  if (there instanceof Error) return [cannotWrite(place, errnoText(there))];
  if (there !== undefined && isFile === there.isDirectory()) {
    const is = isFile ? 'a folder' : 'no folder';
    return [{ ...cannotWrite(place, `it is ${is}`), fix: ['name another path with --to'] }];
  }
  // A file is replaced by renaming another file, which requires write permission for the folder of the file.
  let folder = isFile || there === undefined ? dirname(place.path) : place.path;
  for (;;) {
    const above = await statOf(folder);
    if (above instanceof Error) return [cannotWrite(place, errnoText(above))];
    if (above === undefined) {
      folder = dirname(folder);
      continue;
    }
    if (!above.isDirectory()) return [cannotWrite(place, `${folder} is not a folder`)];
    try {
      await access(folder, constants.W_OK | constants.X_OK);
      return [];
    } catch (error) {
      return [cannotWrite(place, errnoText(error))];
    }
  }
}

/**
 * Writes an image to its destination.
 * @param reference name with a tag under which the image is stored
 * @returns false if the destination already held the same image
 * @throws OpSdkError with the codes of `storeImage`, `writeOciArchive` or `writeDockerArchive`, depending on the destination
 */
export async function writeImage(
  { kind, place }: Destination,
  reference: ImageReference,
  content: ImageContent,
  signal?: AbortSignal,
): Promise<boolean> {
  if (kind === 'oci-archive') return writeOciArchive(place, reference, content, signal);
  if (kind === 'docker-archive') return writeDockerArchive(place, reference, content, signal);
  return storeImage(place, formatReference(reference), content, {
    remove: kind === 'store' ? 'unreferenced' : 'replaced',
    ...(signal === undefined ? {} : { signal }),
  });
}

async function statOf(path: string): Promise<Awaited<ReturnType<typeof stat>> | Error | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (error instanceof Error) return error;
    throw error;
  }
}

function cannotWrite({ shown }: Place, why: string): Finding {
  return {
    code: 'io/cannot-write',
    message: `${shown} cannot be written: ${why}; nothing was changed`,
    where: { file: shown },
    fix: ['see that the folder can be written to, or name another one with --to'],
  };
}

function invalid(message: string, fix: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/invalid-destination',
    message: `--to ${message}`,
    where: { flag: '--to' },
    fix: [fix],
  });
}

/**
 * Writes an image as a tar archive of an OCI layout.
 * @returns false if the file already held the same bytes
 * @throws OpSdkError `io/cannot-write`, and the errors of reading the image; after an error, the file is unchanged
 */
async function writeOciArchive(
  file: Place,
  reference: ImageReference,
  content: ImageContent,
  signal?: AbortSignal,
): Promise<boolean> {
  const { blobs, manifests } = await imageParts(content);
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.oci.index,
    manifests: [...(content.referrers ?? []), namedRoot(content.root, formatReference(reference))],
  };
  const entries = [
    textEntry(layoutFiles.marker, layoutMarker),
    textEntry(layoutFiles.index, JSON.stringify(index)),
    ...[...blobs, ...manifests].map((blob) => blobEntry(blobPath(blob), blob, content)),
  ];
  return writeArchive(file, entries, signal);
}

/**
 * Writes an image in the form that `docker save` writes and `docker load` reads. Such an archive holds no manifest, so the image is
 * identified by the digest of its configuration.
 * @param reference name with a tag
 * @returns false if the file already held the same bytes
 * @throws OpSdkError `oci/archive-form` if the image has several platforms, or layers that are stored outside the image; `io/cannot-write`,
 * and the errors of reading the image; after an error, the file is unchanged
 */
async function writeDockerArchive(
  file: Place,
  reference: ImageReference,
  content: ImageContent,
  signal?: AbortSignal,
): Promise<boolean> {
  if (isIndex(content.root))
    throw unfit(file, 'it holds one platform only', 'name one platform with --platform, or use oci-archive:');
  const { config, layers } = await readImageManifest(content, content.root);
  if (layers.some(isForeignLayer))
    throw unfit(file, 'it holds all layers, but the base has one that may not be copied', 'use oci-archive:');
  const layerPath = ({ digest }: Descriptor): string => `${digest.slice('sha256:'.length)}.tar.gz`;
  const configPath = `${config.digest.slice('sha256:'.length)}.json`;
  const manifest = [
    { Config: configPath, RepoTags: [formatReference(reference)], Layers: layers.map(layerPath) },
  ];
  const unique = [...new Map(layers.map((layer) => [layer.digest, layer])).values()];
  const entries = [
    { path: configPath, content: await readBlob(content, config) },
    textEntry('manifest.json', JSON.stringify(manifest)),
    ...unique.map((layer) => blobEntry(layerPath(layer), layer, content)),
  ];
  return writeArchive(file, entries, signal);
}

async function writeArchive(
  { path, shown }: Place,
  entries: readonly TarEntry[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return undoable(shown, async (undo) => {
    await makeFolders(dirname(path), undo);
    const lock = join(dirname(path), `.${basename(path)}.lock`);
    return withLock(lock, { signal }, async () => {
      await removeDeadDrafts(lock);
      await removeTemporaries(dirname(path), (name) => name === basename(path));
      return writeWhole(path, writeTar(entries), {
        ...(signal === undefined ? {} : { signal }),
        decide: async (fresh) => (await digestOfFile(fresh)) !== (await digestIfThere(path)),
      });
    });
  });
}

async function digestIfThere(path: string): Promise<string | undefined> {
  try {
    return await digestOfFile(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function textEntry(path: string, text: string): TarEntry {
  return { path, content: Buffer.from(text) };
}

function blobEntry(path: string, blob: Descriptor, content: ImageContent): TarEntry {
  return { path, content: { size: blob.size, read: () => content.read(blob) } };
}

function unfit({ shown }: Place, why: string, fix: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/archive-form',
    message: `the image does not fit into the docker archive ${shown}: ${why}`,
    where: { flag: '--to' },
    fix: [fix],
  });
}
