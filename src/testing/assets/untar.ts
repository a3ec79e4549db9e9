import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';

const block = 512;

/**
 * Writes the wanted files of a tar stream into a folder, executable, whatever folder they are in inside the archive.
 * Source: POSIX.1-2001 pax interchange format, "ustar".
 * @param wanted base names
 * @returns the base names that were found
 * @throws Error if the stream is not a tar archive or ends too early
 */
export async function untar(
  stream: AsyncIterable<Uint8Array>,
  folder: string,
  wanted: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const reader = new ByteReader(stream);
  const found = new Set<string>();
  for (;;) {
    const header = await reader.read(block);
    if (header.every((byte) => byte === 0)) return found;
    const { name, size, isFile } = parseHeader(header);
    if (isFile && wanted.has(name)) {
      await writeExecutable(join(folder, name), reader, size);
      found.add(name);
    } else {
      await reader.copy(size, async () => undefined);
    }
    await reader.read((block - (size % block)) % block);
  }
}

async function writeExecutable(path: string, reader: ByteReader, size: number): Promise<void> {
  const file = await open(path, 'wx', 0o755);
  try {
    await reader.copy(size, async (chunk) => {
      // Not `write`, which may write a part only, as when the disk is about to be full.
      await file.writeFile(chunk);
    });
  } finally {
    await file.close();
  }
}

function parseHeader(header: Buffer): {
  readonly name: string;
  readonly size: number;
  readonly isFile: boolean;
} {
  const text = (start: number, length: number): string =>
    header.toString('latin1', start, start + length).split('\0')[0] ?? '';
  const stored = Number.parseInt(text(148, 8).trim(), 8);
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  if (stored !== sum) throw new Error('not a tar archive: the checksum of a header is wrong');
  const type = text(156, 1);
  return {
    name: basename(text(0, 100)),
    size: Number.parseInt(text(124, 12).trim() || '0', 8),
    isFile: type === '0' || type === '',
  };
}

/** Reads a stream of chunks in pieces of the sizes that the format asks for. */
class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async read(size: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    await this.copy(size, async (chunk) => {
      parts.push(chunk);
    });
    return Buffer.concat(parts);
  }

  async copy(size: number, sink: (chunk: Uint8Array) => Promise<void>): Promise<void> {
    let left = size;
    while (left > 0) {
      if (this.#rest.length === 0) await this.#fill();
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      await sink(part);
    }
  }

  async #fill(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done === true) throw new Error('the tar archive ends too early');
    this.#rest = next.value;
  }
}
