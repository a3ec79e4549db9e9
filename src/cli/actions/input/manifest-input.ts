import { OpSdkError } from '../../../base/errors/index.ts';
import { renderKustomization, type RenderOptions } from '../../../kubernetes/kustomize/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import type { ManifestOptions } from '../../flags/manifest-flag.ts';
import { readObjects } from './read-objects.ts';

/**
 * The objects that a command works on: those of `--filename`, else those of a kustomization of the project.
 *
 * @param folder relative to the folder of the command
 * @param options.pipeInto the command that takes the output of the real kustomize
 * @throws OpSdkError with all findings
 */
export async function manifestInput(
  context: CliContext,
  { filename }: ManifestOptions,
  {
    folder,
    ...options
  }: { readonly folder: string; readonly pipeInto: string } & Pick<RenderOptions, 'onWarning'>,
): Promise<readonly PlacedObject[]> {
  if (filename !== undefined) {
    return notEmpty(await readObjects(context, '--filename', filename), '--filename');
  }
  return renderKustomization(folder, { cwd: context.cwd, ...options });
}

/** An empty pipe means that what was to fill it has failed. */
function notEmpty(objects: readonly PlacedObject[], flag: string): readonly PlacedObject[] {
  if (objects.length > 0) return objects;
  throw new OpSdkError({
    code: 'cluster/no-objects',
    message: `${flag} gives no objects`,
    where: { flag },
    fix: ['look at what the command before the pipe says, or name another file'],
  });
}
