import type { Command } from 'commander';
import { OpSdkError } from '../../../errors/index.ts';
import type { PlacedObject } from '../../../yaml/manifest-object.ts';
import type { CliContext } from '../../command.ts';

/** What {@link manifestFlag} parses. */
export interface ManifestOptions {
  readonly filename?: readonly string[];
}

/** Declares `-f, --filename`: objects from files or from standard input instead of a kustomization. */
export function manifestFlag(command: Command): Command {
  return command.option(
    '-f, --filename <file>',
    'take the objects from a file, a folder, or standard input (-); may be repeated',
    (file: string, before: readonly string[] = []) => [...before, file],
  );
}

/**
 * The objects that a command works on: those of `--filename`, else those of a kustomization of the project.
 *
 * @param folder relative to the folder of the command
 * @param pipeInto the command that takes the output of the real kustomize
 * @throws OpSdkError with all findings
 */
export async function manifestInput(
  context: CliContext,
  { filename }: ManifestOptions,
  { folder, pipeInto }: { readonly folder: string; readonly pipeInto: string },
): Promise<readonly PlacedObject[]> {
  if (filename !== undefined) {
    const { readObjects } = await import('./read-objects.ts');
    return notEmpty(await readObjects(context, '--filename', filename), '--filename');
  }
  const { renderKustomization } = await import('../../../kustomize/index.ts');
  return renderKustomization(folder, { cwd: context.cwd, pipeInto });
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
