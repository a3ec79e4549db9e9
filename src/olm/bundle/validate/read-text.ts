import { readFileSync } from 'node:fs';
import { OpSdkError } from '../../../base/errors/index.ts';
import { errnoText } from '../../../base/util/fs.ts';
import { yamlLimits } from '../../../kubernetes/yaml/limits.ts';

/** Why a file is not text that can be read. */
export interface Unreadable {
  readonly message: string;
  readonly fix: string;
}

/**
 * The text of a regular file, once it is certain that it is text of a size that can be read. Read at once: handing each of the small files
 * of a bundle to another thread and back costs more than reading it.
 * @param size in bytes, of its directory entry
 * @throws OpSdkError `io/cannot-read`
 */
export function readText(path: string, file: string, size: number): string | Unreadable {
  if (size > yamlLimits.bytes)
    return {
      message: `${file} has ${size} bytes; up to ${yamlLimits.bytes} bytes are read`,
      fix: 'remove what is not a manifest',
    };
  const bytes = bytesOf(path, file);
  // NUL is valid UTF-8 and valid nowhere in YAML.
  const text = bytes.includes(0) ? undefined : decode(bytes);
  return (
    text ?? {
      message: `${file} is binary, or not in UTF-8`,
      fix: 'remove it from the bundle, or save it as UTF-8',
    }
  );
}

function bytesOf(path: string, file: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const message = `cannot read ${file}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file } });
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
