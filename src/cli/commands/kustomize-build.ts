import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk kustomize build`. */
export const command = defineCommand({
  arguments: [['[folder]', 'the folder of the kustomization (default: the current folder)']],
  flags: {
    'output-file': flag.text('file', 'write the objects into a file instead of printing them'),
    ...dryRunFlag,
  },
  help: `
Renders a kustomization as kustomize 5 does, without kustomize: resources, components, namespace,
names, labels, annotations, images, replicas, patches and replacements. What it does not support,
such as generators, is refused; then use kustomize itself: every command that takes objects reads
its output with -f -.`,
});
