import { defineCommand } from '../command.ts';
import { serverDryRunFlag } from '../flags/common.ts';
import { olmFlags } from '../flags/olm-flags.ts';

/** `op-sdk olm install`. */
export const command = defineCommand({
  flags: {
    ...olmFlags({
      olm: 'v0',
      version: '0.46.0 of v0, 1.11.0 of v1',
      timeout: 'how long to wait for OLM to run (default: 5m)',
    }),
    ...serverDryRunFlag,
  },
  help: `
Applies the manifests of a release of OLM: CustomResourceDefinitions first, the rest once they are served. Then waits until
its operators run: of v0 also its package server, of v1 the webhook that admits its catalogues. Installing the same
release again changes nothing; another one is refused.

Downloaded files whose SHA-256 op-sdk does not know are shown and asked about on a terminal; without a terminal they need
--sha256, once for each file.

OLM v1 needs cert-manager on the cluster. Without access to GitHub, download the files of the release and name them:
  op-sdk olm install --manifests crds.yaml --manifests olm.yaml`,
});
