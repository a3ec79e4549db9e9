import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { OpSdkError } from '../../../errors/index.ts';
import { errnoOf, errnoText } from '../../../util/fs.ts';
import type { PlacedObject } from '../../../util/manifest-object.ts';
import type { CliContext } from '../../command.ts';

/** What {@link manifestFlag} parses. */
export interface ManifestOptions {
  readonly filename?: string;
}

/** Declares `-f, --filename`: objects from a file or from standard input instead of a kustomization. */
export function manifestFlag(command: Command): Command {
  return command.option('-f, --filename <file>', 'take the objects from this file, - for standard input');
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
    const { readManifest } = await import('../../../util/manifest-object.ts');
    const text = filename === '-' ? await context.readStdin() : await textOf(context.cwd, filename);
    return readManifest(text, filename);
  }
  const { renderKustomization } = await import('../../../kustomize/index.ts');
  return renderKustomization(folder, { cwd: context.cwd, pipeInto });
}

async function textOf(cwd: string, file: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    const missing = errnoOf(error) === 'ENOENT';
    throw new OpSdkError(
      {
        code: missing ? 'io/not-found' : 'io/cannot-read',
        message: missing ? `${file} does not exist` : `${file} cannot be read: ${errnoText(error)}`,
        where: { file },
      },
      { cause: error },
    );
  }
}
