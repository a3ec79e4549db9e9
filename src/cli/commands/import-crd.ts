import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk import crd`. */
export const command = defineCommand({
  locksProject: 'project',
  arguments: [['[source...]', 'files, folders, https URLs, or - for standard input']],
  flags: {
    'from-cluster': flag.list(
      'name',
      'an installed CRD, such as certificates.cert-manager.io; may be repeated',
    ),
    ...clusterFlags,
    'output-dir': flag.text('folder', 'the folder of the types (default: src/api)'),
    'client-only': flag.boolean('types and tokens for clients; no CRD is generated from them'),
    verify: flag.negated('do not check that the types generate the same CRDs', { unset: true }),
    'allow-loss': flag.boolean('also write types that do not generate the same CRD'),
    force: flag.boolean('overwrite files that exist'),
    ...dryRunFlag,
  },
  help: `
Writes <output-dir>/<group>/<version>/<kind>.ts for each version of each CustomResourceDefinition. From these files
\`op-sdk generate manifests\` generates the same definitions; this is checked before anything is written.`,
});
