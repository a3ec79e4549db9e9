import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { parseVersion, listAssets, removeAssets } from '../../testing/index.ts';

export const command = defineCommand({
  flags: {
    version: flag.text('version', 'the version to remove'),
    all: flag.boolean('remove every version', { unset: true }),
    ...dryRunFlag,
  },
  async run({ env }, options) {
    const requested = options.version;
    const all = options.all === true;
    if (all === (requested !== undefined)) {
      throw new OpSdkError({
        code: all ? 'cli/invalid-value' : 'cli/missing-value',
        message: all ? '--all and --version exclude each other' : 'which version?',
        where: { flag: all ? '--all' : '--version' },
        fix: ['give either --version or --all; `op-sdk testenv list` shows what is installed'],
      });
    }
    const wanted = requested === undefined ? undefined : parseVersion(requested);
    const found = (await listAssets(env)).filter(({ version }) => all || version === wanted);
    if (wanted !== undefined && found.length === 0) {
      throw new OpSdkError({
        code: 'testenv/not-installed',
        message: `Kubernetes ${wanted} is not installed`,
        where: { flag: '--version' },
        fix: ['op-sdk testenv list'],
      });
    }
    const dryRun = options.dryRun === true;
    if (!dryRun) for (const { version } of found) await removeAssets(version, env);
    const verb = dryRun ? 'would remove' : 'removed';
    const text = found.map(({ version, folder }) => `${verb} Kubernetes ${version}: ${folder}`).join('\n');
    return {
      result: { removed: dryRun ? [] : found },
      text: found.length === 0 ? 'nothing to remove' : text,
    };
  },
});
