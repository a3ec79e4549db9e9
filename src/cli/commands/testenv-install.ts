import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { installAllAssets, installAssets, missingAssets } from '../../testing/index.ts';

export const command = defineCommand({
  flags: {
    version: flag.text('version', 'Kubernetes version (default: the one op-sdk is tested with)'),
    'controller-manager': flag.negated('do not install kube-controller-manager'),
    ...dryRunFlag,
  },
  help: `
Fills the cache ($XDG_CACHE_HOME or ~/.cache, op-sdk/testenv/<version>): downloads the published envtest
archive, or builds from Go modules where that is not possible. kube-controller-manager, which the archive lacks,
comes from the archive of the release, on Linux, or is built; if neither is possible, that is only a warning.`,
  async run({ env, report, signal }, options) {
    const requested = options.version;
    const version = requested === undefined ? {} : { version: requested };
    const controllerManager = options.controllerManager !== false;
    if (options.dryRun === true) {
      const { folder, missing } = await missingAssets({ ...version, controllerManager, env });
      const text = `would install ${missing.length === 0 ? 'nothing' : missing.join(', ')} into ${folder}`;
      return { result: { folder, missing }, text };
    }
    const request = { ...version, env, signal, progress: (line: string) => report.step(line) };
    const { assets, problems: warnings } = controllerManager
      ? await installAllAssets(request)
      : { assets: await installAssets(request), problems: [] };
    const flag = warnings.length === 0 ? '' : ' --no-controller-manager';
    return {
      result: assets,
      text: `Kubernetes ${assets.version} is in ${assets.folder}`,
      warnings,
      next: [`op-sdk testenv run${flag}`],
    };
  },
});
