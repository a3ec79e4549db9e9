const newline = 10;
const carriageReturn = 13;

/** Far above any object: etcd takes 1.5 MiB. Without a bound a server that never ends its line would fill the memory. */
const maxLineLength = 64 * 1024 * 1024;

/**
 * Cuts a stream of bytes into lines. Works on bytes, so that a character that is split between two chunks stays whole;
 * empty lines and a carriage return at the end are dropped.
 */
export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  #pending: Buffer[] = [];
  #pendingLength = 0;

  constructor(onLine: (line: Buffer) => void) {
    this.#onLine = onLine;
  }

  /** @throws RangeError for a line of more than 64 MiB; what `onLine` throws */
  write(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const part = chunk.subarray(start, end);
      start = end + 1;
      this.#emit(this.#pendingLength === 0 ? part : this.#joined(part));
    }
    if (start === chunk.length) return;
    this.#pending.push(chunk.subarray(start));
    this.#pendingLength += chunk.length - start;
    if (this.#pendingLength > maxLineLength)
      throw new RangeError('a line of the watch is longer than 64 MiB');
  }

  /** Returns the bytes after the last line end. */
  rest(): Buffer {
    return this.#joined(Buffer.alloc(0));
  }

  #joined(part: Buffer): Buffer {
    const line = Buffer.concat([...this.#pending, part]);
    this.#pending = [];
    this.#pendingLength = 0;
    return line;
  }

  #emit(line: Buffer): void {
    const length = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
    if (length > 0) this.#onLine(length === line.length ? line : line.subarray(0, length));
  }
}
