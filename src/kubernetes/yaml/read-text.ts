import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { OpSdkError } from '../../base/errors/op-sdk-error.ts';
import { errnoText } from '../../base/util/fs.ts';
import { tooLargeYaml, yamlLimits } from './limits.ts';

/**
 * The text of a stream, which is left as soon as more has come than is read.
 *
 * @param file the name that findings give; `-` for standard input
 * @throws OpSdkError `io/too-large`, `io/cannot-read` for text that is not in UTF-8
 */
export async function readYamlStream(
  chunks: AsyncIterable<Uint8Array | string>,
  file: string,
  mostBytes: number = yamlLimits.bytes,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > mostBytes) throw new OpSdkError(tooLargeYaml('bytes', { file }));
    parts.push(bytes);
  }
  const text = Buffer.concat(parts);
  // Decoded, it would hold other characters than the file, and nobody would know.
  if (isUtf8(text)) return text.toString('utf8');
  const message = `cannot read ${file}: it is binary, or not in UTF-8`;
  throw new OpSdkError({ code: 'io/cannot-read', message, where: { file }, fix: ['save it as UTF-8'] });
}

/**
 * The text of a file, read up to a limit, whatever the file is.
 *
 * @param path absolute
 * @param file the name that findings give
 * @throws OpSdkError `io/cannot-read`, `io/too-large`
 */
export async function readYamlFile(
  path: string,
  file: string,
  mostBytes: number = yamlLimits.bytes,
): Promise<string> {
  try {
    return await readYamlStream(createReadStream(path), file, mostBytes);
  } catch (error) {
    if (error instanceof OpSdkError) throw error;
    const message = `cannot read ${file}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file } }, { cause: error });
  }
}

/**
 * The text of a file that nobody named: a pipe, for which a reader would wait without end, and a device are refused.
 *
 * @param path absolute
 * @param file the name that findings give
 * @throws OpSdkError `io/cannot-read`, `io/too-large`
 */
export async function readRegularYamlFile(path: string, file: string, mostBytes?: number): Promise<string> {
  const entry = await stat(path).catch(() => undefined);
  if (entry === undefined || entry.isFile()) return await readYamlFile(path, file, mostBytes);
  const message = `cannot read ${file}: it is not a regular file`;
  throw new OpSdkError({ code: 'io/cannot-read', message, where: { file }, fix: ['write the file itself'] });
}
