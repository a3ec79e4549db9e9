import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { booleanFlag, moreHelp } from '../flags/common.ts';

/** `op-sdk rbac audit`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('<command...>', 'the tests of the operator, after --');
    command.addOption(
      new Option('--fail-on <what>', 'exit 1 for forbidden requests, or for unused permissions too')
        .choices(['forbidden', 'unused'])
        .default('forbidden'),
    );
    command.option(
      '--kubernetes-version <version>',
      'Kubernetes version of the control plane (default: the one op-sdk is tested with)',
    );
    booleanFlag(command, 'controller-manager', 'run kube-controller-manager from the beginning', false);
    moreHelp(
      command,
      `
Runs COMMAND against a control plane of its own, with the operator as its ServiceAccount, and reports which requests were
forbidden and which permissions of the generated role were never used:
  op-sdk rbac audit -- npm run test:integration
  op-sdk rbac audit -- npx vitest run --project integration --no-file-parallelism

COMMAND gets the operator's kubeconfig in KUBECONFIG, the administrator's in OPSDK_ADMIN_KUBECONFIG.
startControlPlane of opsdk/testing joins the control plane: give its operatorKubeconfig to the operator, and its
kubeconfig to the test. Requests of the administrator are not judged.

The exit code is 0 if nothing was forbidden and COMMAND succeeded (see --fail-on), else 1; 2 for wrong usage.`,
    );
  },
  run: () => import('../actions/rbac-audit.ts'),
};
