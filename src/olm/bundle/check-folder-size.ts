import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { leadsInside } from '../../base/util/leads-inside.ts';
import { yamlLimits } from '../../kubernetes/yaml/limits.ts';
import { MOST_FILES } from './validate/limits.ts';

/**
 * Refuses a bundle's folder that holds more than a bundle can: what stays in it is looked at, file by file, and copied to where the planned
 * bundle is judged.
 *
 * @param root absolute
 * @param folder the bundle's folder, which need not exist, relative to `root`, with forward slashes
 * @throws OpSdkError `io/too-large`, `bundle/unexpected-file`
 */
export async function checkFolderSize(root: string, folder: string): Promise<void> {
  const total = { bytes: 0, files: 0 };
  for (const part of ['manifests', 'metadata', 'tests', 'tests/scorecard']) {
    const path = join(root, folder, part);
    const entry = await lstat(path).catch(() => undefined);
    // Only a link leads to what has not been counted with the folder above it.
    if (entry === undefined || (part.includes('/') && !entry.isSymbolicLink())) continue;
    if (await leadsInside(root, path).catch(() => false)) await add(await realpath(path), folder, total);
  }
}

async function add(path: string, folder: string, total: { bytes: number; files: number }): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await add(inner, folder, total);
    if (!entry.isFile()) continue;
    total.files += 1;
    total.bytes += (await lstat(inner)).size;
    if (total.files > MOST_FILES)
      throw tooLarge('bundle/unexpected-file', folder, `more than ${MOST_FILES} files`);
    if (total.bytes > yamlLimits.bytes)
      throw tooLarge('io/too-large', folder, `more than ${yamlLimits.bytes / 1024 / 1024} MiB`);
  }
}

function tooLarge(code: 'io/too-large' | 'bundle/unexpected-file', folder: string, what: string): OpSdkError {
  return new OpSdkError({
    code,
    message: `${folder} holds ${what}, which no bundle does`,
    where: { file: folder },
    fix: ['remove what does not belong into the bundle', 'or write it into another folder: --output-dir'],
  });
}
