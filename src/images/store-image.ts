import { readdir, rm, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { OpSdkError } from '../base/errors/index.ts';
import { errnoOf, errnoText } from '../base/util/fs.ts';
import { inParallel } from '../base/util/in-parallel.ts';
import { isLeftover, removeTemporaries } from '../base/util/folders.ts';
import { removeDeadDrafts, withLock } from '../base/util/with-lock.ts';
import { holdsBlob, makeFolders, undoable, writeWhole, type Undo } from './blob-files.ts';
import {
  blobPath,
  layoutFiles,
  layoutMarker,
  entryName,
  notALayout,
  readLayoutIndex,
  referrersIn,
  refName,
  type LayoutIndex,
} from './layout.ts';
import { imageParts, isDescriptor } from './manifest.ts';
import type { Descriptor, ImageContent, Place } from './types.ts';

interface StoreOptions {
  /**
   * Blobs to remove after the image is stored. `unreferenced` removes all blobs to which no image of the layout refers, for layouts that
   * only op-sdk uses. `replaced` removes only blobs of the former image of that name.
   */
  readonly remove: 'unreferenced' | 'replaced';
  readonly signal?: AbortSignal;
}

/** Maximum number of blobs that are copied concurrently. Copying may be slow, because the layers of a base image come from a registry. */
const blobsAtOnce = 4;

const lockName = '.op-sdk.lock';

/**
 * Stores an image in a layout under a name, replacing a former image of that name. The index is replaced last and atomically, so that
 * readers see either the former image or the new one. Concurrent writers wait for each other.
 * @returns false if the layout already held the same image under that name
 * @throws OpSdkError `oci/not-a-layout`, `io/cannot-write` and errors of reading the image; the layout is unchanged then
 */
export async function storeImage(
  layout: Place,
  name: string,
  content: ImageContent,
  { remove, signal }: StoreOptions,
): Promise<boolean> {
  const parts = await imageParts(content);
  return undoable(layout.shown, async (undo) => {
    await checkFolder(layout);
    await makeFolders(layout.path, undo);
    return withLock(join(layout.path, lockName), { signal }, async () => {
      await removeDeadFiles(layout);
      const index = await readLayoutIndex(layout);
      const subjects = await referrersIn(layout, index.manifests);
      const manifests = withEntry(index.manifests, subjects, name, content);
      const isSame = isDeepStrictEqual(digests(index.manifests), digests(manifests));
      const last = index.manifests.at(-1);
      const isLast = last !== undefined && entryName(last) === name;
      const added = await undoneInLock(undo, async () => {
        const blobs = [...parts.blobs, ...parts.manifests];
        const written = await storeBlobs(layout, blobs, content, undo, signal);
        if (!isSame || !isLast)
          await writeWhole(join(layout.path, layoutFiles.index), [indexBytes(index, manifests)]);
        return written;
      });
      // The image is stored at this point, so the written files must not be undone even if a later step fails.
      undo.length = 0;
      await removeBlobs(layout, index.manifests, manifests, remove);
      return !isSame || added > 0;
    });
  });
}

/** Removes temporary files of killed processes. No running process owns these files, because every writer holds the lock of the layout. */
async function removeDeadFiles({ path }: Place): Promise<void> {
  await removeDeadDrafts(join(path, lockName));
  for (const folder of [path, join(path, layoutFiles.blobs)]) await removeTemporaries(folder, () => true);
}

/**
 * Runs `work`. If it fails, undoes its steps before the lock is released, because a later undo step may remove the folder that contains the
 * lock file.
 */
async function undoneInLock<T>(undo: Undo[], work: () => Promise<T>): Promise<T> {
  const before = undo.length;
  try {
    return await work();
  } catch (error) {
    for (const action of undo.splice(before).toReversed()) await action();
    throw error;
  }
}

function indexBytes(index: LayoutIndex, manifests: readonly Descriptor[]): Buffer {
  return Buffer.from(JSON.stringify({ ...index, manifests }));
}

/** Refuses a folder with unrelated content, so that a mistyped path is not filled with blobs. */
async function checkFolder(layout: Place): Promise<void> {
  const names = await readdir(layout.path).catch((error: unknown): string[] => {
    if (errnoOf(error) === 'ENOENT') return [];
    if (errnoOf(error) === 'ENOTDIR') throw notALayout(layout, 'it is not a folder');
    throw error;
  });
  const ours = [layoutFiles.marker, layoutFiles.index, 'blobs'] as readonly string[];
  const others = names.filter(
    (name) => !ours.includes(name) && !name.startsWith('.op-sdk') && !isLeftover(name),
  );
  if (others.length > 0 && !names.includes(layoutFiles.marker))
    throw notALayout(layout, `it holds ${others.slice(0, 3).join(', ')}`);
  await readLayoutIndex(layout);
}

/**
 * Writes the blobs that the layout lacks.
 * @returns the number of files written
 */
async function storeBlobs(
  layout: Place,
  blobs: readonly Descriptor[],
  content: ImageContent,
  undo: Undo[],
  signal: AbortSignal | undefined,
): Promise<number> {
  await makeFolders(join(layout.path, layoutFiles.blobs), undo);
  const marker = join(layout.path, layoutFiles.marker);
  const stop = new AbortController();
  const either = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
  const add = async (
    file: string,
    bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> => {
    await writeWhole(file, bytes, { signal: either });
    undo.push(() => rm(file, { force: true }));
  };
  const fill = async (blob: Descriptor): Promise<number> => {
    const file = join(layout.path, blobPath(blob));
    // A damaged file is rewritten. Its name is the digest, so its current content is wrong for every reader.
    if (await holdsBlob(file, blob)) return 0;
    await add(file, content.read(blob));
    return 1;
  };
  const added = await inParallel(blobs, fill, {
    width: blobsAtOnce,
    onFailure: (error) => stop.abort(error),
  });
  if (!(await exists(marker))) await add(marker, [Buffer.from(layoutMarker)]);
  return added.reduce((sum, each) => sum + each, 0);
}

/**
 * Returns the entries of a layout's index with this image at the end, replacing a former image of the same name and the referrers of both.
 * The last entry is the latest build.
 * @param subjects subjects of the entries that are referrers
 */
function withEntry(
  entries: readonly Descriptor[],
  subjects: ReadonlyMap<Descriptor, string>,
  name: string,
  { root, referrers = [] }: ImageContent,
): readonly Descriptor[] {
  const others = entries.filter((entry) => !subjects.has(entry) && entryName(entry) !== name);
  const replaced = entries.filter((entry) => entryName(entry) === name).map(({ digest }) => digest);
  const dropped = replaced.filter((digest) => !others.some((entry) => entry.digest === digest));
  const kept = entries.filter((entry) => {
    const subject = subjects.get(entry);
    if (subject === undefined) return others.includes(entry);
    return subject !== root.digest && !dropped.includes(subject);
  });
  return [...kept, ...referrers, namedRoot(root, name)];
}

/** Returns the digests and names of entries, sorted. */
function digests(entries: readonly Descriptor[]): readonly string[] {
  return entries.map((entry) => `${entry.digest} ${entryName(entry) ?? ''}`).sort();
}

/**
 * Returns the descriptor of an image's root as a named entry of a layout's index. containerd and docker read the name from the annotation
 * `io.containerd.image.name`.
 */
export function namedRoot({ mediaType, digest, size }: Descriptor, name: string): Descriptor {
  return { mediaType, digest, size, annotations: { 'io.containerd.image.name': name, [refName]: name } };
}

async function removeBlobs(
  layout: Place,
  before: readonly Descriptor[],
  after: readonly Descriptor[],
  remove: StoreOptions['remove'],
): Promise<void> {
  const used = await reachable(layout, after);
  // A manifest that cannot be read may refer to any blob, so no blob is removed.
  if (used === undefined) return;
  const folder = join(layout.path, layoutFiles.blobs);
  const candidates =
    remove === 'unreferenced'
      ? await readdir(folder)
      : [...((await reachable(layout, before)) ?? [])].map((digest) => digest.slice('sha256:'.length));
  for (const name of candidates) {
    if (used.has(`sha256:${name}`)) continue;
    try {
      await rm(join(folder, name), { force: true });
    } catch (error) {
      throw cannotRemove(`${layout.shown}/${layoutFiles.blobs}/${name}`, error);
    }
  }
}

/** Returns the digests of everything to which descriptors refer, directly or indirectly; undefined if a manifest cannot be parsed. */
async function reachable(
  layout: Place,
  roots: readonly Descriptor[],
): Promise<ReadonlySet<string> | undefined> {
  const seen = new Set<string>();
  const queue = [...roots];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next.digest)) continue;
    seen.add(next.digest);
    if (!/\.(?:manifest|index|list)\.(?:v1|v2)\+json$/.test(next.mediaType)) continue;
    try {
      const document = JSON.parse(await readFile(join(layout.path, blobPath(next)), 'utf8')) as unknown;
      queue.push(...descriptorsIn(document));
    } catch (error) {
      // A layout may lack blobs to which its manifests refer, so missing blobs are skipped.
      if (errnoOf(error) === 'ENOENT') continue;
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
  return seen;
}

function descriptorsIn(document: unknown): readonly Descriptor[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.values(document)
    .flat()
    .filter((value) => isDescriptor(value));
}

async function exists(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    (error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return false;
      throw error;
    },
  );
}

function cannotRemove(file: string, cause: unknown): OpSdkError {
  return new OpSdkError(
    {
      code: 'io/cannot-write',
      message: `the image is stored, but ${file}, which no image needs any more, cannot be removed: ${errnoText(cause)}`,
      where: { file },
      fix: [`remove ${file}`],
    },
    { cause },
  );
}
