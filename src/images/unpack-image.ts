import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isOpSdkError, messageOf, OpSdkError } from '../base/errors/index.ts';
import { errnoOf, errnoText } from '../base/util/fs.ts';
import { readTar, type TarMember } from '../base/util/read-tar.ts';
import { readBlob } from './blob.ts';
import { parseImageConfig, type ImageConfig } from './image-config.ts';
import { isForeignLayer, isIndex, isManifest, readIndex, readImageManifest } from './manifest.ts';
import { mediaTypes, type Descriptor, type ImageContent } from './types.ts';

/** Limits for unpacking an image; bundle and catalogue images stay far below them. */
interface UnpackLimits {
  /** Maximum compressed size of a layer, in bytes. Default: 32 MiB. */
  readonly layer?: number;
  /** Maximum total size of all files, in bytes. Default: 64 MiB. */
  readonly files?: number;
  /** Maximum total size of the uncompressed archives, including skipped members, in bytes. Default: 256 MiB. */
  readonly archives?: number;
  /** Maximum number of files, folders and links in all layers, including parent folders. Default: 20,000. */
  readonly members?: number;
}

interface UnpackOptions extends UnpackLimits {
  /**
   * Folder of the image, without leading slash. If set, only the content of this folder is unpacked, and layers that cannot contain it are
   * not read.
   */
  readonly below?: string;
}

const defaultLimits: Required<UnpackLimits> = {
  layer: 32 * 1024 * 1024,
  files: 64 * 1024 * 1024,
  archives: 256 * 1024 * 1024,
  members: 20_000,
};
const mostLayers = 128;
const mostOfConfig = 4 * 1024 * 1024;
/**
 * Limits for paths in an image: bytes of a path, bytes of a name, and number of folder levels. Real paths are far shorter. The limits leave
 * space for the path of the temporary folder, because Linux allows 4,096 bytes for the complete path.
 */
const mostOfPath = { bytes: 2048, bytesOfName: 255, levels: 64 };

/** Entry of an image: the bytes of a file, the target of a link, or a folder. */
type Unpacked = { readonly bytes: Buffer } | { readonly link: string } | 'folder';

/**
 * Writes the files of an image into an empty folder, as a container would see them: later layers cover earlier ones. Nothing is written
 * outside the folder, and nothing before all layers have been read.
 * @param name name of the image, for the messages
 * @param folder absolute path of the folder
 * @throws OpSdkError `oci/not-unpacked`, `oci/invalid-manifest`, and the errors of reading the image
 * @see https://github.com/opencontainers/image-spec/blob/main/layer.md
 */
export async function unpackImage(
  content: ImageContent,
  name: string,
  folder: string,
  { below, ...limits }: UnpackOptions = {},
): Promise<void> {
  const most = { ...defaultLimits, ...limits };
  const manifest = await readImageManifest(content, await onlyManifest(content, name));
  const layers =
    below === undefined
      ? manifest.layers
      : layersBelow(manifest.layers, await readConfig(content, manifest.config, name), below);
  if (layers.length > mostLayers) throw unfit(name, `it has ${layers.length} layers`);
  const files = new Map<string, Unpacked>();
  const used = { bytes: 0, archives: 0, members: 0, folders: new Set<string>() };
  for (const layer of layers) {
    if (isForeignLayer(layer)) throw unfit(name, 'one of its layers is not in the registry');
    if (layer.size > most.layer) throw unfit(name, `a layer has ${layer.size} bytes`);
    await overlay(files, content, layer, { name, most, used, below });
  }
  try {
    await writeFiles(files, folder);
  } catch (error) {
    throw errnoOf(error) === undefined ? error : unfit(name, errnoText(error), error);
  }
}

/**
 * Returns the labels of an image.
 * @throws OpSdkError `oci/not-unpacked`, `oci/invalid-manifest`, `oci/not-an-image`, and the errors of reading the image
 */
export async function imageLabels(
  content: ImageContent,
  name: string,
): Promise<Readonly<Record<string, string>>> {
  const { config } = await readImageManifest(content, await onlyManifest(content, name));
  return (await readConfig(content, config, name)).config?.Labels ?? {};
}

async function readConfig(content: ImageContent, config: Descriptor, name: string): Promise<ImageConfig> {
  if (config.size > mostOfConfig) throw unfit(name, `its configuration has ${config.size} bytes`);
  return parseImageConfig(await readBlob(content, config), config, name);
}

/** Returns the manifest of an image. If the image has an index, returns the manifest for amd64, or the first one if none is for amd64. */
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
  readonly below: string | undefined;
  /** Amounts unpacked so far: bytes of files, bytes of archives, and number of members. The limits apply to them. */
  readonly used: { bytes: number; archives: number; members: number; readonly folders: Set<string> };
}

async function overlay(
  files: Map<string, Unpacked>,
  content: ImageContent,
  layer: Descriptor,
  unpacking: Unpacking,
): Promise<void> {
  const { name, most, used, below } = unpacking;
  /** The paths of this layer. They stay visible, because a whiteout hides only paths of lower layers. */
  const own = new Set<string>();
  // Read the entire layer, because its digest is verified only at its end, which may come after the end of the archive in it.
  const archive = counted(uncompressed(await readBlob(content, layer), layer, name), unpacking);
  try {
    for await (const member of readTar(archive)) {
      const path = pathOf(member, name);
      used.members += 1 + newFoldersAbove(path, used.folders);
      if (used.members > most.members) throw unfit(name, `it has more than ${most.members} files`);
      if (path === '') continue;
      if (hide(files, path, own)) continue;
      if (below !== undefined && !`${path}/`.startsWith(`${below}/`) && !`${below}/`.startsWith(`${path}/`))
        continue;
      own.add(path);
      const unpacked = await readMember(member, files, unpacking);
      if (unpacked === undefined) continue;
      // A file or link that replaces a folder hides the folder's content.
      if (unpacked !== 'folder' && used.folders.has(path)) hideBelow(files, path, own);
      files.set(path, unpacked);
    }
  } catch (error) {
    if (isOpSdkError(error)) throw error;
    throw unfit(name, messageOf(error), error);
  } finally {
    await archive.return(undefined);
  }
}

function uncompressed(bytes: Buffer, { mediaType }: Descriptor, name: string): AsyncIterable<Uint8Array> {
  if (mediaType.endsWith('zstd')) throw unfit(name, 'a layer is compressed by zstd');
  const isCompressed = /gzip$/.test(mediaType) || mediaType === mediaTypes.docker.layer;
  if (!isCompressed) return Readable.from([bytes]);
  const unzip = createGunzip();
  unzip.end(bytes);
  return unzip;
}

/** Passes bytes through and counts them all, including those of skipped members, because a few megabytes may decompress to gigabytes. */
async function* counted(
  stream: AsyncIterable<Uint8Array>,
  { name, most, used }: Unpacking,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of stream) {
    used.archives += chunk.length;
    if (used.archives > most.archives)
      throw unfit(name, `its layers have more than ${most.archives} bytes when they are uncompressed`);
    yield chunk;
  }
}

/** Adds the folders above a path to `known`, and returns the number of new ones. */
function newFoldersAbove(path: string, known: Set<string>): number {
  const before = known.size;
  for (let above = posix.dirname(path); above !== '.' && !known.has(above); above = posix.dirname(above))
    known.add(above);
  return known.size - before;
}

/** Returns the path of an archive member inside the image; empty for the image's root. */
function pathOf({ path }: TarMember, name: string): string {
  const plain = posix.normalize(path.replace(/^\/+/, '')).replace(/\/$/, '');
  if (plain === '..' || plain.startsWith('../') || plain.includes('\0') || plain.includes('\\'))
    throw unfit(name, `it has a file outside of the image: ${JSON.stringify(path)}`);
  const names = plain.split('/');
  const isLong = names.some((each) => Buffer.byteLength(each) > mostOfPath.bytesOfName);
  if (isLong || Buffer.byteLength(plain) > mostOfPath.bytes || names.length > mostOfPath.levels)
    throw unfit(name, `the path of one of its files is too long: ${JSON.stringify(plain.slice(0, 100))}…`);
  return plain === '.' ? '' : plain;
}

/** Removes the files that a whiteout (an entry named `.wh.…`) hides. Source: OCI image-spec, layer.md, "Whiteouts". */
function hide(files: Map<string, Unpacked>, path: string, own: ReadonlySet<string>): boolean {
  const base = posix.basename(path);
  if (!base.startsWith('.wh.')) return false;
  const folder = posix.dirname(path);
  const isOpaque = base === '.wh..wh..opq';
  const hidden = isOpaque ? folder : posix.join(folder, base.slice('.wh.'.length));
  hideBelow(files, hidden, own);
  if (!isOpaque && !own.has(hidden)) files.delete(hidden);
  return true;
}

/** Removes the content of a folder that comes from lower layers. */
function hideBelow(files: Map<string, Unpacked>, folder: string, own: ReadonlySet<string>): void {
  const start = `${folder}/`;
  for (const known of files.keys())
    if ((folder === '.' || known.startsWith(start)) && !own.has(known)) files.delete(known);
}

async function readMember(
  member: TarMember,
  files: ReadonlyMap<string, Unpacked>,
  { name, most, used }: Unpacking,
): Promise<Unpacked | undefined> {
  if (member.type === 'folder') return 'folder';
  if (member.type === 'symbolic link') {
    if (member.target === '' || member.target.includes('\0'))
      throw unfit(name, `it has a link to ${JSON.stringify(member.target)}`);
    return { link: linkInside(member) };
  }
  const spend = (bytes: number): void => {
    used.bytes += bytes;
    if (used.bytes > most.files) throw unfit(name, `its files have more than ${most.files} bytes`);
  };
  if (member.type === 'hard link') {
    const linked = files.get(pathOf({ ...member, path: member.target }, name));
    if (linked === undefined || linked === 'folder')
      throw unfit(name, `it has a hard link to ${JSON.stringify(member.target)}, which is not a file of it`);
    // A hard link is unpacked as a separate file, so the bytes of its target count again.
    if ('bytes' in linked) spend(linked.bytes.length);
    return linked;
  }
  if (member.type === 'other') return undefined;
  spend(member.size);
  const parts: Uint8Array[] = [];
  for await (const chunk of member.content()) parts.push(chunk);
  return { bytes: Buffer.concat(parts) };
}

/** Resolves a link as a container does, with the image as its root. The result is relative to the folder of the link. */
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
    // Paths below a link or a file are skipped, because they are not part of the image.
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
      fix: ['name the image of a bundle or of a catalogue, which holds files of YAML'],
    },
    { cause },
  );
}

/**
 * Returns the layers that may contain a folder. A layer is excluded only if the history of the image shows that a COPY or ADD instruction
 * created it at another place. For other layers, the history does not show which folders they contain.
 * @param folder path without leading slash
 */
function layersBelow(
  layers: readonly Descriptor[],
  { history = [] }: ImageConfig,
  folder: string,
): readonly Descriptor[] {
  const steps = history.filter(({ empty_layer }) => empty_layer !== true);
  if (steps.length !== layers.length) return layers;
  return layers.filter((_layer, index) => {
    const target = targetOf(steps[index]?.created_by ?? '');
    if (target === undefined) return true;
    return `${target}/`.startsWith(`/${folder}/`) || `/${folder}/`.startsWith(`${target}/`) || target === '/';
  });
}

/** Returns the destination of a COPY or ADD instruction: its last word, if that is an absolute path. */
function targetOf(step: string): string | undefined {
  const [, words = ''] =
    /^(?:\/bin\/sh -c #\(nop\) +)?(?:COPY|ADD) ([^"'[\]\\$]+?)(?: +# buildkit)?\s*$/.exec(step) ?? [];
  const target = words.trim().split(/\s+/).at(-1);
  if (target === undefined || !target.startsWith('/')) return undefined;
  return posix.normalize(target).replace(/(?<=.)\/$/, '');
}
