import { flag } from './flag.ts';
import { registryFlags, type RegistryFlags } from './registry-flags.ts';

/** Flags of a command that packages a chart and gives it to others. */
export const distributionFlags = {
  package: flag.boolean('write dist/NAME-VERSION.tgz, as helm package does'),
  push: flag.text('oci://host/path', 'push the package to a registry, as helm push does'),
  'repository-index': flag.text('folder', 'write the package into a folder, and add it to index.yaml there'),
  url: flag.text('url', 'the address of the folder of --repository-index (default: beside index.yaml)'),
  ...registryFlags,
};

/** Values of {@link distributionFlags}. */
export interface DistributionOptions extends RegistryFlags {
  readonly package?: boolean | undefined;
  readonly push?: string | undefined;
  readonly repositoryIndex?: string | undefined;
  readonly url?: string | undefined;
}
