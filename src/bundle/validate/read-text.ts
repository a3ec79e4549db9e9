import { readFile } from 'node:fs/promises';
import { OpSdkError } from '../../errors/index.ts';
import { errnoText } from '../../util/fs.ts';
import type { Report } from './types.ts';

/** The API server takes requests up to this size, so no object can be larger. Source: apiserver `MaxRequestBodyBytes`. */
export const MOST_BYTES = 3 * 1024 * 1024;

/**
 * The text of a regular file, once it is certain that it is text of a size that can be meant.
 * @param size in bytes, of its directory entry
 * @returns undefined after a report
 */
export async function readText(
  path: string,
  file: string,
  size: number,
  report: Report,
): Promise<string | undefined> {
  if (size > MOST_BYTES) {
    report.error(
      'bundle/not-a-manifest',
      { file },
      `${file} has ${size} bytes; the API server takes objects up to ${MOST_BYTES} bytes`,
      'shorten the descriptions, or remove what is not a manifest',
    );
    return undefined;
  }
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new OpSdkError({
      code: 'io/cannot-read',
      message: `cannot read ${file}: ${errnoText(error)}`,
      where: { file },
    });
  });
  // NUL is valid UTF-8 and valid nowhere in YAML.
  const text = bytes.includes(0) ? undefined : decode(bytes);
  if (text === undefined) {
    report.error(
      'bundle/not-a-manifest',
      { file },
      `${file} is binary, or not in UTF-8`,
      'remove it from the bundle, or save it as UTF-8',
    );
  }
  return text;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
