import { imagePlatforms, parseReference, type Platform, pullImage } from '../../../images/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { registryOptions } from '../images/registry-options.ts';

/**
 * Asks a registry for the platforms on which an image runs.
 * @throws OpSdkError `oci/…`
 */
export async function readPlatforms(
  context: CliContext,
  image: string,
  flags: RegistryFlags,
): Promise<readonly Platform[]> {
  context.report.step(`inspecting ${image}`);
  return imagePlatforms(await pullImage(parseReference(image), registryOptions(context, flags)), image);
}
