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
      'an installed CRD, such as certificates.cert-manager.io; may be repeated',
      (name: string, before: readonly string[] = []) => [...before, name],
    );
    clusterFlags(command);
    command.option('--output-dir <folder>', 'the folder of the types (default: src/api)');
    booleanFlag(command, 'client-only', 'types and tokens for clients; no CRD is generated from them', false);
    negatedFlag(command, 'verify', 'do not check that the types generate the same CRDs');
    booleanFlag(command, 'allow-loss', 'also write types that do not generate the same CRD', false);
    booleanFlag(command, 'force', 'overwrite files that exist', false);
    dryRunFlag(command);
    moreHelp(
      command,
      `
Writes <output-dir>/<group>/<version>/<kind>.ts for each version of each CustomResourceDefinition. From these files
\`op-sdk generate manifests\` generates the same definitions; this is checked before anything is written.`,
    );
  },
  run: () => import('../actions/import-crd.ts'),
};
