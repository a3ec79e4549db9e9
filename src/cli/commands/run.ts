import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { inspectFlags } from '../flags/project-flags.ts';

/** `op-sdk run`. */
export const command = defineCommand({
  arguments: [['[flags...]', 'flags for the operator, after --']],
  flags: {
    watch: flag.boolean('bundle and start the operator again when a source changes'),
    'as-service-account': flag.boolean(
      "run with the rights of the operator's ServiceAccount, which is applied with its roles first",
    ),
    ...inspectFlags,
    'webhook-host': flag.text(
      'address',
      'the address by which the API server reaches this machine, for webhooks (default: it does not)',
    ),
    ...clusterFlags,
    'dry-run': flag.boolean('check everything, build nothing, run nothing'),
  },
  help: `
Bundles the operator and runs it on this machine, against the cluster of your kubeconfig, until it exits
or you press Ctrl-C; op-sdk exits with its exit code. Metrics are on :8080, probes on :8081. Flags for the operator follow --:
  op-sdk run -- --metrics-bind-address=:9090 --namespace=default

The cluster must have the CRDs of the project:
  op-sdk install

With --as-service-account the Namespace, the ServiceAccount, the roles and the bindings of config/default are applied,
and the operator gets a token of that account: what its roles forbid fails here as it would in the cluster.

With --webhook-host, the API server asks this machine for the webhooks of config/webhook and the conversions of CRDs; in the
end they are as before. Without it, and with ENABLE_WEBHOOKS=false, the operator runs without webhooks.

With --watch, manifests are generated too, and CRDs on the cluster that no longer fit are reported; op-sdk dev
also installs them.`,
});
