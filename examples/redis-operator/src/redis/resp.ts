/** Word of a command. */
export type RespWord = string | number | Buffer;

/** Answer of a Redis server as text. */
export type RespValue = string | number | null | readonly RespValue[];

/** Answer of a Redis server as it came: names of keys and values need not be text. */
export type RespData = Buffer | number | null | readonly RespData[];

type Parsed = { readonly end: number } & ({ readonly value: RespData } | { readonly error: string });

/** Encodes a command as an array of bulk strings. */
export function encodeCommand(words: readonly RespWord[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`*${words.length}\r\n`)];
  for (const word of words) {
    const bytes = Buffer.isBuffer(word) ? word : Buffer.from(String(word));
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n'));
  }
  return Buffer.concat(parts);
}

/** Returns an answer as text. */
export function textOf(data: RespData): RespValue {
  if (Buffer.isBuffer(data)) return data.toString('utf8');
  if (typeof data === 'number' || data === null) return data;
  return data.map(textOf);
}

/**
 * Reads one answer.
 * @returns undefined if it is not complete, otherwise the place after it and its value, or the error of the server
 * @throws Error if the bytes are not an answer of Redis
 */
export function parseAnswer(buffer: Buffer, start: number): Parsed | undefined {
  const lineEnd = buffer.indexOf('\r\n', start);
  if (lineEnd === -1) return undefined;
  const line = buffer.toString('utf8', start + 1, lineEnd);
  const end = lineEnd + 2;
  const type = String.fromCharCode(buffer[start] ?? 0);
  if (type === '+') return { value: buffer.subarray(start + 1, lineEnd), end };
  if (type === '-') return { error: line, end };
  if (type === ':') return { value: Number(line), end };
  if (type !== '$' && type !== '*')
    throw new Error(`expected an answer of Redis, got ${JSON.stringify(type + line)}`);
  const length = Number(line);
  if (length === -1) return { value: null, end };
  if (type === '*') return parseItems(buffer, end, length);
  if (buffer.length < end + length + 2) return undefined;
  return { value: buffer.subarray(end, end + length), end: end + length + 2 };
}

/** Reads the items of an array. An error among them is the error of the whole. */
function parseItems(buffer: Buffer, start: number, count: number): Parsed | undefined {
  const items: RespData[] = [];
  let error: string | undefined;
  let end = start;
  for (let index = 0; index < count; index++) {
    const item = parseAnswer(buffer, end);
    if (item === undefined) return undefined;
    if ('error' in item) error ??= item.error;
    else items.push(item.value);
    ({ end } = item);
  }
  return error === undefined ? { value: items, end } : { error, end };
}
