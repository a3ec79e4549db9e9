import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { booleanFlag, moreHelp, serverDryRunFlag } from '../flags/common.ts';
import { olmFlag } from '../flags/run-bundle-flags.ts';

/** `op-sdk cleanup`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('<package>', "the name of the operator's package, as its bundle has it");
    olmFlag(command);
    command.option(
      '-n, --namespace <name>',
      'where the operator runs (default: the namespace of the context)',
    );
    booleanFlag(command, 'delete-crds', 'OLM v0: delete its CustomResourceDefinitions too', false);
    booleanFlag(
      command,
      'delete-operator-groups',
      'OLM v0: delete the OperatorGroup of `run bundle` too, if no other operator needs it',
      false,
    );
    booleanFlag(command, 'delete-all', 'both', false);
    booleanFlag(command, 'yes', 'delete custom resources without asking', false);
    booleanFlag(command, 'force', 'continue although custom resources have finalizers', false);
    command.addOption(new Option('--timeout <duration>', 'how long to wait for each step (default: 2m)'));
    clusterFlags(command);
    serverDryRunFlag(command);
    moreHelp(
      command,
      `
Deletes an operator that op-sdk run bundle or operator-sdk run bundle has installed, in order: the Subscription, the
operator and what OLM v0 leaves of it (ClusterRoles), the catalogue. OLM v0 keeps the CustomResourceDefinitions and their
objects; OLM v1 deletes them with the operator. Custom resources go first, while the operator still runs. If there are
any, op-sdk lists them and asks on a terminal; without a terminal it needs --yes.`,
    );
  },
  run: () => import('../actions/cleanup.ts'),
};
