import { defineCommand } from '../command.ts';
import { olmFlags } from '../flags/olm-flags.ts';

/** `op-sdk olm status`. */
export const command = defineCommand({
  flags: {
    ...olmFlags({
      olm: 'those on the cluster',
      version: 'that on the cluster',
      timeout: 'wait so long for OLM to be healthy (default: do not wait)',
    }),
  },
  help: `
Shows which OLM the cluster has, in which version, each object of its release, and its catalogues. Exits 1 if OLM is not
there, or an object is missing or unhealthy. A catalogue that is not served is a warning.

The objects are those of the manifests of the release. If these cannot be downloaded, the objects that every release has
are shown.`,
});
