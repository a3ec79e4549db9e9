import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli, type CliRun } from '../../../../helpers/run-cli.ts';
import type { Loose } from '../objects.ts';
import { hubFolder } from './hub-bundle.ts';

const operator = 'hub/operators/web-operator';

function publish(cwd: string, ...flags: readonly string[]): Promise<CliRun> {
  return runCli(['bundle', 'publish', '--output-dir', 'hub', ...flags], { cwd });
}

function write(cwd: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), content);
}

const read = (cwd: string, path: string): string => readFileSync(join(cwd, path), 'utf8');

describe('op-sdk bundle publish', () => {
  test('copies the bundle; a second run changes nothing', async () => {
    const cwd = hubFolder();
    const run = await publish(cwd, '--reviewer', 'jane');
    expect(run.code, run.stderr).toBe(0);
    for (const file of ['manifests/csv.yaml', 'manifests/crd.yaml', 'metadata/annotations.yaml'])
      expect(read(cwd, `${operator}/0.1.0/${file}`)).toBe(read(cwd, `bundle/${file}`));
    expect(read(cwd, `${operator}/ci.yaml`)).toContain('reviewers:\n- jane\n');
    const again = await publish(cwd, '--reviewer', 'Jane', '-ojson');
    const { result } = JSON.parse(again.stdout) as { result: { files: { action: string }[] } };
    // The Dockerfile of a version that is there is left alone.
    expect(result.files).toHaveLength(5);
    expect(result.files.filter(({ action }) => action !== 'unchanged')).toEqual([]);
  });

  test('the folder tests goes with the others where the annotations name it', async () => {
    const cwd = hubFolder(
      (bundle) => (bundle.annotations['operators.operatorframework.io.test.config.v1'] = 'tests/scorecard/'),
    );
    expect((await publish(cwd)).code).toBe(0);
    expect(existsSync(join(cwd, operator, '0.1.0/tests/scorecard/config.yaml'))).toBe(true);
  });

  test('a Dockerfile builds the image from the folder of the version', async () => {
    const tests = 'operators.operatorframework.io.test.config.v1';
    const cwd = hubFolder((bundle) =>
      Object.assign(bundle.annotations, { [tests]: 'tests/scorecard', 'com.example.team': 'a b' }),
    );
    expect((await publish(cwd)).code).toBe(0);
    const lines = read(cwd, `${operator}/0.1.0/bundle.Dockerfile`).split('\n');
    expect(lines.filter((line) => line.startsWith('COPY '))).toEqual([
      'COPY ./manifests /manifests/',
      'COPY ./metadata /metadata/',
      'COPY ./tests/scorecard /tests/scorecard/',
    ]);
    expect(lines).toContain('LABEL com.example.team="a b"');
    const verdict = await runCli(['bundle', 'validate', `${operator}/0.1.0`, '-ojson'], { cwd });
    expect([verdict.code, verdict.stdout]).toEqual([0, expect.not.stringContaining('labels-differ')]);
  });

  test.each<[string, (bundle: Loose) => void]>([
    ['an annotation of several lines', ({ annotations }) => (annotations['com.example.text'] = 'a\nb')],
    [
      'tests in another folder',
      ({ annotations, files }) => {
        annotations['operators.operatorframework.io.test.config.v1'] = 'tests/mine/';
        files['tests/mine/config.yaml'] = files['tests/scorecard/config.yaml'];
      },
    ],
  ])('%s: no Dockerfile, which would say something else', async (_, change) => {
    const cwd = hubFolder(change);
    const run = await publish(cwd);
    expect(run.code, run.stderr).toBe(0);
    expect(existsSync(join(cwd, operator, '0.1.0/bundle.Dockerfile'))).toBe(false);
  });

  test('--dry-run writes nothing', async () => {
    const cwd = hubFolder();
    const run = await publish(cwd, '--dry-run');
    expect(run.stderr).toContain(`create  ${operator}/ci.yaml`);
    expect(existsSync(join(cwd, 'hub'))).toBe(false);
  });

  test('a folder outside of the one in which the command runs', async () => {
    const cwd = hubFolder();
    const run = await runCli(['bundle', 'publish', '.', '--output-dir', '../hub'], {
      cwd: join(cwd, 'bundle'),
    });
    expect(run.code, run.stderr).toBe(0);
    expect(existsSync(join(cwd, operator, '0.1.0/manifests/csv.yaml'))).toBe(true);
  });

  const refused: Readonly<Record<string, readonly [(bundle: Loose) => void, string]>> = {
    'an error of a default validator': [
      (bundle) => void (bundle.csv.spec.installModes = []),
      'error[bundle/install-modes]',
    ],
    'an error of a validator of the suite': [
      (bundle) => void (bundle.csv.metadata.annotations.capabilities = 'Everything'),
      'error[bundle/capability-level]',
    ],
    'a short description': [
      (bundle) => void (bundle.csv.spec.description = 'Runs sites.'),
      'error[bundle/publish-field]: spec.description: expected 20 characters or more',
    ],
    'a placeholder': [
      (bundle) => void (bundle.csv.spec.maintainers = [{ name: 'Maintainer Name', email: 'your@email.com' }]),
      'error[bundle/placeholder]: spec.maintainers[0].name is a placeholder',
    ],
    'a missing icon': [
      (bundle) => void delete bundle.csv.spec.icon,
      'error[bundle/publish-field]: spec.icon: expected an image',
    ],
    'a name of a package that is a path': [
      (bundle) => void (bundle.annotations['operators.operatorframework.io.bundle.package.v1'] = 'team/web'),
      'error[bundle/invalid-annotation]: the package "team/web" is not valid',
    ],
    'a file that is not text': [
      (bundle) => {
        bundle.annotations['operators.operatorframework.io.test.config.v1'] = 'tests/scorecard/';
        bundle.files['tests/scorecard/data.bin'] = new Uint8Array([0xff, 0xfe]);
      },
      'error[bundle/unexpected-file]: bundle/tests/scorecard/data.bin: expected a file of text',
    ],
  };
  test.each(Object.entries(refused))('%s: nothing is written', async (_, [change, message]) => {
    const cwd = hubFolder(change);
    const run = await publish(cwd);
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toContain(message);
    expect(existsSync(join(cwd, 'hub'))).toBe(false);
  });

  test('all missing fields at once', async () => {
    const run = await publish(
      hubFolder((bundle) => {
        delete bundle.csv.spec.links;
        delete bundle.csv.spec.maintainers;
      }),
    );
    expect(run.stderr).toMatch(/spec\.maintainers: expected[^]*spec\.links: expected/);
  });

  test('flags', async () => {
    const cwd = hubFolder();
    const missing = await runCli(['bundle', 'publish'], { cwd });
    expect([missing.code, missing.stdout]).toEqual([2, '']);
    expect(missing.stderr).toContain('error[cli/missing-value]: --output-dir is missing');
    const name = await publish(cwd, '--reviewer', 'jane doe', '--reviewer', '-x', '--reviewer', 'a--b');
    expect(name.code).toBe(2);
    expect(name.stderr.match(/expected a name on GitHub/g)).toHaveLength(3);
  });
});

describe('a version that is in the catalogue already', () => {
  const changes: Readonly<Record<string, readonly [(cwd: string) => void, string]>> = {
    'has another file': [
      (cwd) => write(cwd, `${operator}/0.1.0/manifests/more.yaml`, 'a: 1\n'),
      'manifests/more.yaml is not in the bundle',
    ],
    'lacks a file': [
      (cwd) => rmSync(join(cwd, operator, '0.1.0/manifests/crd.yaml')),
      'manifests/crd.yaml is missing',
    ],
    'has another text': [
      (cwd) => write(cwd, `${operator}/0.1.0/manifests/crd.yaml`, 'a: 1\n'),
      'manifests/crd.yaml differs',
    ],
    'has bytes in the place of text': [
      (cwd) => write(cwd, `${operator}/0.1.0/manifests/crd.yaml`, new Uint8Array([0xff])),
      'manifests/crd.yaml differs',
    ],
  };
  test.each(Object.entries(changes))('%s: it is refused', async (_, [change, message]) => {
    const cwd = hubFolder();
    await publish(cwd);
    change(cwd);
    const config = read(cwd, `${operator}/ci.yaml`);
    const run = await publish(cwd, '--reviewer', 'jane');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(
      `error[bundle/version-published]: the catalogue already has this version, with other content: ${message}`,
    );
    expect(run.stderr).toContain(`at ${operator}/0.1.0/manifests/`);
    expect(read(cwd, `${operator}/ci.yaml`)).toBe(config);
  });

  test.each(['# ours\n', undefined])('its Dockerfile stays as it is: %j', async (text) => {
    const cwd = hubFolder();
    await publish(cwd);
    const path = `${operator}/0.1.0/bundle.Dockerfile`;
    if (text === undefined) rmSync(join(cwd, path));
    else write(cwd, path, text);
    expect((await publish(cwd)).code).toBe(0);
    expect(existsSync(join(cwd, path)) ? read(cwd, path) : undefined).toBe(text);
  });

  test('line ends of a checkout on Windows are no difference', async () => {
    const cwd = hubFolder();
    await publish(cwd);
    const file = `${operator}/0.1.0/manifests/crd.yaml`;
    write(cwd, file, read(cwd, file).replaceAll('\n', '\r\n'));
    expect((await publish(cwd)).code).toBe(0);
  });

  test('another version goes beside it', async () => {
    const cwd = hubFolder();
    write(cwd, `${operator}/0.0.1/manifests/csv.yaml`, 'a: 1\n');
    expect((await publish(cwd)).code).toBe(0);
    expect(read(cwd, `${operator}/0.0.1/manifests/csv.yaml`)).toBe('a: 1\n');
  });
});

describe('ci.yaml', () => {
  const config = `${operator}/ci.yaml`;
  const own =
    '---\n# Ours.\nfbc: {enabled: true}   # kept\nupdateGraph: semver-mode\nreviewers:\n  - Jane # lead\n';

  test('an existing one stays as it is', async () => {
    const cwd = hubFolder();
    write(cwd, config, own);
    expect((await publish(cwd, '--reviewer', 'jane')).code).toBe(0);
    expect(read(cwd, config)).toBe(own);
  });

  test('reviewers are added to it, each once', async () => {
    const cwd = hubFolder();
    write(cwd, config, own);
    await publish(cwd, '--reviewer', 'joe', '--reviewer', 'jane', '--reviewer', 'JOE');
    expect(read(cwd, config)).toBe(`${own}  - joe\n`);
  });

  test('a file with other keys gets the list', async () => {
    const cwd = hubFolder();
    write(cwd, config, 'updateGraph: replaces-mode\n');
    await publish(cwd, '--reviewer', 'joe');
    expect(read(cwd, config)).toContain('updateGraph: replaces-mode\n');
    expect(read(cwd, config)).toMatch(/reviewers:\n *- joe\n/);
  });

  test.each([
    [
      'another update graph',
      'updateGraph: skip-mode\n',
      'error[bundle/publish-config]: updateGraph: expected',
    ],
    [
      'a list',
      '- jane\n',
      'error[bundle/publish-config]: hub/operators/web-operator/ci.yaml: expected a map',
    ],
    ['reviewers that are no list', 'reviewers: jane\n', 'error[project/cannot-edit]'],
    ['text that is not YAML', 'a: [\n', 'error[io/yaml-syntax]'],
  ])('%s: it is refused, and stays', async (_, text, message) => {
    const cwd = hubFolder();
    write(cwd, config, text);
    const run = await publish(cwd, '--reviewer', 'joe');
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toContain(message);
    expect(read(cwd, config)).toBe(text);
    expect(existsSync(join(cwd, operator, '0.1.0'))).toBe(false);
  });
});
