import { execFileSync } from 'node:child_process';
import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli, type CliRun } from '../../../../helpers/run-cli.ts';
import { scriptedRegistry } from '../../../../helpers/scripted-registry.ts';
import type { Loose } from '../objects.ts';
import { builtIn, configuration, siteFolder } from './site-bundle.ts';

const file = 'tests/scorecard/config.yaml';
const custom = {
  image: 'example.com/my-tests:v1',
  entrypoint: ['my-tests', 'ready'],
  labels: { suite: 'mine', test: 'ready' },
};

async function scorecard(change: (bundle: Loose) => void, ...flags: readonly string[]): Promise<CliRun> {
  return runCli(['scorecard', '--local', ...flags], { cwd: siteFolder(change) });
}

/** Whoever asks for a cluster here fails. */
const noCluster = { KUBECONFIG: '/nonexistent/kubeconfig', HOME: '/nonexistent' };

const configured =
  (...tests: readonly Loose[]) =>
  (bundle: Loose): void =>
    void (bundle.files[file] = configuration(...tests));
/** The tests in the document of `-o json`. */
const itemsOf = ({ stdout }: CliRun): readonly Loose[] => (JSON.parse(stdout) as { items: Loose[] }).items;
const unchanged = (): void => undefined;

describe('op-sdk scorecard', () => {
  test('a bundle that passes', async () => {
    const run = await scorecard(unchanged, 'bundle');
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout.match(/\tState: pass\n/g)).toHaveLength(6);
  });

  test('one test that fails is enough', async () => {
    const run = await scorecard((bundle) => void delete bundle.csv.spec.displayName);
    expect([run.code, run.stderr]).toEqual([1, '']);
    expect(run.stdout.match(/\tState: pass\n/g)).toHaveLength(5);
    expect(run.stdout.match(/\tState: fail\n/g)).toHaveLength(1);
  });

  test('a selector chooses by labels', async () => {
    const run = await scorecard(
      unchanged,
      '-l',
      'suite=olm,test notin (olm-bundle-validation-test)',
      '-ojson',
    );
    const items = itemsOf(run);
    expect(items.map(({ status }: Loose) => status.results[0].name)).toEqual([
      'olm-crds-have-validation',
      'olm-crds-have-resources',
      'olm-spec-descriptors',
      'olm-status-descriptors',
    ]);
  });

  test('a selector that selects nothing, or is invalid', async () => {
    const none = await scorecard(unchanged, '-l', 'suite=all');
    expect([none.code, none.stdout]).toEqual([0, '']);
    expect(none.stderr).toContain(
      'warning[bundle/scorecard-selection]: 0 tests selected: none of the 6 tests',
    );
    expect(none.stderr).toContain('suite=basic');
    const json = await scorecard(unchanged, '-l', 'suite=all', '-ojson');
    expect([json.code, itemsOf(json)]).toEqual([0, []]);
    expect(json.stderr).toBe(none.stderr);
    const wrong = await scorecard(unchanged, '-l', 'suite in olm');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('error[cli/invalid-value]: --selector: "suite in olm"');
  });

  test('--list names the tests, runs none, and needs no --local', async () => {
    const cwd = siteFolder((bundle) => {
      configured(custom, builtIn('olm-bundle-validation'))(bundle);
      delete bundle.csv.spec.displayName;
    });
    const run = await runCli(['scorecard', '-L'], { cwd });
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain('Image:      example.com/my-tests:v1\n');
    expect(run.stdout).not.toContain('Results:');
  });

  test('built-in tests need neither --local nor a cluster', async () => {
    const run = await runCli(['scorecard', 'bundle'], { cwd: siteFolder(), env: noCluster });
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout.match(/\tState: pass\n/g)).toHaveLength(6);
  });

  test('a test of another image needs a cluster', async () => {
    const run = await runCli(['scorecard'], { cwd: siteFolder(configured(custom)), env: noCluster });
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toContain('error[kube/no-cluster]');
  });

  test('storage of a test in a Pod is refused, storage of nothing is not', async () => {
    const storage = { spec: { mountPath: { path: '/results' } } };
    const change = configured({ ...custom, storage }, { ...builtIn('basic-check-spec'), storage });
    const refused = await runCli(['scorecard'], { cwd: siteFolder(change), env: noCluster });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr.match(/^error\[/gm)).toHaveLength(1);
    expect(refused.stderr).toContain(
      'error[bundle/scorecard-storage]: the test has storage at /results, which op-sdk does not support',
    );
    const empty = configured({ ...custom, storage: { spec: { mountPath: {} } } });
    const run = await runCli(['scorecard'], { cwd: siteFolder(empty), env: noCluster });
    expect(run.stderr).not.toContain('scorecard-storage');
  });

  test('flags about Pods are checked before a cluster is asked', async () => {
    for (const [flag, value] of [
      ['--wait-time', 'soon'],
      ['--untar-image', 'Not An Image'],
      ['--pod-security', 'baseline'],
    ] as const) {
      const cwd = siteFolder(configured(custom));
      const run = await runCli(['scorecard', flag, value], { cwd, env: noCluster });
      expect([flag, run.code, run.stdout]).toEqual([flag, 2, '']);
      expect(run.stderr).toContain(value);
    }
  });

  test('a test of another image is not run, and fails the command', async () => {
    const change = configured(builtIn('basic-check-spec'), custom);
    const run = await scorecard(change);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('\tState: pass\n');
    expect(run.stdout).toContain('\tName: ready\n\tState: error\n');
    expect(run.stderr).toMatch(
      /^error\[bundle\/scorecard-image\]: the test ready was not run: its image example\.com\/my-tests:v1 needs a cluster\n {2}at bundle\/tests\/scorecard\/config\.yaml:\d+:\d+\n {2}fix: select the other tests: -l 'test!=ready'/,
    );
    expect(await scorecard(change, '-l', 'test!=ready')).toMatchObject({ code: 0, stderr: '' });
  });

  test('a mirror of the image, and a path in the entrypoint', async () => {
    const mirrored = {
      ...builtIn('x'),
      image: 'mirror.example.com/tests@sha256:abc',
      entrypoint: ['/usr/local/bin/scorecard-test', 'basic-check-spec'],
    };
    expect((await scorecard(configured(mirrored))).code).toBe(0);
  });

  test('an image: of a registry, or of a layout', async () => {
    await using registry = await scriptedRegistry();
    const cwd = siteFolder(configured(builtIn('basic-check-spec')));
    const image = `${registry.host}/team/bundle:v1`;
    for (const to of [['--to', 'oci:layout'], []]) {
      const built = await runCli(['bundle', 'build', '--tag', image, ...to], { cwd });
      expect(built.code, built.stderr).toBe(0);
    }
    const pushed = await runCli(['bundle', 'push', image, '--plain-http'], { cwd });
    expect(pushed.code, pushed.stderr).toBe(0);
    for (const bundle of ['oci:layout', image]) {
      const run = await runCli(['scorecard', bundle, '--plain-http'], { cwd, env: noCluster });
      expect(run.code, run.stderr).toBe(0);
      expect(run.stdout.match(/\tState: pass\n/g)).toHaveLength(1);
    }
  });

  test('places in an image are named by the image', async () => {
    const cwd = siteFolder(configured(builtIn('basic-check-specs')));
    const built = await runCli(['bundle', 'build', '--tag', 'a.example/b:v1', '--to', 'oci:layout'], { cwd });
    expect(built.code, built.stderr).toBe(0);
    const run = await runCli(['scorecard', 'oci:layout'], { cwd, env: noCluster });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('at oci:layout/tests/scorecard/config.yaml:');
  });

  test('something that is not a bundle', async () => {
    const missing = await runCli(['scorecard', '--local', 'other'], { cwd: siteFolder() });
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('error[bundle/not-a-folder]');
    const outer = await runCli(['scorecard', '--local', '.'], { cwd: siteFolder() });
    expect(outer.code).toBe(1);
    expect(outer.stderr).toContain('error[bundle/missing-folder]');
    expect(outer.stderr).toContain('name the bundle itself: bundle');
  });
});

describe('the configuration', () => {
  test('another file: -c, relative to the folder in which the command runs', async () => {
    const cwd = siteFolder(() => undefined);
    writeFileSync(join(cwd, 'mine.json'), JSON.stringify(configuration(builtIn('basic-check-spec'))));
    const run = await runCli(['scorecard', '--local', '-c', 'mine.json'], { cwd });
    expect(run.stdout.match(/^Image: /gm)).toHaveLength(1);
  });

  test('the folder that the annotation names', async () => {
    const key = 'operators.operatorframework.io.test.config.v1';
    const run = await scorecard((bundle) => {
      bundle.annotations[key] = 'tests/other';
      bundle.files['tests/other/config.yaml'] = configuration(builtIn('basic-check-spec'));
    });
    expect(run.stdout.match(/^Image: /gm)).toHaveLength(1);
    for (const outside of ['../..', '/etc']) {
      const refused = await scorecard((bundle) => (bundle.annotations[key] = outside));
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain('expected a folder of the bundle');
    }
  });

  test('fields in lower case, as Go reads them, and storage for all tests', async () => {
    const { apiVersion, ...rest } = configuration(builtIn('basic-check-spec'), {
      ...builtIn('olm-spec-descriptors'),
      uniqueid: 'second',
      storage: { spec: { mountpath: { path: '/own' } } },
    });
    const storage = { spec: { mountPath: { path: '/results' } } };
    const run = await scorecard(
      (bundle) => (bundle.files[file] = { apiversion: apiVersion, ...rest, storage }),
      '-ojson',
    );
    expect(run.code).toBe(0);
    const items = itemsOf(run);
    expect(items.map(({ spec }: Loose) => [spec.uniqueID, spec.storage])).toEqual([
      [undefined, storage],
      ['second', { spec: { mountPath: { path: '/own' } } }],
    ]);
  });

  const refused: Readonly<Record<string, readonly [unknown, string]>> = {
    'a missing file': [undefined, 'error[io/cannot-read]: cannot read bundle/tests/scorecard/config.yaml'],
    'an empty file': ['', 'error[bundle/scorecard-config]: bundle/tests/scorecard/config.yaml is empty'],
    'no tests': [
      configuration(),
      'error[bundle/scorecard-config]: bundle/tests/scorecard/config.yaml lists no tests',
    ],
    'a misspelt field': [configuration({ ...custom, lables: {} }), 'did you mean `labels`?'],
    'a label that is a number': [
      configuration({ ...custom, labels: { a: 1 } }),
      'labels.a: expected a string',
    ],
    'a test without an image': [configuration({ entrypoint: ['a'] }), 'lacks `image`'],
    'another version': [
      { ...configuration(custom), apiVersion: 'scorecard.operatorframework.io/v1alpha2' },
      "expected 'scorecard.operatorframework.io/v1alpha3'",
    ],
    'a second document': ['kind: Configuration\n---\nkind: Configuration\n', 'expected one YAML document'],
    'a test that the image does not have': [
      configuration(builtIn('basic-check-specs')),
      'did you mean basic-check-spec?',
    ],
  };
  test.each(Object.entries(refused))('%s', async (_, [content, message]) => {
    const run = await scorecard((bundle) => (bundle.files[file] = content));
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain('at bundle/tests/scorecard/config.yaml');
  });
});

test('a pipe instead of the configuration is refused, not waited for', async () => {
  const cwd = siteFolder(unchanged);
  const path = join(cwd, 'bundle', file);
  unlinkSync(path);
  execFileSync('mkfifo', [path]);
  const { code, stderr } = await runCli(['scorecard', '--local', 'bundle'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('not a regular file')]);
});
