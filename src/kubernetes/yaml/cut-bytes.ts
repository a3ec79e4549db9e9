import { isMarkerLine } from './stream.ts';

/** A document of a YAML or JSON stream, as bytes. */
export interface DocumentBytes {
  readonly bytes: Buffer;
  /** Offset of the document in the stream, in bytes. */
  readonly start: number;
  /** Line of the stream on which the document begins; the first line of the stream is 1. */
  readonly line: number;
}

const [lineFeed, quote, backslash, opening, closing] = [10, 34, 92, 123, 125];

/**
 * Splits a stream of YAML documents, or of JSON objects without separators, into documents. Only one document is in memory at a time. The
 * first character of the stream determines the format, like in apimachinery's `YAMLOrJSONDecoder`. YAML is split at the same lines as by
 * `cutYamlStream`. The contents of documents are not parsed.
 *
 * @param tooLarge returns the error for a document of more than `mostBytes`, given the document's line
 */
export async function* cutBytes(
  chunks: AsyncIterable<Uint8Array>,
  mostBytes: number,
  tooLarge: (line: number) => Error,
): AsyncGenerator<DocumentBytes> {
  const cutter = new Cutter();
  for await (const chunk of chunks) {
    cutter.push(chunk);
    yield* cutter.documents(false);
    if (cutter.size > mostBytes) throw tooLarge(cutter.line);
  }
  yield* cutter.documents(true);
}

class Cutter {
  #rest: Buffer = Buffer.alloc(0);
  #start = 0;
  #line = 1;
  /** Offset in the buffer up to which the bytes have been searched for the end of a document. */
  #scanned = 0;
  #form: 'unknown' | 'yaml' | 'json' = 'unknown';
  #depth = 0;
  #isText = false;

  /** Number of bytes that are buffered for the next document. */
  get size(): number {
    return this.#rest.length;
  }

  get line(): number {
    return this.#line;
  }

  push(chunk: Uint8Array): void {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
  }

  /** Returns the documents that are complete, and removes them from the buffer. */
  *documents(isEnd: boolean): Generator<DocumentBytes> {
    if (this.#form === 'unknown') {
      const first = this.#firstCharacter();
      if (first === undefined && !isEnd) return;
      this.#form = first === opening ? 'json' : 'yaml';
    }
    if (this.#form === 'json') yield* this.#jsonDocuments();
    if (this.#form === 'yaml') yield* this.#yamlDocuments(isEnd);
    if (isEnd && this.#rest.length > 0) yield this.#take(this.#rest.length, 0);
  }

  #firstCharacter(): number | undefined {
    const hasMark = this.#rest.length >= 3 && this.#rest.readUIntBE(0, 3) === 0xefbbbf;
    return this.#rest.subarray(hasMark ? 3 : 0).find((byte) => byte > 32);
  }

  *#jsonDocuments(): Generator<DocumentBytes> {
    while (this.#scanned < this.#rest.length) {
      const byte = this.#rest[this.#scanned++] ?? 0;
      if (this.#isText) {
        if (byte === quote) this.#isText = false;
        // The next character is one of the text, whatever it is; it may be in the next chunk.
        else if (byte === backslash) this.#scanned++;
      } else if (byte === quote) this.#isText = true;
      else if (byte === opening) this.#depth++;
      else if (byte === closing) {
        if (--this.#depth === 0) yield this.#take(this.#scanned, 0);
      } else if (this.#depth === 0 && byte > 32 && byte < 128) {
        // The text after a JSON object does not begin with a brace (for example, it is a line of `---`), so the rest is read as YAML.
        this.#form = 'yaml';
        this.#scanned = 0;
        return;
      }
    }
  }

  *#yamlDocuments(isEnd: boolean): Generator<DocumentBytes> {
    for (;;) {
      // A `---` at the very start of a document does not end the document but belongs to it, so the search begins at a line break.
      const found = this.#rest.indexOf('\n---', this.#scanned);
      if (found === -1) {
        this.#scanned = Math.max(0, this.#rest.length - 4);
        return;
      }
      const at = found + 1;
      const end = this.#rest.indexOf(lineFeed, at);
      if (end === -1 && !isEnd) {
        this.#scanned = found;
        return;
      }
      const next = end === -1 ? this.#rest.length : end + 1;
      if (isMarkerLine(this.#rest.toString('latin1', at, next))) yield this.#take(at, next - at);
      else this.#scanned = at;
    }
  }

  /** Removes a document from the front of the buffer, and the `---` line that follows it. Returns the document. */
  #take(length: number, marker: number): DocumentBytes {
    const document = { bytes: this.#rest.subarray(0, length), start: this.#start, line: this.#line };
    for (let at = this.#rest.indexOf(lineFeed); at !== -1 && at < length + marker;)
      [this.#line, at] = [this.#line + 1, this.#rest.indexOf(lineFeed, at + 1)];
    this.#start += length + marker;
    this.#rest = this.#rest.subarray(length + marker);
    this.#scanned = 0;
    return document;
  }
}
