import { describe, expect, test } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';

const codesOf = async (...argv: readonly string[]): Promise<readonly unknown[]> => {
  const { code, stdout } = await runCli(['olm', ...argv, '-o', 'json']);
  const { errors } = JSON.parse(stdout) as { errors: readonly { code: string; message: string }[] };
  return [code, ...errors.map((each) => `${each.code}: ${each.message}`)];
};

describe.each(['install', 'status', 'uninstall'])('op-sdk olm %s', (command) => {
  test('refuses wrong flags, all at once', async () => {
    expect(await codesOf(command, '--olm', 'v2', '--version', 'latest', '--manifests', 'x.yaml')).toEqual([
      2,
      "cli/invalid-value: expected --olm to be v0 or v1, got 'v2'",
      "cli/invalid-value: expected --version to be the version of a release, got 'latest'",
      'cli/invalid-value: --version and --manifests exclude each other',
    ]);
  });

  test('refuses a wrong time', async () => {
    const [code, first] = await codesOf(command, '--timeout', 'soon');
    expect(code).toBe(2);
    expect(first).toContain('cli/invalid-value: --timeout is "soon"');
  });
});
