import { join } from 'node:path';
import { withLock } from '../base/util/with-lock.ts';
import { holdsBlob, makeFolders, undoable, writeWhole } from './blob-files.ts';
import { blobPath, layoutContent, layoutFiles, layoutMarker, entryName, readLayoutIndex } from './layout.ts';
import type { Descriptor, ImageContent, ImageReference, Place } from './types.ts';
import { formatReference } from './reference.ts';
import { namedRoot } from './store-image.ts';

/**
 * Opens an image of a registry through a cache on disk. The cache is an OCI layout that holds only blobs that were read before. The cache
 * alone can serve a reference with a digest, because the bytes behind a digest never change. A tag is resolved at the registry every time.
 * @param pull gets the image from its registry; blobs are read from the registry only if the cache lacks them
 * @throws OpSdkError `io/cannot-write` if the cache cannot be written, and the errors of `pull`, because a cached image never hides that
 * the registry is unreachable
 */
export async function openCached(
  cache: Place,
  reference: ImageReference,
  pull: () => Promise<ImageContent>,
  signal: AbortSignal,
): Promise<ImageContent> {
  const known = reference.digest === undefined ? undefined : await findRoot(cache, reference.digest);
  let pulled: Promise<ImageContent> | undefined;
  const upstream = (): Promise<ImageContent> => (pulled ??= pull());
  const root = known ?? (await upstream()).root;
  const cached = layoutContent(cache, root);
  const ready = new Set<string>();
  const content: ImageContent = {
    root,
    async *read(descriptor) {
      if (!ready.has(descriptor.digest)) {
        await fill(cache, descriptor, upstream, signal);
        ready.add(descriptor.digest);
      }
      yield* cached.read(descriptor);
    },
  };
  if (known === undefined) await remember(cache, { ...reference, digest: root.digest }, root, signal);
  return content;
}

/**
 * Finds the descriptor of a cached image's root by its digest. The cache stores these descriptors because a manifest cannot be read without
 * its media type.
 */
async function findRoot(cache: Place, digest: string): Promise<Descriptor | undefined> {
  const { manifests } = await readLayoutIndex(cache);
  return manifests.find((entry) => entry.digest === digest);
}

async function fill(
  cache: Place,
  descriptor: Descriptor,
  upstream: () => Promise<ImageContent>,
  signal: AbortSignal,
): Promise<void> {
  const file = join(cache.path, blobPath(descriptor));
  if (await holdsBlob(file, descriptor)) return;
  const source = await upstream();
  await undoable(cache.shown, async (undo) => {
    await makeFolders(join(cache.path, layoutFiles.blobs), undo);
    // This needs no lock, because every writer of this file writes the same bytes, and nothing is ever removed.
    await writeWhole(file, source.read(descriptor), { signal });
  });
}

async function remember(
  cache: Place,
  reference: ImageReference,
  root: Descriptor,
  signal: AbortSignal,
): Promise<void> {
  const { tag: _moves, ...exact } = reference;
  const name = formatReference(exact);
  await undoable(cache.shown, async (undo) => {
    await makeFolders(cache.path, undo);
    await withLock(join(cache.path, '.op-sdk.lock'), { signal }, async () => {
      const index = await readLayoutIndex(cache);
      if (index.manifests.some((entry) => entryName(entry) === name)) return;
      const manifests = [...index.manifests, namedRoot(root, name)];
      await writeWhole(join(cache.path, layoutFiles.marker), [Buffer.from(layoutMarker)]);
      await writeWhole(join(cache.path, layoutFiles.index), [
        Buffer.from(JSON.stringify({ ...index, manifests })),
      ]);
    });
  });
}
