import type { CommandModule } from '../command.ts';
import { booleanFlag, moreHelp, negatedFlag } from '../flags/common.ts';
import { inspectFlags } from '../flags/inspect-flags.ts';

/** `op-sdk dev`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[flags...]', 'flags for the operator, after --');
    booleanFlag(command, 'samples', 'apply config/samples, and again when a sample changes', false);
    negatedFlag(
      command,
      'as-service-account',
      'run the operator as the user of the kubeconfig, not with its own roles',
    );
    booleanFlag(command, 'ui', 'serve a page that shows what the operator does', false);
    inspectFlags(command);
    command.option(
      '--webhook-host <address>',
      'the address by which the API server reaches this machine, for webhooks (default: it does not)',
    );
    command
      .option(
        '--kubernetes-version <version>',
        'Kubernetes version of the control plane (default: the one op-sdk is tested with)',
      )
      .option(
        '--kubeconfig <file>',
        'use the cluster of this kubeconfig file, not a control plane of its own',
      )
      .option('--context <name>', 'use the cluster of this context of the kubeconfig');
    booleanFlag(command, 'dry-run', 'say what would be done, start nothing', false);
    moreHelp(
      command,
      `
Starts a control plane, installs the CRDs of the project there and runs the operator on this machine. When a
source changes, it generates the manifests and bundles the operator again, brings the CRDs up to date and starts the operator
again. Sources with errors are reported, and the last good operator keeps running. Changes of objects of the
project's kinds are printed as they happen.

The operator runs with the rights of its ServiceAccount: the roles of config/default are applied, and again when they
change, so that a missing rule shows here.

The control plane is empty at the start, and what it stores is lost at the end; KUBECONFIG is not looked at. With
--kubeconfig or --context, the CRDs, the ServiceAccount with its roles (and samples, if you ask for them) are applied
to that cluster and stay there.

Webhooks and conversions are served from this machine. Another cluster needs --webhook-host for that; without it, and with
ENABLE_WEBHOOKS=false, the operator runs without webhooks.

With --ui the address of a page is printed: objects and their conditions, reconciles with what led to them, queues, Events and
refused requests, as they happen. It is served on this machine alone.

Metrics are on :8080, probes on :8081. Flags for the operator follow --:
  op-sdk dev --samples -- --log-level=debug`,
    );
  },
  run: () => import('../actions/dev.ts'),
};
