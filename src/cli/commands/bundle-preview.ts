import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { selectOptionalFlag } from '../flags/olm-flags.ts';

/** `op-sdk bundle preview`. */
export const command = defineCommand({
  arguments: [['[bundle...]', 'folders of bundles (default: bundle)']],
  flags: {
    'output-dir': flag.text('folder', 'write the pages as files into this folder, and serve nothing'),
    ...selectOptionalFlag,
    ...dryRunFlag,
  },
  help: `
Shows bundles as OperatorHub does: icon, capability level, description, links, maintainers, kinds
with their fields and samples, what the operator may do, channels and their updates, and the
findings of bundle validate beside what they are about. Several bundles get a page with all of
them, which shows how their versions update one another.

The pages are served on 127.0.0.1, at an address that holds a secret, until the command is ended.
They reload when a bundle changes, and load nothing from elsewhere: pictures in descriptions are
links, HTML is reduced to text, headings, lists, tables and links.

With --output-dir the pages are files without scripts, for the site of a project. Files of an
earlier preview are replaced; others are never overwritten. --dry-run is for --output-dir.`,
});
