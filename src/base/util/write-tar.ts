import { createHash } from 'node:crypto';

/** A file, folder or symbolic link of an archive. */
export interface TarEntry {
  /** Relative path with forward slashes, without `.`, `..`, and leading or trailing slash: `app/main.mjs`. */
  readonly path: string;
  /** The bytes of a file, or a source for them if they do not fit into memory; absent for folders and links. */
  readonly content?: Uint8Array | TarSource;
  /** Target of a symbolic link, exactly as it is written into the link. */
  readonly linkTarget?: string;
  /** Permissions. Default: 0o644 for files, 0o755 for folders, 0o777 for links. */
  readonly mode?: number;
}

/** Bytes that are read on demand and whose size is known. */
interface TarSource {
  /** The size in bytes. */
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Fields common to all entries of an archive. */
interface TarOptions {
  /** Numeric user id of the owner. Default: 0. */
  readonly uid?: number;
  /** Numeric group id of the owner. Default: 0. */
  readonly gid?: number;
  /** True to keep the order of the entries, and to add no parent folders. Default: false. */
  readonly asGiven?: boolean;
}

const blockSize = 512;
/** Maximum size in bytes that the eleven octal digits of a header can express. */
const largestSize = 0o77777777777;

/**
 * Writes a reproducible tar archive: entries are sorted by the bytes of their paths, missing parent folders are added, modification times
 * are 0, and user names are omitted. Names that ustar cannot hold (long or non-ASCII) are stored in pax headers.
 * @throws TypeError for paths in another form than {@link TarEntry.path} requires, and for two entries with the same path
 * @see POSIX.1-2001, pax interchange format
 */
export async function* writeTar(
  entries: readonly TarEntry[],
  options: TarOptions = {},
): AsyncGenerator<Uint8Array> {
  for (const entry of completed(entries, options)) {
    const size = sizeOf(entry);
    yield headerOf(entry, size, options);
    const { content } = entry;
    if (content instanceof Uint8Array) yield content;
    else if (content !== undefined) yield* exactly(content, entry.path);
    yield padding(size);
  }
  yield Buffer.alloc(2 * blockSize);
}

/** Works like {@link writeTar}, but takes entries with their bytes in memory and returns the bytes of the archive. */
export function tarBytes(
  entries: readonly (TarEntry & { readonly content?: Uint8Array })[],
  options: TarOptions = {},
): Buffer {
  const parts = completed(entries, options).flatMap((entry) => {
    const size = sizeOf(entry);
    const content = entry.content instanceof Uint8Array ? entry.content : Buffer.alloc(0);
    return [headerOf(entry, size, options), content, padding(size)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * blockSize)]);
}

/** Returns all entries and, unless they are kept as given, their parent folders, in the order of the archive. */
function completed(entries: readonly TarEntry[], { asGiven = false }: TarOptions): readonly TarEntry[] {
  const byPath = new Map<string, TarEntry>();
  for (const entry of entries) {
    const parts = entry.path.split('/');
    // A NUL would end the name early; the other forbidden parts would change the file that the path names.
    if (parts.some((part) => ['', '.', '..'].includes(part)) || entry.path.includes('\0'))
      throw new TypeError(`not a path for an archive: ${JSON.stringify(entry.path)}`);
    if (byPath.has(entry.path)) throw new TypeError(`two entries are called ${entry.path}`);
    byPath.set(entry.path, entry);
  }
  if (asGiven) return entries;
  for (const { path } of entries) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash);
      const there = byPath.get(folder);
      if (there === undefined) byPath.set(folder, { path: folder });
      else if (typeOf(there) !== 'folder')
        throw new TypeError(`${folder} is not a folder, but holds ${path}`);
    }
  }
  return [...byPath.values()].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

type EntryType = 'file' | 'folder' | 'link';

const typeFlags = { file: '0', link: '2', folder: '5' } as const;
const defaultModes = { file: 0o644, link: 0o777, folder: 0o755 } as const;

function typeOf({ content, linkTarget }: TarEntry): EntryType {
  if (linkTarget !== undefined) return 'link';
  return content === undefined ? 'folder' : 'file';
}

function sizeOf({ content, path }: TarEntry): number {
  const size = content === undefined ? 0 : content instanceof Uint8Array ? content.length : content.size;
  if (size > largestSize) throw new TypeError(`${path} is larger than an archive can hold`);
  return size;
}

/** Returns the header of an entry, preceded by a pax header if needed. */
function headerOf(entry: TarEntry, size: number, options: TarOptions): Buffer {
  const type = typeOf(entry);
  const name = type === 'folder' ? `${entry.path}/` : entry.path;
  const linkTarget = entry.linkTarget ?? '';
  const split = splitName(name);
  const records = {
    ...(split === undefined ? { path: name } : {}),
    ...(isPlain(linkTarget, 100) ? {} : { linkpath: linkTarget }),
  };
  const header = block({
    // Readers that do not support pax see a shortened but unique name.
    ...(split ?? { name: shortName(name), prefix: '' }),
    mode: entry.mode ?? defaultModes[type],
    size,
    type: typeFlags[type],
    linkTarget: 'linkpath' in records ? shortName(linkTarget) : linkTarget,
    uid: options.uid ?? 0,
    gid: options.gid ?? 0,
  });
  if (Object.keys(records).length === 0) return header;
  const data = Buffer.concat(Object.entries(records).map(([key, value]) => paxRecord(key, value)));
  const pax = block({
    name: `PaxHeaders.0/${shortName(name)}`,
    prefix: '',
    mode: 0o644,
    size: data.length,
    type: 'x',
    linkTarget: '',
    uid: 0,
    gid: 0,
  });
  return Buffer.concat([pax, data, padding(data.length), header]);
}

/** Splits a name into the two fields that ustar has for names; undefined if the name does not fit into them. */
function splitName(name: string): { readonly name: string; readonly prefix: string } | undefined {
  if (isPlain(name, 100)) return { name, prefix: '' };
  if (!isPlain(name, 256)) return undefined;
  // The slash between the two fields is not stored, but the trailing slash of a folder is.
  for (
    let slash = name.indexOf('/');
    slash !== -1 && slash < name.length - 1;
    slash = name.indexOf('/', slash + 1)
  ) {
    const rest = name.slice(slash + 1);
    if (slash > 0 && slash <= 155 && rest.length <= 100) return { name: rest, prefix: name.slice(0, slash) };
  }
  return undefined;
}

/** Returns true for ASCII text that fits into a header field of `size` bytes. */
function isPlain(text: string, size: number): boolean {
  return text.length <= size && /^[\x20-\x7e]*$/.test(text);
}

function shortName(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

/** Formats `<length> <key>=<value>\n`, where the length includes its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

interface HeaderFields {
  readonly name: string;
  readonly prefix: string;
  readonly mode: number;
  readonly size: number;
  readonly type: string;
  readonly linkTarget: string;
  readonly uid: number;
  readonly gid: number;
}

function block(fields: HeaderFields): Buffer {
  const header = Buffer.alloc(blockSize);
  const octal = (value: number, at: number, digits: number): void =>
    void header.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
  header.write(fields.name, 0, 'latin1');
  octal(fields.mode, 100, 7);
  octal(fields.uid, 108, 7);
  octal(fields.gid, 116, 7);
  octal(fields.size, 124, 11);
  octal(0, 136, 11);
  header.write(' '.repeat(8), 148, 'latin1');
  header.write(fields.type, 156, 'latin1');
  header.write(fields.linkTarget, 157, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  octal(0, 329, 7);
  octal(0, 337, 7);
  header.write(fields.prefix, 345, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize);
}

/** Checks that a source yields as many bytes as its size states; otherwise, all later entries would be unreadable. */
async function* exactly(source: TarSource, path: string): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of source.read()) {
    seen += chunk.length;
    yield chunk;
  }
  if (seen !== source.size) throw new TypeError(`${path} has ${seen} bytes, not ${source.size}`);
}
