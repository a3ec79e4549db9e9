import type { ImagePins } from '../../../olm/bundle/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import { formatReference, parseReference } from '../../../images/index.ts';
import { pullImage } from '../../../images/registry/index.ts';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import { registryOptions } from './registry-options.ts';

/**
 * Asks registries for the digests of images. Names that have a digest are left alone, but for a tag beside it.
 * @returns the name as written, and `registry/repository@sha256:…`
 * @throws OpSdkError with what is wrong with each image: `oci/…`
 */
export async function resolveImages(
  context: CliContext,
  images: readonly string[],
  flags: RegistryFlags,
): Promise<ImagePins> {
  const findings = new FindingList();
  const options = registryOptions(context, flags);
  const pins = new Map<string, string>();
  for (const image of images) {
    await findings.gather(async () => {
      const { tag: _tag, ...reference } = parseReference(image);
      if (reference.digest === undefined) context.report.step(`resolving ${image}`);
      const digest = reference.digest ?? (await pullImage(parseReference(image), options)).root.digest;
      pins.set(image, formatReference({ ...reference, digest }));
    });
  }
  findings.throwIfAny();
  return pins;
}
