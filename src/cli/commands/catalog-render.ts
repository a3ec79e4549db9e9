import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags } from '../flags/registry-flags.ts';

/** `op-sdk catalog render`. */
export const command = defineCommand({
  formats: ['yaml'],
  arguments: [
    [
      '<source...>',
      'folders and images of bundles, catalogues (folders, files, images), templates; oci:DIR for a layout',
    ],
  ],
  flags: {
    image: flag.text(
      'reference',
      'the image of bundles that are folders; {{.Package}}, {{.Name}} and {{.Version}} are replaced',
    ),
    ...pullFlags,
  },
  help: `
Prints all of it as one file-based catalogue, in the form and the order of opm: packages, channels,
bundles with their properties and related images. A file with schema: olm.semver is a template: its
channels follow from the versions of its bundles. Nothing is pulled of the image of a catalogue but
the layers that may have its files.

  -o yaml   documents of YAML (default)
  -o json   objects of JSON, one after the other`,
});
