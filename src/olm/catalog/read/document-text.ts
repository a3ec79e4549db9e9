import { open } from 'node:fs/promises';
import { isOpSdkError, OpSdkError, type Where } from '../../../base/errors/index.ts';
import { errnoText } from '../../../base/util/fs.ts';
import type { JsonPath } from '../../../base/util/read-json.ts';
import { parseKubernetesYaml } from '../../../kubernetes/yaml/index.ts';
import type { DocumentSource } from '../types.ts';

/**
 * The text of a document, read again.
 * @throws OpSdkError `io/cannot-read`
 */
export async function documentText({ path, file, start, length }: DocumentSource): Promise<string> {
  try {
    await using handle = await open(path);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    const message = `cannot read ${file}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file } }, { cause: error });
  }
}

/** Returns a function that finds places in a document, which is read again for them. */
export async function locateIn(source: DocumentSource): Promise<(path: JsonPath) => Where> {
  const { file, line } = source;
  const start: Where = { file, line, column: 1 };
  try {
    const [document] = parseKubernetesYaml(await documentText(source), file, { roundIntegers: true });
    if (document === undefined) return () => start;
    return (path) => {
      const where = document.locate(path);
      return { ...where, line: where.line + line - 1 };
    };
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return () => start;
  }
}
