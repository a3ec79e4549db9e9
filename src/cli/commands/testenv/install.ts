import { isOpSdkError, type Finding } from '../../../errors/index.ts';
import type { CommandModule } from '../../command.ts';
import { booleanFlag, dryRunFlag } from '../../flags.ts';

/** `op-sdk testenv install`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--version <version>', 'Kubernetes version (default: the one op-sdk is tested with)');
    booleanFlag(command, 'controller-manager', 'get kube-controller-manager too', true);
    dryRunFlag(command);
    command.addHelpText(
      'after',
      [
        '',
        'Fills the cache ($XDG_CACHE_HOME or ~/.cache, op-sdk/testenv/<version>): downloads the published envtest',
        'archive, or builds from Go modules where that is not possible. The archive holds no kube-controller-manager;',
        'that is always built, and only a warning if it cannot be.',
      ].join('\n'),
    );
  },
  async run({ env, report, signal }, options) {
    const { installAssets, missingAssets } = await import('../../../testing/assets/install-assets.ts');
    const given = options['version'] as string | undefined;
    const version = given === undefined ? {} : { version: given };
    const controllerManager = options['controllerManager'] !== false;
    if (options['dryRun'] === true) {
      const { folder, missing } = await missingAssets({ ...version, controllerManager, env });
      const text = `would install ${missing.length === 0 ? 'nothing' : missing.join(', ')} into ${folder}`;
      return { result: { folder, missing }, text };
    }
    const request = { ...version, env, signal, progress: (line: string) => report.step(line) };
    const warnings: Finding[] = [];
    let assets = await installAssets(request);
    if (controllerManager) {
      try {
        assets = await installAssets({ ...request, controllerManager });
      } catch (error) {
        if (!isOpSdkError(error) || error.code !== 'testenv/no-binaries') throw error;
        warnings.push(...error.findings);
      }
    }
    const flag = warnings.length === 0 ? '' : ' --no-controller-manager';
    return {
      result: assets,
      text: `Kubernetes ${assets.version} is in ${assets.folder}`,
      warnings,
      next: [`op-sdk testenv run${flag}`],
    };
  },
};
