import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { OpSdkError } from '../../errors/index.ts';
import { errnoText } from '../../util/fs.ts';
import { MOST_BYTES } from './read-text.ts';
import type { LoadedBundle, Report } from './types.ts';

/** What a ConfigMap takes, in which OLM unpacks a bundle. Source: operator-framework/api `pkg/validation/internal/bundle.go`. */
const MOST = 1024 * 1024;
const WARN_FROM = 0.85;
/** Of files and folders; a larger folder is not a bundle. */
const MOST_ENTRIES = 5000;

interface Size {
  whole: number;
  compressed: number;
  entries: number;
}

/**
 * How much room the bundle takes in OLM: each file compressed and in base64. Counts all that lies in the folder, as what is
 * in it goes into the image.
 */
export async function checkBundleSize({ path, dir }: LoadedBundle, report: Report): Promise<void> {
  const size: Size = { whole: 0, compressed: 0, entries: 0 };
  await measure(path, dir, size);
  const place = { file: dir };
  const figures = `${kilobytes(size.compressed)} compressed (${kilobytes(size.whole)} as it is)`;
  const fix = 'take out what OLM does not need, such as docs; shorten the descriptions of the CRDs';
  if (size.compressed > MOST) {
    const message = `the bundle has ${figures}; OLM takes up to ${kilobytes(MOST)}`;
    report.error('bundle/too-large', place, message, fix);
  } else if (size.compressed > MOST * WARN_FROM) {
    const message = `the bundle has ${figures}, close to the ${kilobytes(MOST)} that OLM takes`;
    report.warn('bundle/nearly-too-large', place, message, fix);
  }
}

async function measure(path: string, shown: string, size: Size): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(shown, error);
  });
  for (const entry of entries) {
    if (++size.entries > MOST_ENTRIES) return;
    const inner = join(path, entry.name);
    const innerShown = join(shown, entry.name);
    if (entry.isDirectory()) await measure(inner, innerShown, size);
    else if (entry.isFile()) await measureFile(inner, innerShown, size);
  }
}

async function measureFile(path: string, shown: string, size: Size): Promise<void> {
  const { size: bytes } = await stat(path);
  size.whole += bytes;
  // A file this large is too large however it is compressed.
  if (bytes > 4 * MOST_BYTES) size.compressed += bytes;
  // Enough is known, and there may be much more to read.
  if (size.compressed > 4 * MOST || bytes > 4 * MOST_BYTES) return;
  const content = await readFile(path).catch((error: unknown) => {
    throw unreadable(shown, error);
  });
  const zipped = await promisify(gzip)(content);
  size.compressed += Math.ceil(zipped.length / 3) * 4;
}

function unreadable(file: string, error: unknown): OpSdkError {
  const message = `cannot read ${file}: ${errnoText(error)}`;
  return new OpSdkError({ code: 'io/cannot-read', message, where: { file } });
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
