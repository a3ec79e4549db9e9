import type { CommandModule } from '../command.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk catalog render`. */
export const command: CommandModule = {
  formats: ['yaml'],
  configure(command) {
    command.argument(
      '<source...>',
      'folders and images of bundles, catalogues (folders, files, images), templates; oci:DIR for a layout',
    );
    command.option(
      '--image <reference>',
      'the image of bundles that are folders; {{.Package}}, {{.Name}} and {{.Version}} are replaced',
    );
    pullFlags(command);
    moreHelp(
      command,
      `
Prints all of it as one file-based catalogue, in the form and the order of opm: packages, channels,
bundles with their properties and related images. A file with schema: olm.semver is a template: its
channels follow from the versions of its bundles. Nothing is pulled of the image of a catalogue but
the layers that may have its files.

  -o yaml   documents of YAML (default)
  -o json   objects of JSON, one after the other`,
    );
  },
  run: () => import('../actions/catalog-render.ts'),
};
