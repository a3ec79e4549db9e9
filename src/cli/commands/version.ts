import type { CommandModule } from '../command.ts';
import { packageInfo } from '../package-info.ts';

/** `op-sdk version`. */
export const command: CommandModule = {
  configure(command) {
    command.addHelpText('after', '\nPrints the versions of op-sdk and of Node.');
  },
  run() {
    const { version } = packageInfo();
    const result = { version, node: process.version, platform: process.platform, arch: process.arch };
    return Promise.resolve({
      result,
      text: `op-sdk ${version} (node ${process.version}, ${process.platform}/${process.arch})`,
    });
  },
};
