/**
 * Expands a text that Redis has compressed.
 * @param size number of bytes that come out
 * @throws Error if the bytes are not of this form
 * @see https://github.com/redis/redis/blob/7.0/src/lzf_d.c
 */
export function expandLzf(input: Uint8Array, size: number): Buffer {
  const output = Buffer.alloc(size);
  let from = 0;
  let to = 0;
  const next = (): number => {
    const byte = input[from++];
    if (byte === undefined) throw new Error('LZF: expected more bytes');
    return byte;
  };
  while (from < input.length) {
    const control = next();
    if (control < 32) {
      // As they are: one more than the number says.
      for (let count = control + 1; count > 0; count--) output[to++] = next();
      continue;
    }
    // A copy of what came before.
    let length = control >> 5;
    if (length === 7) length += next();
    let source = to - ((control & 31) << 8) - next() - 1;
    if (source < 0) throw new Error('LZF: expected a copy of earlier bytes');
    for (let count = length + 2; count > 0; count--) output[to++] = output[source++] ?? 0;
  }
  if (to !== size) throw new Error(`LZF: expected ${size} bytes, got ${to}`);
  return output;
}
