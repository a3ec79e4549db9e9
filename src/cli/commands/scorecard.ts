import { Option, type Command } from 'commander';
import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { booleanFlag, moreHelp } from '../flags/common.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { xunit } from '../flags/words.ts';

/** `op-sdk scorecard`. */
export const command: CommandModule = {
  formats: [xunit],
  configure(command) {
    command.argument('[bundle]', 'the folder of the bundle, an image, or oci:DIR (default: bundle)');
    booleanFlag(
      command,
      'local',
      'run nothing on a cluster: tests of other images get the state error',
      false,
    );
    command.option('-c, --config <file>', 'the configuration (default: the one of the bundle)');
    command.option('-l, --selector <selector>', 'run the tests with these labels: suite=olm, test in (a,b)');
    shortBoolean(command, '-L', 'list', 'list the tests that are selected, run nothing');
    command.option('-n, --namespace <name>', 'where Pods run (default: the namespace of the kubeconfig)');
    command.option(
      '-s, --service-account <name>',
      "the ServiceAccount of Pods (default: the configuration's, else default)",
    );
    command.option('-w, --wait-time <duration>', 'how long each Pod may take (default: 30s)');
    shortBoolean(command, '-x', 'skip-cleanup', 'leave the Pods and the ConfigMap on the cluster');
    command.option(
      '-u, --untar-image <image>',
      "unpacks the bundle in Pods by its tar (default: operator-sdk's scorecard-untar)",
    );
    command.addOption(
      new Option('--pod-security <level>', 'restricted: as the Pod Security Standard demands')
        .choices(['legacy', 'restricted'])
        .default('legacy'),
    );
    clusterFlags(command);
    pullFlags(command);
    moreHelp(
      command,
      `
Runs the tests that the configuration of the bundle lists, in its stages. Those of operator-sdk's
image scorecard-test read files only and run in this process, with the same verdicts:
basic-check-spec, olm-bundle-validation, olm-crds-have-validation, olm-crds-have-resources,
olm-spec-descriptors, olm-status-descriptors. No cluster is needed for them.

A test of another image runs in a Pod, as operator-sdk does it: the bundle lies in /bundle, the
namespace is in SCORECARD_NAMESPACE, and the log is one JSON document with the results. A Pod that
crashes, prints something else, or does not end in time gives a result with the state error and
the cause. Everything is checked by dry runs before anything is created, and deleted at the end,
also after Ctrl-C. The exit code is 1 if a test does not pass.

  -o json     the TestList of operator-sdk
  -o ${xunit}    JUnit's XML, as operator-sdk writes it`,
    );
  },
  run: () => import('../actions/scorecard.ts'),
};

/** A boolean flag with a short form. */
function shortBoolean(command: Command, short: string, name: string, description: string): void {
  const option = new Option(`${short}, --${name}`, description);
  command.addOption(option).addOption(new Option(`--no-${name}`).hideHelp());
  // The hidden form would change the default.
  command.setOptionValueWithSource(option.attributeName(), false, 'default');
}
