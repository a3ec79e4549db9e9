import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { booleanFlag, dryRunFlag, moreHelp, negatedFlag } from '../flags/common.ts';

/** `op-sdk import crd`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command.argument('[source...]', 'files, folders, https URLs, or - for standard input');
    command.option(
      '--from-cluster <name>',
      'a CRD that is installed, such as certificates.cert-manager.io; may be repeated',
      (name: string, before: readonly string[] = []) => [...before, name],
    );
    clusterFlags(command);
    command.option('--output-dir <folder>', 'where the types go (default: src/api)');
    booleanFlag(command, 'client-only', 'types and tokens for clients; no CRD is generated from them', false);
    negatedFlag(command, 'verify', 'do not check that generating gives the same CRDs back');
    booleanFlag(command, 'allow-loss', 'write also what does not give the same CRD back', false);
    booleanFlag(command, 'force', 'overwrite files that exist', false);
    dryRunFlag(command);
    moreHelp(
      command,
      `
Writes <output-dir>/<group>/<version>/<kind>.ts for each version of each CustomResourceDefinition. From these files
\`op-sdk generate manifests\` gives the same definitions back; before anything is written, this is checked.`,
    );
  },
  run: () => import('../actions/import-crd.ts'),
};
