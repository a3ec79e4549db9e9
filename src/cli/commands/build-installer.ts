import type { CommandModule } from '../command.ts';
import { dryRunFlag, moreHelp } from '../flags/common.ts';
import { imageFlag } from '../flags/image-flag.ts';

/** `op-sdk build-installer`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command.option('--dir <folder>', 'the kustomization to render (default: config/default)');
    imageFlag(command);
    command.option('--output-file <file>', 'the manifest (default: dist/install.yaml)');
    dryRunFlag(command);
    moreHelp(
      command,
      `
Writes all objects that op-sdk deploy applies into one manifest, which kubectl can apply:
  kubectl apply --server-side -f install.yaml

Generated files must be up to date: run op-sdk generate manifests first, or make build-installer.`,
    );
  },
  run: () => import('../actions/build-installer.ts'),
};
