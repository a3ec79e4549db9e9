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

/** The package that a command works on, and its project, if there is one. */
export interface PackageOf {
  readonly packageName: string;
  /** Undefined too in the project of another tool. */
  readonly project: LoadedProject | undefined;
  /** The plugin keys of the project, also of one that another tool made. */
  readonly layout: readonly string[];
}

/**
 * Determines the package: `--package`, otherwise the project's name.
 *
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
