import { delimiter, join } from 'node:path';
import { pathExists } from '../../../base/util/fs.ts';
import { defineCheck, ok, problem, warning } from '../check.ts';
import { packageManagerOf } from '../package-manager.ts';

const endings = process.platform === 'win32' ? ['.cmd', '.exe', '.ps1'] : [''];

/** Checks that the project says which package manager it uses, and that one is here. */
export const packageManager = defineCheck({
  name: 'package-manager',
  needs: ['project'],
  async run({ project: { root } }, { env }) {
    const { name, lockFiles } = packageManagerOf(root);
    if (!(await isOnPath(name, env['PATH'] ?? env['Path'] ?? '')))
      return problem('cluster/no-package-manager', `${name} was not found on the PATH`, `install ${name}`);
    if (lockFiles.length > 1) {
      const message = `there are lock files of several package managers: ${lockFiles.join(', ')}`;
      return warning(
        'cluster/lock-file',
        message,
        'delete all but the one of the package manager that you use',
      );
    }
    if (lockFiles.length === 0) {
      const message = 'no lock file was found: images and CI install from it';
      return warning('cluster/lock-file', message, `${name} install, and commit its lock file`);
    }
    return ok(`${name}, with ${lockFiles.join()}`);
  },
});

async function isOnPath(name: string, path: string): Promise<boolean> {
  for (const folder of path.split(delimiter).filter((part) => part !== '')) {
    for (const ending of endings) if (await pathExists(join(folder, `${name}${ending}`))) return true;
  }
  return false;
}
