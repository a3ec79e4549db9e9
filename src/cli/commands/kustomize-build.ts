import type { CommandModule } from '../command.ts';
import { dryRunFlag, moreHelp } from '../flags/common.ts';

/** `op-sdk kustomize build`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('[folder]', 'the folder of the kustomization (default: the current folder)');
    command.option('--output-file <file>', 'write the objects into a file instead of printing them');
    dryRunFlag(command);
    moreHelp(
      command,
      `
Renders a kustomization as kustomize 5 does, without kustomize: resources, components, namespace,
names, labels, annotations, images, replicas, patches and replacements. What it does not support,
such as generators, is refused; then use kustomize itself: every command that takes objects reads
its output with -f -.`,
    );
  },
  run: () => import('../actions/kustomize-build.ts'),
};
