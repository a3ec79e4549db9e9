/** One member of a tar archive. */
export interface TarMember {
  /** The path as stored in the archive, not normalised, such as `./manifests/a.yaml`. */
  readonly path: string;
  readonly type: 'file' | 'folder' | 'symbolic link' | 'hard link' | 'other';
  /** Target of a link; empty for members that are not links. */
  readonly target: string;
  /** Size in bytes; 0 for all members except files. */
  readonly size: number;
  /** Returns the bytes of a file. Unread bytes are skipped when the next member is requested. */
  content(): AsyncGenerator<Uint8Array>;
}

const block = 512;
/** Maximum size of an extended header (long paths and a few numbers), in bytes. */
const longestExtension = 1024 * 1024;

/**
 * Reads a tar archive as a stream: ustar, pax and GNU's long names.
 * @throws Error if the stream is not a tar archive or ends too early
 * @see POSIX.1-2001, pax interchange format
 */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarMember> {
  const reader = new ByteReader(stream);
  let extension: Extension = {};
  for (;;) {
    const bytes = await reader.read(block);
    if (bytes.every((byte) => byte === 0)) return;
    const header = parseHeader(bytes);
    const size = extension.size ?? header.size;
    const read = extensions[header.type];
    if (read !== undefined) {
      if (header.size > longestExtension) throw notTar('an extended header is too long');
      extension = { ...extension, ...read(await reader.read(header.size)) };
      await reader.read(padding(header.size));
      continue;
    }
    let left = size;
    async function* content(): AsyncGenerator<Uint8Array> {
      while (left > 0) {
        const chunk = await reader.some(left);
        left -= chunk.length;
        yield chunk;
      }
    }
    const type = types[header.type] ?? 'other';
    yield {
      path: extension.path ?? header.path,
      type: type === 'file' && (extension.path ?? header.path).endsWith('/') ? 'folder' : type,
      target: extension.target ?? header.target,
      size: type === 'file' ? size : 0,
      content,
    };
    while (left > 0) left -= (await reader.some(left)).length;
    await reader.read(padding(size));
    extension = {};
  }
}

const types: Readonly<Record<string, TarMember['type']>> = {
  '': 'file',
  '0': 'file',
  '7': 'file',
  '1': 'hard link',
  '2': 'symbolic link',
  '5': 'folder',
};

interface Extension {
  readonly path?: string;
  readonly target?: string;
  readonly size?: number;
}

const extensions: Readonly<Record<string, (bytes: Buffer) => Extension>> = {
  x: paxFields,
  // Global headers are ignored, because this code uses none of their fields.
  g: () => ({}),
  L: (bytes) => ({ path: textUpToNul(bytes) }),
  K: (bytes) => ({ target: textUpToNul(bytes) }),
};

function textUpToNul(bytes: Buffer): string {
  return bytes.toString('utf8').split('\0')[0] ?? '';
}

/** Parses the fields of a pax header, which consists of lines of the form `<length> <key>=<value>`. */
function paxFields(bytes: Buffer): Extension {
  const fields: Record<string, string> = {};
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at);
    const length = blank === -1 ? Number.NaN : Number(bytes.toString('latin1', at, blank));
    const end = at + length;
    if (!Number.isSafeInteger(length) || end <= blank + 1 || end > bytes.length)
      throw notTar('a pax header is damaged');
    const [key = '', ...value] = bytes.toString('utf8', blank + 1, end - 1).split('=');
    fields[key] = value.join('=');
    at = end;
  }
  const { path, linkpath, size } = fields;
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw notTar('a pax header is damaged');
  return {
    ...(path === undefined ? {} : { path }),
    ...(linkpath === undefined ? {} : { target: linkpath }),
    ...(size === undefined ? {} : { size: Number(size) }),
  };
}

function parseHeader(header: Buffer): {
  readonly path: string;
  readonly target: string;
  readonly size: number;
  readonly type: string;
} {
  const text = (start: number, length: number): string => textUpToNul(header.subarray(start, start + length));
  const stored = Number.parseInt(text(148, 8).trim(), 8);
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  if (stored !== sum) throw notTar('the checksum of a header is wrong');
  const prefix = text(257, 5) === 'ustar' && header[263] === 0x30 ? text(345, 155) : '';
  const name = text(0, 100);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    target: text(157, 100),
    size: sizeOf(header.subarray(124, 136)),
    type: text(156, 1),
  };
}

/** Parses octal digits. GNU's binary form, for sizes above 8 GiB, is rejected. */
function sizeOf(field: Buffer): number {
  const digits = textUpToNul(field).trim();
  const size = (field[0] ?? 0) >= 0x80 ? Number.NaN : Number.parseInt(digits === '' ? '0' : digits, 8);
  if (!Number.isSafeInteger(size) || size < 0) throw notTar('a size is not a number that can be read');
  return size;
}

function padding(size: number): number {
  return (block - (size % block)) % block;
}

function notTar(why: string): Error {
  return new Error(`not a tar archive: ${why}`);
}

/** Reads a stream of chunks in pieces of the requested sizes. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async read(size: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let left = size; left > 0;) {
      const part = await this.some(left);
      left -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /** Returns the next bytes of the stream: at least one and at most `most` bytes. */
  async some(most: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new Error('the tar archive ends too early');
      this.#rest = next.value;
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}
