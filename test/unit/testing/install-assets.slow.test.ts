import { access, chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../src/base/errors/index.ts';
import { installAssets, listAssets, resolveAssets } from '../../../src/testing/index.ts';
import { serveFiles, type FileServer } from './file-server.ts';
import { archive, archiveName, sha512, version } from './published-archive.ts';

let folder: string;
let cache: string;
let server: FileServer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-test-'));
  cache = join(folder, 'op-sdk', 'testenv');
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true });
});

async function serve(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  server = await serveFiles(files);
  return server.url;
}

/** Serves an index and an archive. @returns the URL of the index */
async function publish(
  content: Uint8Array = archive,
  hash = sha512(content),
  others: readonly string[] = [],
): Promise<string> {
  const files: Record<string, string | Uint8Array> = { '/archive.tar.gz': content };
  const base = await serve(files);
  files['/index.yaml'] = [
    'releases:',
    `    v${version}:`,
    `        ${archiveName}:`,
    `            hash: ${hash}`,
    `            selfLink: ${base}/archive.tar.gz`,
    '    v1.35.0: {}',
    '    v1.34.0: {}',
    ...others,
  ].join('\n');
  return `${base}/index.yaml`;
}

/**
 * Puts a `go` on the PATH that answers as the real one does: a downloaded go.mod, and programs that say how they were
 * built. `script` is JavaScript that runs before.
 */
async function fakeGo(script = ''): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const goMod = [
    'module k8s.io/kubernetes',
    'go 1.25.0',
    'require (',
    '\tgo.etcd.io/etcd/server/v3 v3.6.5 // indirect',
    ')',
    'replace (',
    '\tk8s.io/api => ./staging/src/k8s.io/api',
    ')',
  ].join('\n');
  await writeFile(join(bin, 'kubernetes.mod'), goMod);
  await writeFile(
    join(bin, 'go'),
    [
      `#!${process.execPath}`,
      `const fs = require('node:fs');`,
      `const args = process.argv.slice(2);`,
      script,
      `if (args[0] === 'mod') {`,
      `  console.error('go: downloading');`,
      `  console.log(JSON.stringify({ GoMod: ${JSON.stringify(join(bin, 'kubernetes.mod'))} }));`,
      `} else {`,
      `  const output = args[args.indexOf('-o') + 1];`,
      `  const told = { args, goMod: fs.readFileSync('go.mod', 'utf8'), cgo: process.env.CGO_ENABLED, os: process.env.GOOS };`,
      `  fs.writeFileSync(output, JSON.stringify(told), { mode: 0o755 });`,
      `}`,
    ].join('\n'),
  );
  await chmod(join(bin, 'go'), 0o755);
  return bin;
}

function env(more: Readonly<Record<string, string>> = {}) {
  return {
    XDG_CACHE_HOME: folder,
    PATH: '',
    OPSDK_ENVTEST_INDEX: 'http://127.0.0.1:1/index.yaml',
    OPSDK_KUBERNETES_RELEASES: 'http://127.0.0.1:1',
    ...more,
  };
}

async function failureOf(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isOpSdkError(error)) throw new Error(`not an OpSdkError: ${String(error)}`);
  return error.findings[0];
}

const quiet = { progress: () => undefined };

describe('OPSDK_ENVTEST_SHA512', () => {
  const install = async (index: string, digest: string, lines: string[] = []) =>
    installAssets({
      version,
      env: env({ OPSDK_ENVTEST_INDEX: index, OPSDK_ENVTEST_SHA512: digest }),
      progress: (line) => lines.push(line),
    });

  test('takes an archive that has it, in capitals too', async () => {
    const { binaries } = await install(await publish(), sha512(archive).toUpperCase());
    expect(binaries).toMatchObject({ etcd: 'archive', 'kube-apiserver': 'archive' });
  });

  test('refuses an archive that the index vouches for, and builds nothing instead', async () => {
    const lines: string[] = [];
    const found = await failureOf(install(await publish(), '0'.repeat(128), lines));
    expect(found?.code).toBe('testenv/checksum-mismatch');
    expect(found?.message).toContain(`is ${sha512(archive)}; OPSDK_ENVTEST_SHA512 says 0000`);
    expect(lines.join('\n')).not.toContain('building');
    expect((await listAssets(env())).length).toBe(0);
  });

  test('takes an archive whose entry in the index is wrong', async () => {
    await install(await publish(archive, 'f'.repeat(128)), sha512(archive));
    expect(server?.requests).toEqual(['/index.yaml', '/archive.tar.gz']);
  });
});

describe('the published archive', () => {
  test('is shown with its SHA-512 where only the index vouches for it', async () => {
    const lines: string[] = [];
    const index = await publish();
    await installAssets({
      version,
      env: env({ OPSDK_ENVTEST_INDEX: index }),
      progress: (line) => lines.push(line),
    });
    expect(lines).toContain(`its SHA-512 is ${sha512(archive)}, as the index says`);
  });

  test('is downloaded, checked and extracted, once', async () => {
    const index = await publish();
    const request = { version, env: env({ OPSDK_ENVTEST_INDEX: index }), ...quiet };
    const assets = await installAssets(request);
    expect(assets).toEqual({
      version,
      folder: join(cache, version),
      binaries: { etcd: 'archive', 'kube-apiserver': 'archive', kubectl: 'archive' },
    });
    expect((await readdir(assets.folder)).sort()).toEqual([
      'assets.json',
      'etcd',
      'kube-apiserver',
      'kubectl',
    ]);
    expect(await readFile(join(assets.folder, 'etcd'), 'utf8')).toBe('the etcd');
    expect(await readdir(cache)).toEqual([version]);

    await installAssets(request);
    expect(server?.requests).toEqual(['/index.yaml', '/archive.tar.gz']);
  });

  test('is found beside entries that cannot be read', async () => {
    const odd = [
      '    v1.33.0:',
      '        envtest-v1.33.0-linux-amd64.tar.gz:',
      '            hash: 12345',
      '            selfLink: https://example.com/archive.tar.gz',
      '    v1.32.0: odd',
    ];
    const index = await publish(archive, sha512(archive), odd);
    const { binaries } = await installAssets({ version, env: env({ OPSDK_ENVTEST_INDEX: index }), ...quiet });
    expect(binaries.etcd).toBe('archive');
  });

  test('whose own entry cannot be read is refused with what is wrong in it', async () => {
    const index = await publish(archive, '12345');
    const finding = await failureOf(
      installAssets({ version, env: env({ OPSDK_ENVTEST_INDEX: index }), ...quiet }),
    );
    expect(finding.message).toContain(
      `is not a release index: releases["v${version}"]["${archiveName}"].hash: expected a string, got a number`,
    );
  });

  test('with another SHA-512 than the index says, nothing is installed and nothing else is tried', async () => {
    const index = await publish(archive, sha512(Buffer.from('another')));
    const bin = await fakeGo();
    const finding = await failureOf(
      installAssets({ version, env: env({ OPSDK_ENVTEST_INDEX: index, PATH: bin }), ...quiet }),
    );
    expect(finding.code).toBe('testenv/checksum-mismatch');
    expect(finding.message).toContain(sha512(archive));
    expect(await readdir(cache)).toEqual([]);
  });

  test('that is damaged in spite of its SHA-512 is not used', async () => {
    const index = await publish(archive.subarray(0, archive.length - 40));
    const finding = await failureOf(
      installAssets({ version, env: env({ OPSDK_ENVTEST_INDEX: index }), ...quiet }),
    );
    expect(finding.code).toBe('testenv/no-binaries');
    expect(finding.message).toContain('cannot be extracted');
    expect(await readdir(cache)).toEqual([]);
  });

  test('an index without the version names the neighbours', async () => {
    const index = await publish();
    const finding = await failureOf(
      installAssets({ version: '1.35.9', env: env({ OPSDK_ENVTEST_INDEX: index }), ...quiet }),
    );
    expect(finding.message).toContain('does not list');
    expect(finding.message).toContain('v1.35.2, v1.35.0');
    expect(finding.message).not.toContain('v1.34.0');
  });

  test.each([
    ['what is not YAML', 'releases: [', 'is not a release index'],
    ['an empty file', '', 'is not a release index'],
  ])('an index that is %s', async (_name, content, expected) => {
    const base = await serve({ '/index.yaml': content });
    const finding = await failureOf(
      installAssets({ version, env: env({ OPSDK_ENVTEST_INDEX: `${base}/index.yaml` }), ...quiet }),
    );
    expect(finding.message).toContain(expected);
  });
});

describe('the build from Go modules', () => {
  test('runs when no archive is published', async () => {
    const bin = await fakeGo();
    const lines: string[] = [];
    const assets = await installAssets({
      version,
      controllerManager: true,
      env: env({ PATH: `/does/not/exist${delimiter}${bin}`, GOOS: 'plan9' }),
      progress: (line) => lines.push(line),
    });
    expect(assets.binaries).toEqual({ etcd: 'go', 'kube-apiserver': 'go', 'kube-controller-manager': 'go' });
    const told = JSON.parse(await readFile(join(assets.folder, 'kube-apiserver'), 'utf8')) as {
      args: string[];
      goMod: string;
    };
    expect(told).toMatchObject({ cgo: '0' });
    expect(told).not.toHaveProperty('os');
    expect(told.args.at(-1)).toBe('k8s.io/kubernetes/cmd/kube-apiserver');
    expect(told.args.join(' ')).toContain('-X k8s.io/component-base/version.gitVersion=v1.35.2');
    expect(told.goMod).toContain('k8s.io/api => k8s.io/api v0.35.2');
    expect(lines).toContain('building kube-controller-manager (3 of 3)');
    expect(await readdir(cache)).toEqual([version]);
  });

  test('adds kube-controller-manager to what the archive gave', async () => {
    const index = await publish();
    const bin = await fakeGo();
    const request = { version, env: env({ OPSDK_ENVTEST_INDEX: index, PATH: bin }), ...quiet };
    await installAssets(request);
    const assets = await installAssets({ ...request, controllerManager: true });
    expect(assets.binaries).toEqual({
      etcd: 'archive',
      'kube-apiserver': 'archive',
      kubectl: 'archive',
      'kube-controller-manager': 'go',
    });
    expect(await readFile(join(assets.folder, 'etcd'), 'utf8')).toBe('the etcd');
    expect(await listAssets(request.env)).toEqual([assets]);
  });

  test('that fails shows what Go said, and leaves nothing', async () => {
    const bin = await fakeGo(
      `if (args.at(-1).endsWith('kube-apiserver')) { console.error('out of memory'); process.exit(2); }`,
    );
    const finding = await failureOf(installAssets({ version, env: env({ PATH: bin }), ...quiet }));
    expect(finding.code).toBe('testenv/no-binaries');
    expect(finding.message).toContain('`go build` failed while building kube-apiserver (2 of 2)');
    expect(finding.message).toContain('out of memory');
    expect(await readdir(cache)).toEqual([]);
  });

  test.each([
    ['while it starts Go', (abort: () => void) => abort()],
    ['while Go runs', (abort: () => void) => void setTimeout(abort, 200)],
  ])('that is interrupted %s leaves nothing, and the next one works', async (_when, soon) => {
    const bin = await fakeGo(`if (args[0] === 'build') return setTimeout(() => undefined, 1e9);`);
    const abort = new AbortController();
    const interrupted = installAssets({
      version,
      env: env({ PATH: bin }),
      signal: abort.signal,
      progress: (line) => {
        if (line.startsWith('building')) soon(() => abort.abort(new Error('interrupted')));
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(await readdir(cache)).toEqual([]);

    await rm(bin, { recursive: true });
    const again = await fakeGo();
    await installAssets({ version, env: env({ PATH: again }), ...quiet });
    expect(await readdir(cache)).toEqual([version]);
  });

  test('leftovers of a machine that lost power are removed', async () => {
    await mkdir(join(cache, `.partial-${version}-abcdef`, 'binaries'), { recursive: true });
    const bin = await fakeGo();
    await installAssets({ version, env: env({ PATH: bin }), ...quiet });
    expect(await readdir(cache)).toEqual([version]);
  });

  test('two at once build once', async () => {
    const bin = await fakeGo(`fs.appendFileSync(${JSON.stringify(join(folder, 'calls'))}, args[0] + '\\n');`);
    const request = { version, env: env({ PATH: bin }) };
    const lines: string[] = [];
    const progress = (line: string): void => void lines.push(line);
    const [first, second] = await Promise.all([
      installAssets({ ...request, progress }),
      installAssets({ ...request, progress }),
    ]);
    expect(first).toEqual(second);
    expect(await readFile(join(folder, 'calls'), 'utf8')).toBe('mod\nbuild\nbuild\n');
    expect(lines).toContain(`waiting for process ${process.pid}, which is installing Kubernetes ${version}`);
  });
});

test('a cache that cannot be written to is not reported as a bug', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const finding = await failureOf(installAssets({ version, env: env({ XDG_CACHE_HOME: file }), ...quiet }));
  expect(finding).toMatchObject({
    code: 'io/cannot-write',
    where: { file: join(file, 'op-sdk', 'testenv') },
    message: expect.stringContaining('ENOTDIR') as string,
  });
});

describe('with neither network nor Go', () => {
  test('one error names what was tried and every way to get the binaries', async () => {
    const finding = await failureOf(installAssets({ version, env: env(), ...quiet }));
    expect(finding.code).toBe('testenv/no-binaries');
    expect(finding.message).toContain('etcd, kube-apiserver of Kubernetes 1.35.2');
    expect(finding.message).toContain('the published archive: http://127.0.0.1:1/index.yaml');
    expect(finding.message).toContain('a build from Go modules: `go` was not found on the PATH');
    expect(finding.fix?.join('\n')).toContain('KUBEBUILDER_ASSETS');
    expect(finding.fix?.join('\n')).toContain('op-sdk testenv install --version 1.35.2');
    expect(finding.fix?.join('\n')).toContain('Go 1.25 or newer');
  });
});

describe('KUBEBUILDER_ASSETS', () => {
  test('is used before everything else', async () => {
    for (const name of ['etcd', 'kube-apiserver']) {
      await writeFile(join(folder, name), '');
      await chmod(join(folder, name), 0o755);
    }
    const assets = await resolveAssets({ env: env({ KUBEBUILDER_ASSETS: folder }) });
    expect(assets).toEqual({ folder, from: 'KUBEBUILDER_ASSETS' });
    await expect(access(cache)).rejects.toThrow('ENOENT');
  });

  test('without all binaries is an error that names those that are missing', async () => {
    await writeFile(join(folder, 'etcd'), '');
    await chmod(join(folder, 'etcd'), 0o755);
    await writeFile(join(folder, 'kube-apiserver'), 'not executable', { mode: 0o644 });
    const finding = await failureOf(
      resolveAssets({ env: env({ KUBEBUILDER_ASSETS: folder }), controllerManager: true }),
    );
    expect(finding.code).toBe('testenv/missing-binaries');
    expect(finding.message).toContain(
      'but the folder lacks the executables kube-apiserver, kube-controller-manager',
    );
  });
});
