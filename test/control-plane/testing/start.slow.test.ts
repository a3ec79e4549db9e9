import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../src/base/errors/index.ts';
import { Pod } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster } from '../../../src/sdk/kube/index.ts';
import { apiRequest } from '../../../src/testing/http/api-request.ts';
import { eventually, resolveAssets, startControlPlane } from '../../../src/testing/index.ts';
import { copyGuardianProgram, exists, isAlive, processesWith } from '../../helpers/processes.ts';

let scratch: string;

beforeEach(async () => {
  scratch = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-test-'));
});

afterEach(async () => {
  await rm(scratch, { recursive: true });
});

async function findingsOf(promise: Promise<unknown>) {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isOpSdkError(error)) throw new Error(`not an OpSdkError: ${String(error)}`);
  return error.findings;
}

test('two at once are two clusters, and nothing of them is left', async () => {
  const folders: string[] = [];
  {
    const starting = [startControlPlane(), startControlPlane()] as const;
    await using first = await starting[0];
    await using second = await starting[1];
    folders.push(first.folder, second.folder);
    expect(first.url).not.toBe(second.url);
    const created = await apiRequest(first, {
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'only-in-the-first' } },
    });
    expect(created.status).toBe(201);
    const path = '/api/v1/namespaces/only-in-the-first';
    expect((await apiRequest(first, { path })).status).toBe(200);
    expect((await apiRequest(second, { path })).status).toBe(404);
    await expect(apiRequest({ ...first, url: second.url }, { path })).rejects.toThrow(/certificate/);
  }
  for (const folder of folders) expect(await exists(folder)).toBe(false);
});

test('when its owner is killed, no process and no folder is left', async () => {
  // The owner runs what users run: JavaScript made from our sources.
  const entry = join(import.meta.dirname, '../../../src/testing/index.ts');
  await writeFile(
    join(scratch, 'owner.ts'),
    `import { startControlPlane } from ${JSON.stringify(entry)};
     const sleep = ['-e', 'console.log("up"); setInterval(() => undefined, 1000)'];
     const runProcesses = { sleeper: ({ folder }) => ({ file: process.execPath, args: [...sleep, folder] }) };
     const { folder, kubeconfig } = await startControlPlane({ nodes: { runProcesses } });
     process.send({ folder, kubeconfig });`,
  );
  const outfile = join(scratch, 'owner.mjs');
  await build({
    entryPoints: [join(scratch, 'owner.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
  });
  await copyGuardianProgram(scratch);
  const owner = fork(outfile, [], { execArgv: [] });
  try {
    const [{ folder, kubeconfig }] = (await once(owner, 'message')) as [
      { folder: string; kubeconfig: string },
    ];
    const client = createClient({ cluster: await loadCluster({ kubeconfig }), fieldManager: 'test' });
    const containers = [{ name: 'main', image: 'sleeper' }];
    await client.create(Pod, { metadata: { name: 'sleeper', namespace: 'default' }, spec: { containers } });
    const pidsOf = async () => (await processesWith(folder)).map(({ pid }) => pid);
    // The guardian, etcd, kube-apiserver, kube-controller-manager, and the process of the Pod.
    await eventually(async () => expect(await pidsOf()).toHaveLength(5));
    const pids = await pidsOf();
    await client.close();
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    for (const pid of pids) await eventually(async () => !(await isAlive(pid)));
    expect(await exists(folder)).toBe(false);
  } finally {
    owner.kill('SIGKILL');
  }
});

describe('a start that fails', () => {
  test('shows the end of the log, and leaves nothing', async () => {
    process.env['TMPDIR'] = scratch;
    try {
      const [finding] = await findingsOf(startControlPlane({ apiServerFlags: ['--no-such-flag=1'] }));
      expect(finding?.code).toBe('testenv/start-failed');
      expect(finding?.where).toEqual({ command: 'kube-apiserver' });
      expect(finding?.message).toContain('unknown flag: --no-such-flag');
      await expect(startControlPlane({ startTimeout: 1 })).rejects.toThrow('was not ready within 1 ms');
      expect(await readdir(scratch)).toEqual([]);
    } finally {
      delete process.env['TMPDIR'];
    }
  });

  test('an abort ends it', async () => {
    const abort = new AbortController();
    const starting = startControlPlane({ signal: abort.signal });
    setTimeout(() => abort.abort(new Error('interrupted')), 500);
    await expect(starting).rejects.toThrow('interrupted');
  });

  test('another version than asked for', async () => {
    const { folder } = await resolveAssets();
    const assets = join(scratch, 'assets');
    await mkdir(assets);
    for (const name of ['etcd', 'kube-apiserver']) await symlink(join(folder, name), join(assets, name));
    const [finding] = await findingsOf(startControlPlane({ version: '1.30.1', assets }));
    expect(finding?.code).toBe('testenv/version-mismatch');
    expect(finding?.message).toMatch(/^expected kube-apiserver 1\.30\.1 in .*, got 1\.\d+\.\d+$/);
  });
});

test.runIf(process.platform === 'linux')(
  'nothing but the API server listens on TCP, and only the owner may enter the folder',
  async () => {
    await using plane = await startControlPlane();
    expect((await stat(plane.folder)).mode & 0o777).toBe(0o700);
    const port = Number(new URL(plane.url).port);
    const listening: Record<string, readonly number[]> = {};
    for (const { pid, commandLine } of await processesWith(plane.folder)) {
      const program = /(etcd|kube-apiserver) --/.exec(commandLine)?.[1];
      if (program !== undefined) listening[program] = await listeningPorts(pid);
    }
    expect(listening).toEqual({ etcd: [], 'kube-apiserver': [port] });
  },
);

/** TCP ports on which a process of Linux listens. */
async function listeningPorts(pid: number): Promise<number[]> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')),
  );
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')),
  );
  return tables.flatMap((table) =>
    table.split('\n').flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      const isOwn = state === '0A' && links.includes(`socket:[${inode}]`);
      return isOwn ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
    }),
  );
}

test('a control plane starts in a folder for temporary files with a long name', async () => {
  const long = join(scratch, 'x'.repeat(120));
  await mkdir(long);
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = long;
  try {
    await using plane = await startControlPlane();
    expect(plane.folder.startsWith(long)).toBe(true);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});

describe('without kube-controller-manager', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'web', image: 'nginx' }] },
  };
  const create = async (endpoint: Parameters<typeof apiRequest>[0], namespace: string): Promise<number> => {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    return (await apiRequest(endpoint, { method: 'POST', path, body: pod })).status;
  };

  test('Pods can be created in every namespace at once, also after the API server was killed', async () => {
    await using plane = await startControlPlane();
    const endpoint = { ...plane };
    expect(await create(endpoint, 'default')).toBe(201);
    for (const name of ['first', 'second']) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      expect((await apiRequest(endpoint, { method: 'POST', path: '/api/v1/namespaces', body })).status).toBe(
        201,
      );
      await eventually(async () => expect(await create(endpoint, name)).toBe(201), { timeout: 60_000 });
      await plane.restartApiServer();
    }
  });
});
