// kube-controller-manager from the archive of a release, which is used only with a SHA-512 that op-sdk or the user names.
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installAllAssets, installAssets } from '../../../src/testing/index.ts';
import { goPlatform } from '../../../src/testing/assets/download-archive.ts';
import { downloadServers } from '../../../src/testing/assets/release-archive.ts';
import { serveFiles, type FileServer } from './file-server.ts';
import { archive, archiveName, sha512, version } from './published-archive.ts';
import { tar, type TarEntry } from './tar.ts';

const isLinux = process.platform === 'linux';
const path = `/v${version}/kubernetes-server-${goPlatform()}.tar.gz`;
const program = 'kubernetes/server/bin/kube-controller-manager';
const release = releaseOf({ name: program, content: Buffer.from('the controllers') });

let folder: string;
let server: FileServer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-test-'));
  await mkdir(join(folder, 'work'));
  await mkdir(join(folder, 'target'));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true });
});

function releaseOf(...entries: readonly TarEntry[]): Buffer {
  return gzipSync(
    tar([
      { name: 'kubernetes/server/bin/kube-controller-manager.docker_tag', content: Buffer.from('v1') },
      ...entries,
      { name: 'kubernetes/server/bin/kube-scheduler', content: Buffer.from('the scheduler') },
    ]),
  );
}

/** Downloads from a server that has one release. @returns the names of the programs */
async function downloaded(content: Uint8Array, env: Readonly<Record<string, string>>) {
  server = await serveFiles({ [path]: content });
  const lines: string[] = [];
  const found = await downloadServers({
    version,
    work: join(folder, 'work'),
    target: join(folder, 'target'),
    progress: (line) => lines.push(line),
    signal: undefined,
    env: { OPSDK_KUBERNETES_RELEASES: server.url, ...env },
  });
  return { found, lines };
}

test.runIf(isLinux)('gives kube-controller-manager alone', async () => {
  const { found, lines } = await downloaded(release, {
    OPSDK_KUBERNETES_SHA512: sha512(release).toUpperCase(),
  });
  expect(found).toEqual(['kube-controller-manager']);
  expect(lines).toEqual([`downloading ${server?.url}${path}`]);
  expect(await readdir(join(folder, 'target'))).toEqual(['kube-controller-manager']);
  expect(await readFile(join(folder, 'target/kube-controller-manager'), 'utf8')).toBe('the controllers');
  expect(await readdir(join(folder, 'work'))).toEqual([]);
});

test.runIf(isLinux)(
  'is not downloaded without a SHA-512, and the message says where to find it',
  async () => {
    await expect(downloaded(release, {})).rejects.toThrow(
      `op-sdk knows no SHA-512 of kubernetes-server-${goPlatform()}.tar.gz of ${version}; OPSDK_KUBERNETES_SHA512 gives it one (https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.35.md lists it)`,
    );
    expect(server?.requests).toEqual([]);
  },
);

test.runIf(isLinux)('with another SHA-512 is not extracted', async () => {
  await expect(downloaded(release, { OPSDK_KUBERNETES_SHA512: '0'.repeat(128) })).rejects.toThrow(
    `is ${sha512(release)}; OPSDK_KUBERNETES_SHA512 says 0000`,
  );
  expect(await readdir(join(folder, 'target'))).toEqual([]);
  expect(await readdir(join(folder, 'work'))).toEqual([]);
});

test.runIf(isLinux).each<[string, Buffer, string]>([
  ['is cut off', release.subarray(0, release.length - 40), 'cannot be extracted'],
  ['holds a link of that name', releaseOf({ name: program, type: '2', target: '/bin/sh' }), 'holds no'],
  ['holds no such program', releaseOf(), 'holds no kube-controller-manager'],
])('that %s is not used in spite of its SHA-512', async (_what, content, expected) => {
  await expect(downloaded(content, { OPSDK_KUBERNETES_SHA512: sha512(content) })).rejects.toThrow(expected);
});

test.runIf(isLinux)('writes nothing outside of the folder, whatever the path in the archive is', async () => {
  const content = releaseOf({ name: '../../../kube-controller-manager', content: Buffer.from('outside') });
  await downloaded(content, { OPSDK_KUBERNETES_SHA512: sha512(content) });
  expect(await readdir(folder)).toEqual(['target', 'work']);
  expect(await readdir(join(folder, 'target'))).toEqual(['kube-controller-manager']);
});

test.runIf(isLinux)('completes a control plane on a machine without Go', async () => {
  const files: Record<string, string | Uint8Array> = { '/archive.tar.gz': archive, [path]: release };
  server = await serveFiles(files);
  files['/index.yaml'] =
    `releases:\n  v${version}:\n    ${archiveName}: { hash: ${sha512(archive)}, selfLink: ${server.url}/archive.tar.gz }\n`;
  const env = {
    XDG_CACHE_HOME: folder,
    PATH: '',
    OPSDK_ENVTEST_INDEX: `${server.url}/index.yaml`,
    OPSDK_KUBERNETES_RELEASES: server.url,
  };
  const request = { version, env, progress: () => undefined };
  const without = await installAllAssets(request);
  expect(without.assets.binaries).toEqual({
    etcd: 'archive',
    'kube-apiserver': 'archive',
    kubectl: 'archive',
  });
  expect(without.problems[0]?.message).toContain('the archive of the release: op-sdk knows no SHA-512');
  expect(without.problems[0]?.message).toContain('a build from Go modules: `go` was not found');
  const known = { ...env, OPSDK_KUBERNETES_SHA512: sha512(release) };
  const { assets, problems } = await installAllAssets({ ...request, env: known });
  expect(problems).toEqual([]);
  expect(assets.binaries).toMatchObject({ etcd: 'archive', 'kube-controller-manager': 'release' });
  expect(await installAssets({ ...request, controllerManager: true })).toEqual(assets);
});
