import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { inspectFlags } from '../flags/project-flags.ts';

/** `op-sdk dev`. */
export const command = defineCommand({
  arguments: [['[flags...]', 'flags for the operator, after --']],
  flags: {
    samples: flag.boolean('apply config/samples, and again when a sample changes'),
    'as-service-account': flag.negated(
      'run the operator as the user of the kubeconfig, not with its own roles',
      { unset: true },
    ),
    ui: flag.boolean('serve a page that shows what the operator does'),
    ...inspectFlags,
    'webhook-host': flag.text(
      'address',
      'the address by which the API server reaches this machine, for webhooks (default: it does not)',
    ),
    'kubernetes-version': flag.text(
      'version',
      'Kubernetes version of the control plane (default: the one op-sdk is tested with)',
    ),
    kubeconfig: flag.text('file', 'use the cluster of this kubeconfig file, not a control plane of its own'),
    context: flag.text('name', 'use the cluster of this context of the kubeconfig'),
    'dry-run': flag.boolean('say what would be done, start nothing'),
  },
  help: `
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
});
