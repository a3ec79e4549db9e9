import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConfigMap, Container, Pod, Secret } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { PodFolder } from '../../../../../src/testing/node/processes/pod-folder.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pod-folder-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const tokenMount = '/var/run/secrets/kubernetes.io/serviceaccount';
const container: Container = {
  name: 'app',
  image: 'app',
  volumeMounts: [
    { name: 'config', mountPath: '/etc/app' },
    { name: 'config', mountPath: '/etc/one', subPath: 'color' },
    { name: 'data', mountPath: '/data' },
    { name: 'data', mountPath: '/data/deep', subPath: 'a/b' },
    { name: 'scratch', mountPath: '/tmp/app' },
    { name: 'token', mountPath: tokenMount },
  ],
};
const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'ns', uid: 'u1', labels: { app: 'web' } },
  spec: {
    containers: [container],
    volumes: [
      { name: 'config', configMap: { name: 'settings' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'scratch', emptyDir: {} },
      {
        name: 'token',
        projected: {
          sources: [
            { serviceAccountToken: { path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            {
              downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] },
            },
            { secret: { name: 'login', items: [{ key: 'user', path: 'more/user' }] } },
          ],
        },
      },
    ],
  },
};

function folderOf(settings: Record<string, string>, asked: string[] = []): PodFolder {
  return new PodFolder(
    { pod, podIP: '127.70.0.1', hostIP: '127.70.254.1' },
    {
      root,
      sources: {
        configMap: (_namespace, name) =>
          name === 'settings' ? ({ data: settings } as unknown as ConfigMap) : undefined,
        secret: () => ({ data: { user: Buffer.from('anna').toString('base64') } }) as unknown as Secret,
      },
      volumeOf: (_namespace, claim) => `pvc-${claim}`,
      token: () => {
        asked.push('token');
        return Promise.resolve({ token: `t${asked.length}`, renewAfter: 60_000 });
      },
      kubeconfig: (_pod, file) => `tokenFile: ${file}`,
      caCertificate: 'CERTIFICATE',
    },
  );
}

const read = (path: string): Promise<string> => readFile(path, 'utf8');

test('volumes are folders for this user alone, with the files that a kubelet writes', async () => {
  const settings: Record<string, string> = { color: 'red' };
  const asked: string[] = [];
  const folder = folderOf(settings, asked);
  await folder.make();
  const mounts = await folder.mounts(container, {});
  const at = (mount: string, file = ''): string => join(mounts[mount] ?? 'missing', file);
  expect(await read(at('/etc/app', 'color'))).toBe('red');
  expect(await read(at(tokenMount, 'token'))).toBe('t1');
  expect(await read(at(tokenMount, 'ca.crt'))).toBe('CERTIFICATE');
  expect(await read(at(tokenMount, 'namespace'))).toBe('ns');
  expect(await read(at(tokenMount, 'more/user'))).toBe('anna');
  expect((await stat(at('/tmp/app'))).mode & 0o777).toBe(0o700);
  expect((await stat(at(tokenMount, 'token'))).mode & 0o777).toBe(0o600);
  expect(await read((await folder.kubeconfig(mounts)) ?? '')).toBe(`tokenFile: ${at(tokenMount, 'token')}`);

  settings['color'] = 'blue';
  await folder.update();
  expect(await read(at('/etc/app', 'color'))).toBe('blue');
  // A subPath is the file of the start.
  expect(await read(at('/etc/one'))).toBe('red');
  expect(asked).toEqual(['token']);

  await writeFile(at('/data/deep', 'kept'), 'x');
  expect(await read(at('/data', 'a/b/kept'))).toBe('x');
  await folder.remove();
  await expect(stat(folder.path)).rejects.toThrow('ENOENT');
  expect(await read(at('/data', 'a/b/kept'))).toBe('x');
});

test.each(['..', '../other', 'a/../../b', '/etc'])(
  'a subPath from a variable stays in its volume: %s',
  async (path) => {
    const folder = folderOf({ color: 'red' });
    await folder.make();
    const mount = { name: 'data', mountPath: '/data', subPathExpr: '$(WHERE)' };
    const asked = folder.mounts({ ...container, volumeMounts: [mount] }, { WHERE: path });
    await expect(asked).rejects.toThrow('must be relative and without ".."');
    await folder.remove();
  },
);
