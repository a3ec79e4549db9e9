import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';

let cache: string;
let abort: AbortController;

beforeEach(async () => {
  cache = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-test-'));
  abort = new AbortController();
});

afterEach(async () => {
  await rm(cache, { recursive: true });
});

/** Runs a command line with a cache and a PATH of its own: neither the network nor Go is within its reach. */
async function cli(...argv: readonly string[]) {
  const written = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') => ({
    colors: false,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const exitCode = await main(argv, {
    cwd: cache,
    env: { XDG_CACHE_HOME: cache, PATH: '', OPSDK_ENVTEST_INDEX: 'http://127.0.0.1:1/index.yaml' },
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    terminal: false,
    readStdin: () => Promise.resolve(''),
    signal: abort.signal,
  });
  return { exitCode, ...written };
}

/** Puts a version into the cache, as an installation does. */
async function fakeVersion(version: string): Promise<string> {
  const folder = join(cache, 'op-sdk', 'testenv', version);
  await mkdir(folder, { recursive: true });
  for (const binary of ['etcd', 'kube-apiserver']) {
    await writeFile(join(folder, binary), '');
    await chmod(join(folder, binary), 0o755);
  }
  const record = { binaries: { etcd: 'archive', 'kube-apiserver': 'archive' } };
  await writeFile(join(folder, 'assets.json'), JSON.stringify(record));
  return folder;
}

describe('testenv path', () => {
  test('prints the folder and nothing else on stdout', async () => {
    const folder = await fakeVersion('1.35.0');
    expect(await cli('testenv', 'path', '--version', 'v1.35.0')).toEqual({
      exitCode: 0,
      stdout: `${folder}\n`,
      stderr: '',
    });
  });

  test('says how to install what is not installed', async () => {
    const { exitCode, stdout, stderr } = await cli('testenv', 'path', '--version=1.34.0');
    expect(exitCode).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('error[testenv/not-installed]: Kubernetes 1.34.0 is not installed');
    expect(stderr).toContain('fix: op-sdk testenv install --version 1.34.0');
  });

  test('refuses a version that is not a release', async () => {
    const { exitCode, stderr } = await cli('testenv', 'path', '--version', '1.36');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('error[testenv/invalid-version]: "1.36" is not a Kubernetes release');
  });
});

describe('testenv list', () => {
  test('sorts by number and names the sources', async () => {
    const newer = await fakeVersion('1.36.10');
    const older = await fakeVersion('1.36.9');
    const { exitCode, stdout } = await cli('testenv', 'list');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        `1.36.9  ${older}  etcd (archive), kube-apiserver (archive)`,
        `1.36.10  ${newer}  etcd (archive), kube-apiserver (archive)`,
        '',
      ].join('\n'),
    );
  });

  test('says so if there is nothing', async () => {
    const { exitCode, stdout, stderr } = await cli('testenv', 'list');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toContain('no version is installed');
  });
});

describe('testenv remove', () => {
  test('removes one version and leaves the others', async () => {
    await fakeVersion('1.35.0');
    await fakeVersion('1.36.0');
    expect((await cli('testenv', 'remove', '--version', '1.35.0')).exitCode).toBe(0);
    expect(await readdir(join(cache, 'op-sdk', 'testenv'))).toEqual(['1.36.0']);
  });

  test('removes all', async () => {
    await fakeVersion('1.35.0');
    await fakeVersion('1.36.0');
    expect((await cli('testenv', 'remove', '--all')).exitCode).toBe(0);
    expect(await readdir(join(cache, 'op-sdk', 'testenv'))).toEqual([]);
  });

  test('--dry-run removes nothing', async () => {
    const folder = await fakeVersion('1.35.0');
    const { stdout } = await cli('testenv', 'remove', '--all', '--dry-run');
    expect(stdout).toBe(`would remove Kubernetes 1.35.0: ${folder}\n`);
    expect(await readdir(join(cache, 'op-sdk', 'testenv'))).toEqual(['1.35.0']);
  });

  test.each([
    [['remove'], 'cli/missing-value', 2],
    [['remove', '--all', '--version', '1.35.0'], 'cli/invalid-value', 2],
    [['remove', '--version', '1.35.0'], 'testenv/not-installed', 1],
  ])('%j is refused with %s', async (argv, code, exitCode) => {
    const run = await cli('testenv', ...argv);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(`error[${code}]`);
  });
});

describe('testenv install', () => {
  test('names every way to get the binaries when none works', async () => {
    const { exitCode, stdout, stderr } = await cli('testenv', 'install', '--version', '1.35.2');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('error[testenv/no-binaries]');
    expect(stderr).toContain('http://127.0.0.1:1/index.yaml');
    expect(stderr).toContain('`go` was not found on the PATH');
    expect(stderr).toContain('KUBEBUILDER_ASSETS');
    expect(stderr).toContain('install Go 1.25 or newer');
    expect(await readdir(join(cache, 'op-sdk', 'testenv'))).toEqual([]);
  });

  test('a missing kube-controller-manager is a warning', async () => {
    const folder = await fakeVersion('1.35.2');
    const { exitCode, stdout, stderr } = await cli('testenv', 'install', '--version', '1.35.2');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `Kubernetes 1.35.2 is in ${folder}\n` });
    expect(stderr).toContain('warning[testenv/no-binaries]');
    expect(stderr).toContain('op-sdk testenv run --no-controller-manager');
  });

  test('--dry-run says what is missing', async () => {
    const folder = await fakeVersion('1.35.2');
    const { stdout } = await cli('testenv', 'install', '--version', '1.35.2', '--dry-run');
    expect(stdout).toBe(`would install kube-controller-manager into ${folder}\n`);
  });
});

describe('testenv run', () => {
  test('a kubeconfig that is a folder is said before anything is started', async () => {
    const { exitCode, stderr } = await cli('testenv', 'run', '--kubeconfig', '.');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error[io/cannot-read]');
    expect(stderr).toContain('EISDIR');
  });

  test('--dry-run starts nothing and writes nothing', async () => {
    const file = join(cache, 'kubeconfig');
    const { exitCode, stdout } = await cli('testenv', 'run', '--kubeconfig', file, '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`would start a control plane and write ${file} for as long as it runs\n`);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  test.each([
    ['many', ['--nodes', 'many'], "--nodes: expected a number from 0 to 99, got 'many'"],
    ['without the controller manager', ['--nodes', '1', '--no-controller-manager'], 'exclude each other'],
  ])('nodes are refused: %s', async (_, flags, message) => {
    const { exitCode, stderr } = await cli('testenv', 'run', ...flags);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  test('refuses to overwrite a file that it has not written', async () => {
    await writeFile(
      join(cache, 'config'),
      'apiVersion: v1\nkind: Config\nclusters: [{ name: production }]\n',
    );
    const { exitCode, stderr } = await cli('testenv', 'run', '--kubeconfig', 'config');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error[testenv/foreign-file]');
  });
});
