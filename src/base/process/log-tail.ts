import { open } from 'node:fs/promises';

/**
 * Returns the last lines of a log file; the empty string if the file does not exist.
 * @param lines maximum number of lines
 */
export async function logTail(file: string, lines = 20): Promise<string> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, lines * 1_000);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } finally {
    await handle.close();
  }
}
