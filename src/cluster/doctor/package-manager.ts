import { packageManagersIn } from '../../project/project/index.ts';

/**
 * The package manager of a project, recognized by its lock file.
 * @returns `lockFiles`: all that are there, relative to the project; `name`: the manager of the first, npm if there is none
 */
export function packageManagerOf(root: string): {
  readonly name: string;
  readonly lockFiles: readonly string[];
} {
  const managers = packageManagersIn(root);
  return { name: managers[0]?.name ?? 'npm', lockFiles: managers.map(({ lockFile }) => lockFile) };
}
