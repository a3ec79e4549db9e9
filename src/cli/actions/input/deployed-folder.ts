import { OpSdkError } from '../../../base/errors/index.ts';
import { layout, loadProject } from '../../../project/project/index.ts';
import type { CliContext } from '../../command.ts';
import { exclusiveFlags } from './flag-values.ts';

/**
 * The folder of the kustomization that `deploy`, `undeploy` and `build-installer` work on; of no account with `--filename`.
 *
 * @throws OpSdkError `project/not-found` where the default is meant outside a project, `cli/invalid-value`
 */
export async function deployedFolder(
  { cwd }: CliContext,
  { dir, filename }: { readonly dir?: string; readonly filename?: readonly string[] },
): Promise<string> {
  if (dir !== undefined && filename !== undefined) {
    throw new OpSdkError(exclusiveFlags('--dir', '--filename'));
  }
  if (dir === undefined && filename === undefined) await loadProject(cwd);
  return dir ?? layout.defaultConfig;
}
