import { join } from 'node:path';
import { pathExists } from '../../util/fs.ts';

/** The package managers by their lock files. */
const managers: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
};

/**
 * The package manager of a project, recognized by its lock file.
 * @returns `lockFiles`: all that are there, relative to the project; `name`: the manager of the first, npm if there is none
 */
export async function packageManagerOf(
  root: string,
): Promise<{ readonly name: string; readonly lockFiles: readonly string[] }> {
  const lockFiles: string[] = [];
  for (const file of Object.keys(managers)) if (await pathExists(join(root, file))) lockFiles.push(file);
  return { name: managers[lockFiles[0] ?? ''] ?? 'npm', lockFiles };
}
