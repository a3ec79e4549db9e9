import type { CommandModule } from '../command.ts';
import { moreHelp } from '../flags/common.ts';
import { olmFlags } from '../flags/olm-flags.ts';

/** `op-sdk olm status`. */
export const command: CommandModule = {
  configure(command) {
    olmFlags(command, {
      olm: 'those on the cluster',
      version: 'that on the cluster',
      timeout: 'wait so long for OLM to be healthy (default: do not wait)',
    });
    moreHelp(
      command,
      `
Shows which OLM the cluster has, in which version, each object of its release, and its catalogues. Exits 1 if OLM is not
there, or an object is missing or unhealthy. A catalogue that is not served is a warning.

The objects are those of the manifests of the release. If these cannot be downloaded, the objects that every release has
are shown.`,
    );
  },
  run: () => import('../actions/olm-status.ts'),
};
