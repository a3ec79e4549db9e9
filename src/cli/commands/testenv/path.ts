import { OpSdkError } from '../../../errors/index.ts';
import type { CommandModule } from '../../command.ts';

/** `op-sdk testenv path`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--version <version>', 'Kubernetes version (default: the one op-sdk is tested with)');
    command.addHelpText('after', '\nexport KUBEBUILDER_ASSETS="$(op-sdk testenv path)"');
  },
  async run({ env }, options) {
    const { missingAssets } = await import('../../../testing/assets/install-assets.ts');
    const given = options['version'] as string | undefined;
    const wanted = given === undefined ? {} : { version: given };
    const { version, folder, missing } = await missingAssets({ ...wanted, env });
    if (missing.length === 0) return { result: { version, folder }, text: folder };
    throw new OpSdkError({
      code: 'testenv/not-installed',
      message: `Kubernetes ${version} is not installed`,
      where: { file: folder },
      fix: [`op-sdk testenv install --version ${version}`],
    });
  },
};
