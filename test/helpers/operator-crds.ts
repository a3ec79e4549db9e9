import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, repository } from '../unit/compiler/manifests/project-folder.ts';
import { runCli } from './run-cli.ts';

/**
 * Generates the CRDs of an operator in `test/operators`, as its user would, from the kinds in its folder `api`.
 * @param use gets the folder of the CRDs, which is removed afterwards
 */
export async function withOperatorCrds<T>(operator: string, use: (crds: string) => Promise<T>): Promise<T> {
  const project = projectFolder();
  try {
    cpSync(join(repository, 'test/operators', operator, 'api'), join(project.dir, 'src/api'), {
      recursive: true,
    });
    const run = await runCli(['generate', 'manifests', '--only', 'crd'], { cwd: project.dir });
    if (run.code !== 0) throw new Error(run.stderr);
    return await use(join(project.dir, 'config/crd/bases'));
  } finally {
    project.remove();
  }
}
