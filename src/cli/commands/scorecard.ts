import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { xunit } from '../flags/words.ts';

/** `op-sdk scorecard`. */
export const command = defineCommand({
  formats: [xunit],
  arguments: [['[bundle]', 'the folder of the bundle, an image, or oci:DIR (default: bundle)']],
  flags: {
    local: flag.boolean('run nothing on a cluster: tests of other images get the state error'),
    config: flag.text('file', 'the configuration (default: the one of the bundle)', { short: 'c' }),
    selector: flag.text('selector', 'run the tests with these labels: suite=olm, test in (a,b)', {
      short: 'l',
    }),
    list: flag.boolean('list the tests that are selected, run nothing', { short: 'L' }),
    namespace: flag.text('name', 'where Pods run (default: the namespace of the kubeconfig)', { short: 'n' }),
    'service-account': flag.text(
      'name',
      "the ServiceAccount of Pods (default: the configuration's, else default)",
      { short: 's' },
    ),
    'wait-time': flag.text('duration', 'how long each Pod may take (default: 30s)', { short: 'w' }),
    'skip-cleanup': flag.boolean('leave the Pods and the ConfigMap on the cluster', { short: 'x' }),
    'untar-image': flag.text(
      'image',
      "unpacks the bundle in Pods by its tar (default: operator-sdk's scorecard-untar)",
      { short: 'u' },
    ),
    'pod-security': flag.choice(
      'level',
      ['legacy', 'restricted'],
      'restricted: as the Pod Security Standard demands',
      { default: 'legacy' },
    ),
    ...clusterFlags,
    ...pullFlags,
  },
  help: `
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
});
