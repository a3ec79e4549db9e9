import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { runBundleFlags, runBundleArgument } from '../flags/olm-flags.ts';

/** `op-sdk run bundle`. */
export const command = defineCommand({
  arguments: [runBundleArgument],
  flags: {
    ...runBundleFlags,
    'install-mode': flag.text(
      'mode',
      'OLM v0: AllNamespaces, OwnNamespace, SingleNamespace=NAMESPACE or MultiNamespace=NAMESPACE,NAMESPACE (default: that of the OperatorGroup, else the first that the bundle supports)',
    ),
  },
  help: `
Validates the bundle, pushes a catalogue with it, and has OLM install it: OLM v0 by a CatalogSource, an OperatorGroup and a
Subscription, whose InstallPlan is approved if it installs this bundle alone; OLM v1 by a ClusterCatalog and a
ClusterExtension. Then waits until the operator runs, and says what is being waited for. If it does not come up, the
error names the cause, and everything stays for you to look at. op-sdk cleanup removes it.`,
});
