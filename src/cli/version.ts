import { packageInfo } from './package-info.ts';

/** Arguments that ask for the version where no command is named. */
export const versionFlags: readonly string[] = ['--version', '-V'];

/** Describes what runs: versions and machine, as `op-sdk version -o json` has them. */
export function versionInfo(): {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
} {
  const { version } = packageInfo();
  return { version, node: process.version, platform: process.platform, arch: process.arch };
}

/** Returns {@link versionInfo} as a line. */
export function versionLine(): string {
  const { version, node, platform, arch } = versionInfo();
  return `op-sdk ${version} (node ${node}, ${platform}/${arch})`;
}
