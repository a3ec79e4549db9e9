import type { Platform } from '../../../images/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';

/** Returns a function that asks registries for the platforms of images, for each image of a run once. */
export function platformsOf(
  context: CliContext,
  flags: RegistryFlags,
): (image: string) => Promise<readonly Platform[]> {
  const asked = new Map<string, Promise<readonly Platform[]>>();
  return (image) => {
    const known = asked.get(image);
    if (known !== undefined) return known;
    // Other validators run without loading what speaks to registries.
    const answer = import('./read-platforms.ts').then(({ readPlatforms }) =>
      readPlatforms(context, image, flags),
    );
    asked.set(image, answer);
    return answer;
  };
}
