import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, with a slash at the end. */
export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** A file of the repository: its path from the root, and its text. */
export interface RepositoryFile {
  readonly path: string;
  readonly text: string;
}

/** The files below `folder` (a path from the root) whose path `keep` accepts, ordered by path; generated folders and dependencies excluded. */
export function filesBelow(folder: string, keep: (path: string) => boolean): RepositoryFile[] {
  const entries = readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repositoryRoot.length).replaceAll('\\', '/'))
    .filter((path) => !/(?:^|\/)(?:generated|node_modules)\//.test(path) && keep(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), 'utf8') }));
}
