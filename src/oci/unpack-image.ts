import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { createGunzip } from 'node:zlib';
import { isOpSdkError, OpSdkError } from '../errors/index.ts';
import { errnoOf, errnoText } from '../util/fs.ts';
import { readTar, type TarMember } from '../util/read-tar.ts';
import { readBlob } from './blob.ts';
import { isForeignLayer, isIndex, isManifest, readIndex, readImageManifest } from './manifest.ts';
import { mediaTypes, type Descriptor, type ImageContent } from './types.ts';

/** How much of an image is unpacked; images of manifests are far below all of it. */
export interface UnpackLimits {
  /** Bytes of one layer as it is transferred. Default: 32 MiB. */
  readonly layer?: number;
  /** Bytes of all files together. Default: 64 MiB. */
  readonly files?: number;
  /** Files, folders and links of all layers. Default: 20,000. */
  readonly members?: number;
}

const defaultLimits: Required<UnpackLimits> = {
  layer: 32 * 1024 * 1024,
  files: 64 * 1024 * 1024,
  members: 20_000,
};
const mostLayers = 128;
/** Bytes of an archive for each member beside its content: headers and padding. */
const memberBytes = 2_048;

/** What an image holds at a path, without slash in front. */
type Unpacked = { readonly bytes: Buffer } | { readonly link: string } | 'folder';

/**
 * Writes the files of an image into an empty folder, as a container would see them: later layers cover earlier ones.
 * Nothing is written outside the folder, and nothing before all layers have been read.
 * @param name of the image, for the messages
 * @param folder absolute
 * @throws OpSdkError `oci/not-unpacked`, `oci/invalid-manifest`, and what reading throws
 * @see https://github.com/opencontainers/image-spec/blob/main/layer.md
 */
export async function unpackImage(
  content: ImageContent,
  name: string,
  folder: string,
  limits: UnpackLimits = {},
): Promise<void> {
  const most = { ...defaultLimits, ...limits };
  const { layers } = await readImageManifest(content, await onlyManifest(content, name));
  if (layers.length > mostLayers) throw unfit(name, `it has ${layers.length} layers`);
  const files = new Map<string, Unpacked>();
  const used = { archives: 0, bytes: 0, members: 0 };
  for (const layer of layers) {
    if (isForeignLayer(layer)) throw unfit(name, 'one of its layers is not in the registry');
    if (layer.size > most.layer) throw unfit(name, `a layer has ${layer.size} bytes`);
    await overlay(files, content, layer, { name, most, used });
  }
  try {
    await writeFiles(files, folder);
  } catch (error) {
    throw errnoOf(error) === undefined ? error : unfit(name, errnoText(error), error);
  }
}

/** The manifest of the image: the only one, or that for the platform that bundles are built for. */
async function onlyManifest(content: ImageContent, name: string): Promise<Descriptor> {
  if (isManifest(content.root)) return content.root;
  if (!isIndex(content.root)) throw unfit(name, `it is a ${content.root.mediaType}`);
  const { manifests } = await readIndex(content, content.root);
  const images = manifests.filter((entry) => isManifest(entry) && entry.platform?.os !== 'unknown');
  const found = images.find(({ platform }) => platform?.architecture === 'amd64') ?? images[0];
  if (found === undefined) throw unfit(name, 'its index lists no image');
  return found;
}

interface Unpacking {
  readonly name: string;
  readonly most: Required<UnpackLimits>;
  /** What is used up of the limits. */
  readonly used: { archives: number; bytes: number; members: number };
}

async function overlay(
  files: Map<string, Unpacked>,
  content: ImageContent,
  layer: Descriptor,
  unpacking: Unpacking,
): Promise<void> {
  const { name, most, used } = unpacking;
  /** The paths of this layer: a whiteout hides those of the layers below only. */
  const own = new Set<string>();
  // All of it, because the digest is known at the end only, which may come after that of the archive.
  const archive = uncompressed(await readBlob(content, layer), layer, unpacking);
  try {
    for await (const member of readTar(archive)) {
      used.members += 1;
      if (used.members > most.members) throw unfit(name, `it has more than ${most.members} files`);
      const path = pathOf(member, name);
      if (path === '') continue;
      if (hide(files, path, own)) continue;
      own.add(path);
      const unpacked = await readMember(member, files, unpacking);
      if (unpacked !== undefined) files.set(path, unpacked);
    }
  } catch (error) {
    if (isOpSdkError(error)) throw error;
    throw unfit(name, error instanceof Error ? error.message : String(error), error);
  } finally {
    await archive.return(undefined);
  }
}

async function* uncompressed(
  bytes: Buffer,
  { mediaType }: Descriptor,
  { name, most, used }: Unpacking,
): AsyncGenerator<Uint8Array, undefined> {
  if (mediaType.endsWith('zstd')) throw unfit(name, 'a layer is compressed by zstd');
  const isCompressed = /gzip$/.test(mediaType) || mediaType === mediaTypes.docker.layer;
  if (!isCompressed) {
    yield bytes;
    return;
  }
  const limit = most.files + most.members * memberBytes;
  const unzip = createGunzip();
  unzip.end(bytes);
  for await (const chunk of unzip as AsyncIterable<Buffer>) {
    used.archives += chunk.length;
    if (used.archives > limit) throw unfit(name, `its layers have more than ${limit} bytes`);
    yield chunk;
  }
}

/** The path inside the image; empty for its root. */
function pathOf({ path }: TarMember, name: string): string {
  const plain = posix.normalize(path.replace(/^\/+/, '')).replace(/\/$/, '');
  if (plain === '..' || plain.startsWith('../') || plain.includes('\0') || plain.includes('\\'))
    throw unfit(name, `it has a file outside of the image: ${JSON.stringify(path)}`);
  return plain === '.' ? '' : plain;
}

/** Removes what a whiteout hides. Source: OCI image-spec, layer.md, "Whiteouts". */
function hide(files: Map<string, Unpacked>, path: string, own: ReadonlySet<string>): boolean {
  const base = posix.basename(path);
  if (!base.startsWith('.wh.')) return false;
  const folder = posix.dirname(path);
  const isOpaque = base === '.wh..wh..opq';
  const hidden = isOpaque ? folder : posix.join(folder, base.slice('.wh.'.length));
  for (const known of files.keys()) {
    const isBelow = hidden === '.' || known.startsWith(`${hidden}/`);
    if (!own.has(known) && (isBelow || (!isOpaque && known === hidden))) files.delete(known);
  }
  return true;
}

async function readMember(
  member: TarMember,
  files: ReadonlyMap<string, Unpacked>,
  { name, most, used }: Unpacking,
): Promise<Unpacked | undefined> {
  if (member.type === 'folder') return 'folder';
  const count = (bytes: number): void => {
    used.bytes += bytes;
    if (used.bytes > most.files) throw unfit(name, `its files have more than ${most.files} bytes`);
  };
  if (member.type === 'symbolic link') return { link: linkInside(member) };
  if (member.type === 'hard link') {
    const linked = files.get(pathOf({ ...member, path: member.target }, name));
    // It is written as a file of its own.
    if (linked !== undefined && linked !== 'folder' && 'bytes' in linked) count(linked.bytes.length);
    return linked;
  }
  if (member.type === 'other') return undefined;
  count(member.size);
  const parts: Uint8Array[] = [];
  for await (const chunk of member.content()) parts.push(chunk);
  return { bytes: Buffer.concat(parts) };
}

/** What a link leads to as a container sees it: its root is that of the image, and nothing is above. Relative to the link. */
function linkInside({ path, target }: TarMember): string {
  const from = posix.dirname(posix.resolve('/', path));
  return posix.relative(from, posix.resolve(from, target)) || '.';
}

async function writeFiles(files: ReadonlyMap<string, Unpacked>, folder: string): Promise<void> {
  const isThrough = (path: string): boolean => {
    for (let above = posix.dirname(path); above !== '.'; above = posix.dirname(above)) {
      const found = files.get(above);
      if (found !== undefined && found !== 'folder') return true;
    }
    return false;
  };
  for (const [path, unpacked] of files) {
    // Below a link or a file there is nothing of the image.
    if (isThrough(path)) continue;
    const target = join(folder, path);
    if (unpacked === 'folder') {
      await mkdir(target, { recursive: true });
      continue;
    }
    await mkdir(dirname(target), { recursive: true });
    if ('link' in unpacked) await symlink(unpacked.link, target);
    else await writeFile(target, unpacked.bytes, { flag: 'wx' });
  }
}

function unfit(name: string, why: string, cause?: unknown): OpSdkError {
  return new OpSdkError(
    {
      code: 'oci/not-unpacked',
      message: `${name} cannot be unpacked: ${why}`,
      where: { object: name },
      fix: ['name the image of a bundle, which holds a few files of YAML'],
    },
    { cause },
  );
}
