import { basename, dirname, join } from 'node:path';
import { OpSdkError } from '../base/errors/index.ts';
import { errnoOf } from '../base/util/fs.ts';
import { removeTemporaries } from '../base/util/leftovers.ts';
import { removeDeadDrafts, withLock } from '../base/util/with-lock.ts';
import { readBlob } from './blob.ts';
import { digestOfFile, makeFolders, undoable, writeWhole } from './blob-files.ts';
import { blobPath, layoutFiles, layoutMarker } from './layout.ts';
import { imageParts, isForeignLayer, isIndex, readImageManifest } from './manifest.ts';
import type { Place } from './place.ts';
import { formatReference } from './reference.ts';
import { namedRoot } from './store-image.ts';
import { writeTar, type TarEntry } from './tar.ts';
import { mediaTypes, type Descriptor, type ImageContent, type ImageReference } from './types.ts';

/**
 * Writes an image as a tar archive of an OCI layout.
 * @returns false if the file held the same bytes already
 * @throws OpSdkError `io/cannot-write` and what reading the image throws; nothing has been changed then
 */
export async function writeOciArchive(
  file: Place,
  reference: ImageReference,
  content: ImageContent,
  signal?: AbortSignal,
): Promise<boolean> {
  const { blobs, manifests } = await imageParts(content);
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.oci.index,
    manifests: [namedRoot(content.root, formatReference(reference))],
  };
  const entries = [
    textEntry(layoutFiles.marker, layoutMarker),
    textEntry(layoutFiles.index, JSON.stringify(index)),
    ...[...blobs, ...manifests].map((blob) => blobEntry(blobPath(blob), blob, content)),
  ];
  return writeArchive(file, entries, signal);
}

/**
 * Writes an image as `docker save` does, for `docker load`. Such an archive holds no manifest: the image is known by the
 * digest of its configuration.
 * @param reference with a tag
 * @returns false if the file held the same bytes already
 * @throws OpSdkError `oci/archive-form` for several platforms and layers that lie elsewhere; `io/cannot-write`, and what
 *   reading the image throws; nothing has been changed then
 */
export async function writeDockerArchive(
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
