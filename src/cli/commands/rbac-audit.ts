import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';

/** `op-sdk rbac audit`. */
export const command = defineCommand({
  arguments: [['<command...>', 'the tests of the operator, after --']],
  flags: {
    'fail-on': flag.choice(
      'what',
      ['forbidden', 'unused'],
      'exit 1 for forbidden requests, or for unused permissions too',
      { default: 'forbidden' },
    ),
    'kubernetes-version': flag.text(
      'version',
      'Kubernetes version of the control plane (default: the one op-sdk is tested with)',
    ),
    'controller-manager': flag.boolean('run kube-controller-manager from the beginning'),
  },
  help: `
Runs COMMAND against a control plane of its own, with the operator as its ServiceAccount, and reports which requests were
forbidden and which permissions of the generated role were never used:
  op-sdk rbac audit -- npm run test:integration
  op-sdk rbac audit -- npx vitest run --project integration --no-file-parallelism

COMMAND gets the operator's kubeconfig in KUBECONFIG, the administrator's in OPSDK_ADMIN_KUBECONFIG.
startControlPlane of opsdk/testing joins the control plane: give its operatorKubeconfig to the operator, and its
kubeconfig to the test. Requests of the administrator are not judged.

The exit code is 0 if nothing was forbidden and COMMAND succeeded (see --fail-on), else 1; 2 for wrong usage.`,
});
