import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import type { OpenBundle } from './open-image.ts';

/**
 * Opens what an argument of `bundle validate` names: a folder that exists, or an image. What is neither is left to the validators.
 * @throws OpSdkError `oci/…`
 */
export async function openBundle(
  context: CliContext,
  text: string,
  flags: RegistryFlags,
): Promise<OpenBundle> {
  const folder = { dir: text, [Symbol.asyncDispose]: async () => undefined };
  const entry = await stat(resolve(context.cwd, text)).catch(() => undefined);
  if (entry?.isDirectory() === true) return folder;
  // Folders are validated without loading what speaks to registries.
  const { openImage } = await import('./open-image.ts');
  return (await openImage(context, text, flags)) ?? folder;
}
