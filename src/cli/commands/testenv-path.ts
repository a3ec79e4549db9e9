import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { missingAssets } from '../../testing/index.ts';

export const command = defineCommand({
  flags: {
    version: flag.text('version', 'Kubernetes version (default: the one op-sdk is tested with)'),
  },
  help: '  export KUBEBUILDER_ASSETS="$(op-sdk testenv path)"',
  async run({ env }, options) {
    const requested = options.version;
    const wanted = requested === undefined ? {} : { version: requested };
    const { version, folder, missing } = await missingAssets({ ...wanted, env });
    if (missing.length === 0) return { result: { version, folder }, text: folder };
    throw new OpSdkError({
      code: 'testenv/not-installed',
      message: `Kubernetes ${version} is not installed`,
      where: { file: folder },
      fix: [`op-sdk testenv install --version ${version}`],
    });
  },
});
