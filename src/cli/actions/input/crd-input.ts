import { join } from 'node:path';
import { layout, loadProject } from '../../../project/project/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import type { ManifestOptions } from '../../flags/manifest-flag.ts';
import { manifestInput } from './manifest-input.ts';

/**
 * The objects of `op-sdk install` and `uninstall`: those of config/crd.
 *
 * @returns undefined for a project that has no kinds yet
 * @throws OpSdkError with all findings
 */
export async function crdInput(
  context: CliContext,
  options: ManifestOptions,
  command: 'install' | 'uninstall',
): Promise<readonly PlacedObject[] | undefined> {
  if (options.filename === undefined) {
    await loadProject(context.cwd);
    if (!(await pathExists(join(context.cwd, layout.kustomization(layout.crd))))) return undefined;
  }
  return manifestInput(context, options, { folder: layout.crd, pipeInto: `op-sdk ${command} -f -` });
}
