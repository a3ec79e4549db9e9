import { packageInfo } from './package-info.ts';

/** Arguments that request the version if no command is named. */
export const versionFlags: readonly string[] = ['--version', '-V'];

/** Returns the versions of the running program and data about the machine, as printed by `op-sdk version -o json`. */
export function versionInfo(): {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
} {
  const { version } = packageInfo();
  return { version, node: process.version, platform: process.platform, arch: process.arch };
}

/** Returns the data of {@link versionInfo} as one line of text. */
export function versionLine(): string {
  const { version, node, platform, arch } = versionInfo();
  return `op-sdk ${version} (node ${node}, ${platform}/${arch})`;
}
