import { readdirSync, statSync, type Dirent } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { OpSdkError } from '../../../../../base/errors/index.ts';
import { errnoText } from '../../../../../base/util/fs.ts';
import { isLeftover } from '../../../../../base/util/leftovers.ts';
import { MOST_FILES } from '../../limits.ts';
import type { Check } from '../../types.ts';

/** Capacity of the ConfigMap in which OLM unpacks a bundle. Source: operator-framework/api `bundle.go` `validateBundleSize`. */
const MOST = 1024 * 1024;
const WARN_FROM = 0.85;
/** A file that is larger is too large however it is compressed, in bytes. */
const MOST_OF_FILE = 12 * MOST;

interface SizedFile {
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
}

/** Checks the room that the files of `manifests/` take in OLM: each of them compressed and in base64. */
export const checkBundleSize: Check<'bundle'> = async ({ path, dir }, report) => {
  const files = sizesOf(join(path, 'manifests'), join(dir, 'manifests'));
  const whole = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = files.reduce((sum, { bytes }) => sum + inBase64(bytes + 64), 0);
  // What has room as it is has room compressed.
  if (most <= MOST * WARN_FROM) return;
  const compressed = await compressedSize(files);
  const place = { file: dir };
  const figures = `${kilobytes(compressed)} compressed (${kilobytes(whole)} as it is)`;
  const fix = 'take out what OLM does not need, such as docs; shorten the descriptions of the CRDs';
  if (compressed > MOST) {
    const message = `the bundle has ${figures}; OLM takes up to ${kilobytes(MOST)}`;
    report.error('bundle/too-large', place, message, fix);
  } else if (compressed > MOST * WARN_FROM) {
    const message = `the bundle has ${figures}, close to the ${kilobytes(MOST)} that OLM takes`;
    report.warn('bundle/nearly-too-large', place, message, fix);
  }
};

function sizesOf(path: string, shown: string): readonly SizedFile[] {
  const files: SizedFile[] = [];
  for (const entry of entriesOf(path, shown).slice(0, MOST_FILES)) {
    if (!entry.isFile()) continue;
    const inner = join(path, entry.name);
    files.push({ path: inner, file: join(shown, entry.name), bytes: statSync(inner).size });
  }
  return files;
}

function entriesOf(path: string, shown: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).filter(({ name }) => !isLeftover(name));
  } catch (error) {
    throw unreadable(shown, error);
  }
}

async function compressedSize(files: readonly SizedFile[]): Promise<number> {
  let size = 0;
  for (const { path, file, bytes } of files) {
    // When enough is known, there may be much more to read.
    if (bytes > MOST_OF_FILE || size > 4 * MOST) {
      size += bytes;
      continue;
    }
    const content = await readFile(path).catch((error: unknown) => {
      throw unreadable(file, error);
    });
    size += inBase64((await promisify(gzip)(content)).length);
  }
  return size;
}

const inBase64 = (bytes: number): number => Math.ceil(bytes / 3) * 4;

function unreadable(file: string, error: unknown): OpSdkError {
  const message = `cannot read ${file}: ${errnoText(error)}`;
  return new OpSdkError({ code: 'io/cannot-read', message, where: { file } });
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
