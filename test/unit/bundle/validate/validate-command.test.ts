import { describe, expect, test } from 'vitest';
import { runCli } from '../../../helpers/run-cli.ts';
import type { Loose } from '../objects.ts';
import { smallBundle, writeBundle } from './bundle-folder.ts';

const folderOf = (change: (bundle: Loose) => void = () => undefined): string => {
  const bundle = smallBundle();
  change(bundle);
  return writeBundle(bundle);
};
const wrong = (bundle: Loose): void => {
  delete bundle.csv.spec.displayName;
  delete bundle.csv.spec.minKubeVersion;
};
const doubtful = (bundle: Loose): void => void delete bundle.csv.spec.minKubeVersion;

describe('op-sdk bundle validate', () => {
  test('a bundle that is right', async () => {
    const run = await runCli(['bundle', 'validate'], { cwd: folderOf() });
    expect(run).toEqual({
      code: 0,
      stdout: 'All validation tests have completed successfully\n',
      stderr: '',
    });
  });

  test('warnings do not fail', async () => {
    const run = await runCli(['bundle', 'validate', './bundle'], { cwd: folderOf(doubtful) });
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(
      /^warning\[bundle\/no-min-kube-version\].*\n {2}at bundle\/manifests\/csv\.yaml:\d+:\d+\n/,
    );
    expect(run.stdout).toContain('successfully');
  });

  test('errors do, each with its place', async () => {
    const run = await runCli(['bundle', 'validate', 'bundle'], { cwd: folderOf(wrong) });
    expect(run.code).toBe(1);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(
      /error\[bundle\/missing-field\].*\n {2}at bundle\/manifests\/csv\.yaml:\d+:\d+\n {2}fix: /,
    );
  });

  test('as our document', async () => {
    const run = await runCli(['bundle', 'validate', '-o', 'json'], { cwd: folderOf(wrong) });
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      result: { passed: false, package: 'web-operator', name: 'web-operator.v0.1.0', version: '0.1.0' },
      errors: [{ code: 'bundle/missing-field', where: { file: 'bundle/manifests/csv.yaml' } }],
      warnings: [{ code: 'bundle/no-min-kube-version' }],
    });
    expect(run.stderr).toBe('');
  });

  test('as the document of operator-sdk', async () => {
    const failed = await runCli(['bundle', 'validate', '-o', 'json-alpha1'], { cwd: folderOf(wrong) });
    expect([failed.code, failed.stderr]).toEqual([1, '']);
    const message = expect.stringMatching(/^bundle\/manifests\/csv\.yaml:\d+:\d+: spec\./) as string;
    expect(JSON.parse(failed.stdout)).toEqual({
      passed: false,
      outputs: [
        { type: 'warning', message },
        { type: 'error', message },
      ],
    });
    const doubts = await runCli(['bundle', 'validate', '--output=json-alpha1'], { cwd: folderOf(doubtful) });
    expect([doubts.code, JSON.parse(doubts.stdout)]).toMatchObject([0, { passed: true }]);
    const passed = await runCli(['bundle', 'validate', '-o', 'json-alpha1'], { cwd: folderOf() });
    expect([passed.code, JSON.parse(passed.stdout)]).toEqual([0, { passed: true, outputs: null }]);
  });

  test('no other format, and this one for no other command', async () => {
    const unknown = await runCli(['bundle', 'validate', '-o', 'yaml']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("'json-alpha1'");
    const other = await runCli(['version', '-o', 'json-alpha1']);
    expect(other.code).toBe(2);
    expect(other.stderr).not.toContain("or 'json-alpha1'");
  });

  test('no image', async () => {
    const run = await runCli(['bundle', 'validate', 'quay.io/example/web-bundle:v0.1.0'], {
      cwd: folderOf(),
    });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('error[bundle/not-a-folder]');
  });
});
