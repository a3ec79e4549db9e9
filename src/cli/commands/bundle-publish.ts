import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk bundle publish`. */
export const command = defineCommand({
  arguments: [['[bundle]', 'the folder of the bundle (default: bundle)']],
  flags: {
    'output-dir': flag.text('folder', 'a checkout of your fork of k8s-operatorhub/community-operators'),
    reviewer: flag.list('name', 'a name on GitHub to add to the reviewers in ci.yaml; may be repeated', {
      default: [],
    }),
    ...dryRunFlag,
  },
  help: `
Copies the bundle to operators/<package>/<version>/ and writes operators/<package>/ci.yaml, or adds
reviewers to it; the rest of ci.yaml stays as it is. Before that it runs the checks that pull
requests of the catalogue have to pass: all default validators, those of suite=operatorframework,
and the fields that OperatorHub.io needs. Nothing is written if one of them finds an error, or if
the version is there with other content. A second run changes nothing.`,
});
