import { OpSdkError } from '../../../base/errors/index.ts';
import {
  checkSubdomain,
  layout,
  loadProject,
  readFileOf,
  readForeignProject,
  type LoadedProject,
} from '../../../project/project/index.ts';
import { invalidFlag, missingFlag } from './flag-values.ts';

/** OLM package that a command works on, and the project that the package belongs to, if any. */
export interface PackageOf {
  readonly packageName: string;
  /** Project that the package belongs to. Undefined outside a project, and in a project that another tool created. */
  readonly project: LoadedProject | undefined;
  /** Plugin keys of the project, even if another tool created the project. */
  readonly layout: readonly string[];
}

/**
 * Determines the package name: the value of `--package`, otherwise the project's name.
 * @param takesOthers true if projects of other tools are accepted, for commands that read only layout and name from PROJECT
 * @throws OpSdkError `cli/invalid-value`, `cli/missing-value`, `project/not-found` and the errors of PROJECT
 */
export async function packageOf(
  cwd: string,
  flag: string | undefined,
  takesOthers = false,
): Promise<PackageOf> {
  const problem = flag === undefined ? undefined : checkSubdomain(flag);
  if (problem !== undefined) {
    throw new OpSdkError(
      invalidFlag(
        '--package',
        `--package is ${JSON.stringify(flag)}: ${problem}`,
        'give a name such as memcached-operator',
      ),
    );
  }
  const text = await readFileOf(cwd, layout.projectFile);
  if (flag !== undefined && text === undefined) return { packageName: flag, project: undefined, layout: [] };
  const foreign = takesOthers && text !== undefined ? readForeignProject(text) : undefined;
  if (foreign !== undefined) {
    const packageName = flag ?? foreign.projectName;
    if (packageName !== undefined && checkSubdomain(packageName) === undefined)
      return { packageName, project: undefined, layout: foreign.layout };
    const found = packageName === undefined ? 'none' : JSON.stringify(packageName);
    throw new OpSdkError(
      missingFlag(
        '--package',
        `--package is missing: expected the name of a package in PROJECT as projectName, got ${found}`,
        'give a name such as memcached-operator',
      ),
    );
  }
  const project = await loadProject(cwd);
  return { packageName: flag ?? project.projectName, project, layout: project.layout };
}
