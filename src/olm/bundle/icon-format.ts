import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { errnoText } from '../../base/util/fs.ts';

/**
 * Media types of the formats that catalogues show. The function of each returns true if a file begins like that format. Source:
 * operator-framework/api `validateIcon`.
 */
const formats: readonly (readonly [string, (content: Buffer) => boolean])[] = [
  ['image/png', (content) => content.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))],
  ['image/jpeg', (content) => content.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (content) => content.subarray(0, 4).toString('latin1') === 'GIF8'],
  // Declarations and comments may come before the `svg` element.
  ['image/svg+xml', (content) => /^\uFEFF?\s*<(?:[?!][\s\S]*<)?svg[\s/>]/i.test(content.toString('utf8'))],
];

/** Returns the media type of an image, found by its first bytes; undefined if catalogues do not show the format. */
export function iconMediaType(content: Buffer): string | undefined {
  return formats.find(([, matches]) => matches(content))?.[0];
}

/**
 * Finds code that would run if a text were shown as HTML or SVG: a `script` element, an event handler, a `javascript:` URL.
 * @returns the beginning of the code as it is written; undefined if nothing would run
 */
export function scriptIn(markup: string): string | undefined {
  return /<script\b|<[^<>]*\son[a-z]+\s*=|\bjavascript:/i.exec(markup)?.[0].slice(0, 60);
}

/** An icon in the form that a ClusterServiceVersion requires. */
export interface Icon {
  readonly base64data: string;
  readonly mediatype: string;
}

/** Maximum size of an icon in bytes. Larger icons would take a large part of the 1 MiB that a bundle may have. */
const LIMIT = 256 * 1024;

/**
 * Reads the file of an icon.
 * @param file path relative to `cwd`, or absolute
 * @throws OpSdkError `cli/invalid-value` for `--icon` if the file does not exist, is not a GIF, JPEG, PNG or SVG, or contains a script
 */
export async function readIcon(cwd: string, file: string): Promise<Icon> {
  const invalid = (problem: string, cause?: unknown): OpSdkError =>
    new OpSdkError(
      {
        code: 'cli/invalid-value',
        message: `--icon is ${JSON.stringify(file)}: ${problem}`,
        where: { flag: '--icon' },
        fix: ['name a file of at most 256 KiB that holds a GIF, JPEG, PNG or SVG'],
      },
      { cause },
    );
  let content: Buffer;
  try {
    const path = resolve(cwd, file);
    const entry = await stat(path);
    // Reading would block on a pipe, and would never end on a device.
    if (!entry.isFile()) throw invalid('it is not a regular file');
    if (entry.size > LIMIT) throw invalid('it is larger than 256 KiB');
    content = await readFile(path);
  } catch (error) {
    if (error instanceof OpSdkError) throw error;
    throw invalid(errnoText(error), error);
  }
  const mediatype = iconMediaType(content);
  if (mediatype === undefined) throw invalid('it is not a GIF, JPEG, PNG or SVG');
  const script = mediatype === 'image/svg+xml' ? scriptIn(content.toString('utf8')) : undefined;
  if (script !== undefined) throw invalid(`it holds a script: ${script}`);
  return { base64data: content.toString('base64'), mediatype };
}
