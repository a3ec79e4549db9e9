import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { booleanFlag, dryRunFlag, moreHelp, negatedFlag } from '../flags/common.ts';
import { verifyFlag } from '../flags/verify-flag.ts';

/** `op-sdk generate manifests`. */
export const command: CommandModule = {
  // A watch takes it for each of its runs.
  locksProject: ({ watch }) => (watch === true ? undefined : 'project'),
  configure(command) {
    command.addOption(
      new Option('--only <part>', 'generate one part only').choices(['crd', 'rbac', 'webhook']),
    );
    command.option('--apis-dir <folder>', 'the folder that declares the kinds (default: src)');
    command.option(
      '--output-dir <folder>',
      'write all files into this folder (default: config/crd/bases, config/rbac and config/webhook)',
    );
    booleanFlag(command, 'check', 'write nothing; exit 1 if a file is out of date', false);
    booleanFlag(command, 'stdout', 'print the documents instead of writing them', false);
    dryRunFlag(command);
    booleanFlag(command, 'watch', 'generate again whenever a source changes, until Ctrl-C', false);
    booleanFlag(command, 'strict', 'treat warnings as errors: exit 1, write nothing', false);
    verifyFlag(command);
    clusterFlags(command);
    booleanFlag(
      command,
      'embedded-descriptions',
      'keep the descriptions of built-in Kubernetes types; they make CRDs many times larger',
      false,
    );
    negatedFlag(
      command,
      'cache',
      'generate everything, without the cache (OPSDK_NO_CACHE=1 does the same)',
      true,
    );
    moreHelp(
      command,
      `
Reads the calls of defineResource, defineController, defineWebhook, defineConversion and rbac in src, and writes
  config/crd/bases/<group>_<plural>.yaml   a CustomResourceDefinition for each kind
  config/rbac/role.yaml                    the roles of the operator
  config/webhook/manifests.yaml            the configurations of its webhooks, if there are any`,
    );
  },
  run: () => import('../actions/generate-manifests.ts'),
};
