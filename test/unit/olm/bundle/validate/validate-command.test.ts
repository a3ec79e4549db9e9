import { describe, expect, test } from 'vitest';
import { runCli } from '../../../../helpers/run-cli.ts';
import { scriptedRegistry } from '../../../../helpers/scripted-registry.ts';
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

describe('op-sdk bundle validate with an image', () => {
  test('of a registry, or of a layout, says what it says of the folder', async () => {
    await using registry = await scriptedRegistry();
    const cwd = folderOf(doubtful);
    const image = `${registry.host}/team/bundle:v1`;
    const built = await runCli(['bundle', 'build', '--tag', image, '--to', 'oci:layout'], { cwd });
    expect(built.code, built.stderr).toBe(0);
    await runCli(['bundle', 'build', '--tag', image], { cwd });
    const pushed = await runCli(['bundle', 'push', image, '--plain-http'], { cwd });
    expect(pushed.code, pushed.stderr).toBe(0);
    for (const text of ['oci:layout', image]) {
      const run = await runCli(['bundle', 'validate', text, '--plain-http'], { cwd });
      expect(run.code, run.stderr).toBe(0);
      expect(run.stderr).toContain('warning[bundle/no-min-kube-version]');
      expect(run.stderr).toContain(`at ${text}/manifests/csv.yaml:`);
    }
    const missing = await runCli(['bundle', 'validate', `${image}2`, '--plain-http'], { cwd });
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('error[oci/not-found]');
  });
});

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
    const document = JSON.parse(run.stdout) as { readonly results: readonly object[] };
    expect(document).toMatchObject({ passed: false });
    const file = 'bundle/manifests/csv.yaml';
    expect(document.results).toMatchObject([
      { validator: 'csv', rule: 'bundle/no-min-kube-version', level: 'warning', file, path: 'spec' },
      { validator: 'csv', rule: 'bundle/missing-field', level: 'error', file, line: 8, column: 1 },
    ]);
    for (const result of document.results)
      expect(Object.keys(result)).toEqual([
        ...['validator', 'rule', 'level', 'message', 'file', 'line', 'column', 'path', 'fix'],
      ]);
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

  test('as the document of operator-sdk, whose errors are those that keep a bundle from passing', async () => {
    const own = (bundle: Loose): void => void (bundle.crd.spec.versions[0].schema.openAPIV3Schema.items = {});
    for (const change of [own, doubtful, wrong, undefined])
      for (const flags of [[], ['--strict']]) {
        const cwd = change === undefined ? folderOf() : folderOf(change);
        const run = await runCli(['bundle', 'validate', '-o', 'json-alpha1', ...flags], { cwd });
        const { passed, outputs } = JSON.parse(run.stdout) as {
          passed: boolean;
          outputs: readonly { type: string }[] | null;
        };
        expect((outputs ?? []).some(({ type }) => type === 'error')).toBe(!passed);
        expect(run.code).toBe(passed ? 0 : 1);
      }
  });

  test('as SARIF', async () => {
    const run = await runCli(['bundle', 'validate', '-o', 'sarif'], { cwd: folderOf(wrong) });
    expect(run.code).toBe(1);
    const { version, runs } = JSON.parse(run.stdout);
    expect([version, runs.length]).toEqual(['2.1.0', 1]);
    const [{ tool, results }] = runs;
    const region = { startLine: 8, startColumn: 1 };
    const artifactLocation = { uri: 'bundle/manifests/csv.yaml' };
    expect(results).toMatchObject([
      { level: 'warning', locations: [{ physicalLocation: { artifactLocation, region } }] },
      { level: 'error', ruleId: 'bundle/missing-field', properties: { validators: ['csv'] } },
    ]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  });

  test('errors of opsdk fail with --strict, as warnings do', async () => {
    const spoil = (bundle: Loose): void =>
      void (bundle.crd.spec.versions[0].schema.openAPIV3Schema.items = {});
    for (const [change, plain] of [
      [spoil, 'error'],
      [doubtful, 'warning'],
    ] as const) {
      const cwd = folderOf(change);
      const run = await runCli(['bundle', 'validate'], { cwd });
      expect(run.code, run.stderr).toBe(0);
      expect(run.stderr).toContain(`${plain}[`);
      expect((await runCli(['bundle', 'validate', '--strict'], { cwd })).code).toBe(1);
    }
  });

  test('several folders: a list, and all must pass', async () => {
    const cwd = folderOf();
    const run = await runCli(['bundle', 'validate', 'bundle', './bundle', '-o', 'json'], { cwd });
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, [{ passed: true }, { passed: true }]]);
  });

  test('several, of which some cannot be opened: the others are judged all the same', async () => {
    await using registry = await scriptedRegistry();
    const cwd = folderOf(doubtful);
    const image = `${registry.host}/team/bundle:v1`;
    const all = [image, 'bundle', './bundel', 'oci:layout'];
    const run = await runCli(['bundle', 'validate', ...all, '--plain-http'], { cwd });
    expect(run.code).toBe(1);
    for (const code of ['error[oci/not-found]', 'warning[bundle/no-min-', 'error[bundle/not-a-folder]'])
      expect(run.stderr).toContain(code);
    expect(run.stdout).toBe('1 of 4 bundles passed\n');
    const json = await runCli(['bundle', 'validate', ...all, '--plain-http', '-o', 'json'], { cwd });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject(
      all.map((bundle) => ({ bundle, passed: bundle === 'bundle' })),
    );
  });

  test('no other format, and this one for no other command', async () => {
    const unknown = await runCli(['bundle', 'validate', '-o', 'yaml']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("'json-alpha1'");
    const other = await runCli(['version', '-o', 'json-alpha1']);
    expect(other.code).toBe(2);
    expect(other.stderr).not.toContain("or 'json-alpha1'");
  });

  test('what is neither a folder nor an image', async () => {
    const run = await runCli(['bundle', 'validate', './bundel'], { cwd: folderOf() });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('error[bundle/not-a-folder]');
  });
});
