import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { serverDryRunFlag } from '../flags/common.ts';
import { olmFlags } from '../flags/olm-flags.ts';

/** `op-sdk olm uninstall`. */
export const command = defineCommand({
  flags: {
    ...olmFlags({
      olm: 'the one on the cluster',
      version: 'that on the cluster',
      timeout: 'how long to wait in each step (default: 2m)',
    }),
    yes: flag.boolean('remove OLM without asking'),
    force: flag.boolean('remove also the operators that OLM has installed, and finalizers'),
    ...serverDryRunFlag,
  },
  help: `
Deletes everything that op-sdk olm install applies, and what OLM has made for itself elsewhere. Refuses while Subscriptions,
ClusterServiceVersions or ClusterExtensions exist, and lists them; --force deletes them too. CustomResourceDefinitions of operators that OLM v0
has installed stay.

Asks on a terminal; without a terminal it needs --yes, and --sha256 for each downloaded file that op-sdk does not know.`,
});
