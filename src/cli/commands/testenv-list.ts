import { defineCommand } from '../command.ts';
import { listAssets } from '../../testing/index.ts';

export const command = defineCommand({
  help: 'Lists the versions in the cache. KUBEBUILDER_ASSETS, if set, takes precedence.',
  async run({ env, report }) {
    const versions = await listAssets(env);
    const assets = env['KUBEBUILDER_ASSETS'] ?? '';
    if (assets !== '') report.info(`KUBEBUILDER_ASSETS is set: ${assets} is used, whatever is installed`);
    if (versions.length === 0) {
      report.info('no version is installed');
      return { result: [], next: ['op-sdk testenv install'] };
    }
    const lines = versions.map(({ version, folder, binaries }) => {
      const programs = Object.entries(binaries).map(([program, source]) => `${program} (${source})`);
      return `${version}  ${folder}  ${programs.join(', ')}`;
    });
    return { result: versions, text: lines.join('\n') };
  },
});
