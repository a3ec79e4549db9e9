import { OpSdkError } from '../../../base/errors/index.ts';
import {
  layout,
  loadProject,
  projectPackageManager,
  type LoadedProject,
} from '../../../project/project/index.ts';
import { packageInfo } from '../../package-info.ts';
import type { CliContext } from '../../command.ts';
import { isOlder } from '../upgrade/versions.ts';

/**
 * Reads the project that a command scaffolds into. An op-sdk that is older than the project's scaffolds would add files of its own version,
 * which the next upgrade takes for edited ones: after an upgrade whose installation is missing, node_modules has such an op-sdk.
 * @throws OpSdkError `project/newer-op-sdk`, and those of `loadProject`
 */
export async function projectToScaffold({
  cwd,
  env,
}: Pick<CliContext, 'cwd' | 'env'>): Promise<LoadedProject> {
  const project = await loadProject(cwd);
  const { version } = packageInfo();
  if (!isOlder(version, project.cliVersion)) return project;
  const manager = projectPackageManager(project.root, env);
  throw new OpSdkError({
    code: 'project/newer-op-sdk',
    message: `expected op-sdk ${project.cliVersion ?? ''} or newer, which scaffolded the project, got ${version}`,
    where: { file: layout.projectFile },
    fix: [
      `install the op-sdk of the project with \`${manager.name} install\`, and run \`${manager.exec} op-sdk\``,
    ],
  });
}
