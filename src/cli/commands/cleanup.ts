import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { serverDryRunFlag } from '../flags/common.ts';
import { olmFlag } from '../flags/olm-flags.ts';

/** `op-sdk cleanup`. */
export const command = defineCommand({
  arguments: [['<package>', "the name of the operator's package, as its bundle has it"]],
  flags: {
    ...olmFlag,
    namespace: flag.text('name', 'where the operator runs (default: the namespace of the context)', {
      short: 'n',
    }),
    'delete-crds': flag.boolean('OLM v0: delete its CustomResourceDefinitions too'),
    'delete-operator-groups': flag.boolean(
      'OLM v0: delete the OperatorGroup of `run bundle` too, if no other operator needs it',
    ),
    'delete-all': flag.boolean('both'),
    yes: flag.boolean('delete custom resources without asking'),
    force: flag.boolean('continue although custom resources have finalizers'),
    timeout: flag.text('duration', 'how long to wait for each step (default: 2m)'),
    ...clusterFlags,
    ...serverDryRunFlag,
  },
  help: `
Deletes an operator that op-sdk run bundle or operator-sdk run bundle has installed, in order: the Subscription, the
operator and what OLM v0 leaves of it (ClusterRoles), the catalogue. OLM v0 keeps the CustomResourceDefinitions and their
objects; OLM v1 deletes them with the operator. Custom resources go first, while the operator still runs. If there are
any, op-sdk lists them and asks on a terminal; without a terminal it needs --yes.`,
});
