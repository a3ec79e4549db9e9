import { OpSdkError } from '../../../errors/index.ts';
import {
  checkSubdomain,
  layout,
  loadProject,
  readFileOf,
  type LoadedProject,
} from '../../../project/index.ts';

/** The package that a command works on, and its project, if there is one. */
export interface PackageOf {
  readonly packageName: string;
  readonly project: LoadedProject | undefined;
}

/**
 * Decides which package is meant: `--package`, else the project's name.
 * @throws OpSdkError `cli/invalid-value`, `project/not-found` and what is wrong with PROJECT
 */
export async function packageOf(cwd: string, flag: string | undefined): Promise<PackageOf> {
  const problem = flag === undefined ? undefined : checkSubdomain(flag);
  if (problem !== undefined) {
    throw new OpSdkError({
      code: 'cli/invalid-value',
      message: `--package is ${JSON.stringify(flag)}: ${problem}`,
      where: { flag: '--package' },
      fix: ['give a name such as memcached-operator'],
    });
  }
  const isProject = (await readFileOf(cwd, layout.projectFile)) !== undefined;
  if (flag !== undefined && !isProject) return { packageName: flag, project: undefined };
  const project = await loadProject(cwd);
  return { packageName: flag ?? project.projectName, project };
}
