import type { CommandModule } from '../command.ts';
import { alpha1 } from '../flags/words.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk bundle validate`. */
export const command: CommandModule = {
  formats: [alpha1],
  configure(command) {
    command.argument('[folder]', 'the folder of the bundle (default: bundle)');
    moreHelp(
      command,
      `
Checks the folders, annotations and objects of a bundle, its ClusterServiceVersion and its
CustomResourceDefinitions, as the validators of operator-sdk, OLM and the API server do, and
reports all findings. It only reads files and needs no cluster or image. The labels of
bundle.Dockerfile are compared too, if it is in the folder or next to it. Warnings do not fail.

  -o json          the findings, each with its code, place and fix
  -o ${alpha1}   the output of operator-sdk: {"passed": true, "outputs": [{"type", "message"}]}`,
    );
  },
  run: () => import('../actions/bundle-validate.ts'),
};
