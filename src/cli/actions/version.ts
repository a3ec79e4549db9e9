import type { Action } from '../command.ts';
import { packageInfo } from '../package-info.ts';

/** `op-sdk version`. */
export const run: Action = () => {
  const { version } = packageInfo();
  const result = { version, node: process.version, platform: process.platform, arch: process.arch };
  return Promise.resolve({
    result,
    text: `op-sdk ${version} (node ${process.version}, ${process.platform}/${process.arch})`,
  });
};
