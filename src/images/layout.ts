import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOpSdkError, OpSdkError } from '../base/errors/index.ts';
import { errnoOf, errnoText } from '../base/util/fs.ts';
import { missingBlob, verified } from './blob.ts';
import { isImageIndex, isManifest, readImageManifest } from './manifest.ts';
import { mediaTypes, type Descriptor, type ImageContent, type Place } from './types.ts';

/** Folder of the images that op-sdk builds, relative to the project. The folder is an OCI image layout. */
export const imageStore = 'dist/images';

/** The annotation in the index of a layout that holds the name of an image. Source: OCI image-spec, annotations. */
export const refName = 'org.opencontainers.image.ref.name';

/** Names of the files and folders of an OCI layout on disk. Source: OCI image-spec, image-layout.md. */
export const layoutFiles = {
  marker: 'oci-layout',
  index: 'index.json',
  blobs: 'blobs/sha256',
} as const;

/** The content of the file `oci-layout`, which marks a folder as an OCI layout. */
export const layoutMarker = '{"imageLayoutVersion":"1.0.0"}';

/** An image in a layout, with its name. */
export interface LayoutEntry {
  /** The name under which the image was stored. For an image that op-sdk built, the name is its full reference. */
  readonly name: string;
  readonly root: Descriptor;
}

/** The content of a layout's index.json, including fields that other tools have written. */
export interface LayoutIndex {
  readonly manifests: readonly Descriptor[];
  readonly [field: string]: unknown;
}

/** Returns the path of a blob relative to its layout, with forward slashes. */
export function blobPath({ digest }: Pick<Descriptor, 'digest'>): string {
  return `${layoutFiles.blobs}/${digest.slice('sha256:'.length)}`;
}

/**
 * Lists the named images of a layout. The image that `storeImage` stored most recently is the last one, even if it was already in the
 * layout before.
 * @returns an empty list if the folder does not exist or is empty
 * @throws OpSdkError `oci/not-a-layout`, `io/cannot-read`
 */
export async function listLayout(layout: Place): Promise<readonly LayoutEntry[]> {
  const { manifests } = await readLayoutIndex(layout);
  return manifests.flatMap(({ annotations, ...root }) => {
    const name = annotations?.[refName];
    return name === undefined ? [] : [{ name, root }];
  });
}

/**
 * Returns an image of a layout. Its bytes are verified as they are read.
 * @param name name of the image in the layout's index; may be omitted if the layout holds only one image
 * @throws OpSdkError `oci/image-not-found`, `oci/not-a-layout`, `io/cannot-read`
 */
export async function readLayout(layout: Place, name?: string): Promise<ImageContent> {
  const { manifests: entries } = await readLayoutIndex(layout);
  const referrers = await referrersIn(layout, entries);
  const manifests = entries.filter((entry) => !referrers.has(entry));
  const found = name === undefined ? manifests : manifests.filter((entry) => entryName(entry) === name);
  const [root] = found;
  if (root !== undefined && (name !== undefined || found.length === 1)) {
    const own = entries.filter((entry) => referrers.get(entry) === root.digest);
    return { ...layoutContent(layout, root), ...(own.length === 0 ? {} : { referrers: own }) };
  }
  const names = manifests.map((entry) => entryName(entry) ?? entry.digest);
  const holds = names.length === 0 ? 'it holds none' : `it holds ${names.join(', ')}`;
  throw new OpSdkError({
    code: 'oci/image-not-found',
    message:
      name === undefined
        ? `${layout.shown} does not hold exactly one image: ${holds}`
        : `${layout.shown} does not hold the image ${name}: ${holds}`,
    where: { file: layout.shown },
    fix: ['build the image first, or name one that the layout holds'],
  });
}

/**
 * Finds the artifacts in the index of a layout that refer to other entries as their subject. An artifact without a subject is a separate
 * entry.
 * @returns the digests of their subjects
 */
export async function referrersIn(
  layout: Place,
  entries: readonly Descriptor[],
): Promise<ReadonlyMap<Descriptor, string>> {
  const subjects = new Map<Descriptor, string>();
  for (const entry of entries) {
    if (entryName(entry) !== undefined || !isManifest(entry)) continue;
    const subject = await subjectOf(layout, entry);
    if (subject !== undefined) subjects.set(entry, subject);
  }
  return subjects;
}

/** Returns the digest of the subject of a manifest. A manifest that is missing or damaged has none: reading the image reports it. */
async function subjectOf(layout: Place, entry: Descriptor): Promise<string | undefined> {
  try {
    return (await readImageManifest(layoutContent(layout, entry), entry)).subject?.digest;
  } catch (error) {
    if (isOpSdkError(error)) return undefined;
    throw error;
  }
}

/** Returns the name of an image from its entry in the index of a layout; undefined if the image has no name. */
export function entryName({ annotations }: Descriptor): string | undefined {
  return annotations?.[refName];
}

/** Returns the content of an image; its blobs are read from a layout. */
export function layoutContent(layout: Place, { mediaType, digest, size }: Descriptor): ImageContent {
  return {
    root: { mediaType, digest, size },
    async *read(descriptor) {
      const path = blobPath(descriptor);
      try {
        yield* verified(createReadStream(join(layout.path, path)), descriptor, layout.shown);
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') throw missingBlob(descriptor, layout.shown);
        throw errnoOf(error) === undefined ? error : cannotRead(`${layout.shown}/${path}`, error);
      }
    },
  };
}

/**
 * Reads the index of a layout. If the folder does not exist or is empty, returns an empty index.
 * @throws OpSdkError `oci/not-a-layout`, `io/cannot-read`
 */
export async function readLayoutIndex(layout: Place): Promise<LayoutIndex> {
  const marker = await readText(layout, layoutFiles.marker);
  const text = await readText(layout, layoutFiles.index);
  if (text === undefined) return { schemaVersion: 2, mediaType: mediaTypes.oci.index, manifests: [] };
  if (marker === undefined) throw notALayout(layout, `it has no file ${layoutFiles.marker}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!isImageIndex(value)) throw notALayout(layout, `its ${layoutFiles.index} has no list of manifests`);
  return { ...value };
}

/** Creates the error `oci/not-a-layout`, for a folder that is not an OCI layout. */
export function notALayout({ shown }: Place, why: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/not-a-layout',
    message: `${shown} is not an OCI image layout: ${why}`,
    where: { file: shown },
    fix: ['name a layout, or a folder that is empty or does not exist'],
  });
}

async function readText(layout: Place, file: string): Promise<string | undefined> {
  try {
    return await readFile(join(layout.path, file), 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (errnoOf(error) === undefined) throw error;
    if (errnoOf(error) === 'ENOTDIR') throw notALayout(layout, 'it is not a folder');
    throw cannotRead(`${layout.shown}/${file}`, error);
  }
}

function cannotRead(file: string, cause: unknown): OpSdkError {
  return new OpSdkError(
    { code: 'io/cannot-read', message: `${file} cannot be read: ${errnoText(cause)}`, where: { file } },
    { cause },
  );
}
