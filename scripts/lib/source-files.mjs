import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './run.mjs';

/** The hand-written TypeScript files of src, relative to it, with forward slashes. */
export function handWrittenSources() {
  const source = join(root, 'src');
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.includes('generated/'));
}
