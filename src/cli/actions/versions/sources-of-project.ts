import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { readFileOf } from '../../../project/project/index.ts';

/** Every TypeScript file of a project's sources and tests: its text by its path, relative with forward slashes. */
export async function sourcesOfProject(root: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const folder of ['src', 'test']) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    const paths = entries
      .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => !path.split('/').includes('node_modules'));
    for (const path of paths.sort()) texts.set(path, (await readFileOf(root, path)) ?? '');
  }
  return texts;
}
