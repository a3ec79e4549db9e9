import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { selectOptionalFlag } from '../flags/olm-flags.ts';
import { alpha1, sarif } from '../flags/words.ts';

/** `op-sdk bundle validate`. */
export const command = defineCommand({
  formats: [alpha1, sarif],
  arguments: [['[bundle...]', 'folders, images, or oci:DIR for a layout (default: bundle)']],
  flags: {
    ...selectOptionalFlag,
    'list-optional': flag.boolean('list the optional validators, validate nothing'),
    'optional-values': flag.list(
      'key=value',
      'k8s-version=1.32 (the Kubernetes that the bundle is for), index-path=bundle.Dockerfile (labels of the index image)',
      { default: [] },
    ),
    strict: flag.boolean("fail on warnings and on errors of the validator 'opsdk', too"),
    ...pullFlags,
  },
  help: `
Checks bundles as the validators of operator-framework do, under their names: format, content,
bundle, csv and crd always, others with --select-optional. The validator opsdk adds what the API
server and OLM v1 refuse and the others leave out, such as the schemas of definitions. The exit
code is 1 for errors of the former; those of opsdk count with --strict. An existing folder is a
folder, everything else an image, which is pulled. It needs no cluster. OPERATOR_BUNDLE_CATEGORIES names a file with categories of your own.

  -o json          {"passed", "results"}; of several bundles a list of these
  -o ${sarif}         SARIF 2.1.0, for tools that annotate code
  -o ${alpha1}   the output of operator-sdk: {"passed": true, "outputs": [{"type", "message"}]}

A result has validator, rule, level, message, file, line, column, path and fix.`,
});
