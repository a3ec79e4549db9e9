// The operator's image: built without a daemon, run by runc as a Pod would run it; and the same operator from the Dockerfile.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { apiOf, until } from '../../../scripts/lib/api.mjs';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { nginxProjectSteps, packPackage } from '../../../scripts/lib/nginx-project.mjs';
import { readImage, startRegistry, type MemoryRegistry } from '../../../scripts/lib/registry.mjs';
import { must, root } from '../../../scripts/lib/run.mjs';
import { startControlPlane, type ControlPlane } from '../../../src/testing/index.ts';
import { readGuide, runScript, titleOf, type CommandBlock } from '../../helpers/guide.ts';
import { statusOf } from '../../helpers/operator-process.ts';
import { buildah, pushBuildBase, pushNodeBase } from './base-images.ts';

const tools = ['buildah', 'skopeo', 'umoci', 'runc', 'ldd'];
const missing = tools.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
const cannot =
  missing.length > 0
    ? `not installed: ${missing.join(', ')}`
    : process.getuid?.() !== 0
      ? 'only root can run containers here'
      : undefined;

let scratch: string;
let project: string;
let plane: ControlPlane;
let registry: MemoryRegistry;

const opSdk = (...args: string[]) =>
  must('npx', ['--no-install', 'op-sdk', ...args], {
    cwd: project,
    capture: true,
    env: { ...process.env, KUBECONFIG: plane.kubeconfig },
  });

function skipWhereImpossible(context: TestContext): void {
  if (cannot !== undefined) context.skip(cannot);
}

beforeAll(async () => {
  if (cannot !== undefined) return;
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-image-'));
  project = join(scratch, 'nginx-operator');
  // vite 8.4.0 names an optional package that registries may lack: npm leaves it out of the lock file, and `npm ci` then misses it.
  process.env['npm_config_before'] = '2026-11-25T00:00:00Z';
  registry = await startRegistry();
  const tarball = await packPackage(join(scratch, 'package'));
  for (const { action } of nginxProjectSteps({ folder: project, tarball, quiet: true })) await action();
  plane = await startControlPlane({ controllerManager: true });
  await opSdk('deploy', '--no-wait', '--image', `${registry.host}/example/nginx-operator:v0.1.0`);
  await pushNodeBase(`${registry.host}/base/node:24-slim`);
});

afterAll(async () => {
  if (cannot !== undefined) return;
  await plane?.stop();
  await registry?.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe('the image of the operator', () => {
  const reference = (): string => `${registry.host}/example/nginx-operator:v0.1.0`;

  test('AS8.3: is built on a base from a registry, and pushed: one layer more, non-root', async (context) => {
    skipWhereImpossible(context);
    const base = `${registry.host}/base/node:24-slim`;
    await opSdk('image', 'build', '--tag', reference(), '--base', base, '--push');
    const { config, files } = readImage(registry, 'example/nginx-operator', 'v0.1.0');
    expect(config.config).toMatchObject({
      User: '65532:65532',
      WorkingDir: '/app',
      Entrypoint: ['node', '--enable-source-maps', '/app/main.mjs'],
    });
    expect(config.rootfs.diff_ids).toHaveLength(
      readImage(registry, 'base/node', '24-slim').config.rootfs.diff_ids.length + 1,
    );
    expect(sha256(files['app/main.mjs'] ?? '')).toBe(sha256(readFileSync(join(project, 'dist/main.mjs'))));
  });

  test('runs as PID 1 and uid 65532 on a read-only root, becomes ready, and ends with 0 on SIGTERM', async (context) => {
    skipWhereImpossible(context);
    const bundle = await unpack(reference());
    const port = await freePort();
    await prepareBundle(bundle, port);
    const id = `op-sdk-${process.pid}`;
    const container = spawn('runc', ['run', '--bundle', bundle, id], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = outputOf(container);
    const ended = once(container, 'exit') as Promise<[number | null]>;
    try {
      await until('readyz in the container', async () => {
        if (container.exitCode !== null) throw new Error(`the container ended:\n${output()}`);
        return (await statusOf(`http://127.0.0.1:${port}/readyz`)) === 200;
      });
      const [pid] = JSON.parse(
        spawnSync('runc', ['ps', '--format', 'json', id], { encoding: 'utf8' }).stdout,
      );
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(/^Uid:\s+65532\s+65532\s+65532\s+65532$/m);
      expect(status).toMatch(/^NSpid:\s+\d+\s+1$/m);
      expect(status).toMatch(/^CapEff:\s+0+$/m);
      await apiOf(plane).apply({
        apiVersion: 'operator.example.com/v1alpha1',
        kind: 'NginxOperator',
        metadata: { name: 'cluster', namespace: 'default' },
        spec: { replicas: 1 },
      });
      await until('the Deployment', () => apiOf(plane).get('Deployment', 'cluster'));
      spawnSync('runc', ['kill', id, 'TERM']);
      const [code] = await ended;
      expect(code, output()).toBe(0);
    } finally {
      spawnSync('runc', ['delete', '--force', id]);
    }
  });

  test('the Dockerfile builds with buildah and --build-arg, and holds the same program', async (context) => {
    skipWhereImpossible(context);
    await pushBuildBase(`${registry.host}/base/node:24`);
    const image = `${registry.host}/example/from-dockerfile:v0.1.0`;
    await buildah(
      [
        ...['build', '--isolation', 'chroot', '--network', 'host', '--tls-verify=false'],
        ...['--build-arg', `BUILD_IMAGE=${registry.host}/base/node:24`],
        ...['--build-arg', `BASE_IMAGE=${registry.host}/base/node:24-slim`],
        ...['--tag', image, '.'],
      ],
      project,
    );
    await buildah(['push', '--tls-verify=false', image]);
    await buildah(['rmi', '--force', image]);
    const built = readImage(registry, 'example/from-dockerfile', 'v0.1.0');
    const ours = readImage(registry, 'example/nginx-operator', 'v0.1.0');
    expect(sha256(built.files['app/main.mjs'] ?? '')).toBe(sha256(ours.files['app/main.mjs'] ?? ''));
    for (const field of ['User', 'WorkingDir', 'Entrypoint'])
      expect(built.config.config[field], field).toEqual(ours.config.config[field]);
  });
});

describe.skipIf(cannot !== undefined)(
  'the commands of docs/images.md with docker and podman, run with buildah',
  () => {
    const blocks = readGuide(readFileSync(join(root, 'docs/images.md'), 'utf8')).filter(
      (step): step is CommandBlock => step.kind === 'commands' && step.mark === 'container-tool',
    );

    test.each(blocks.map((block) => [titleOf(block), block.script]))(
      '%s',
      async (_, script) => {
        const bin = containerTools();
        // What the guide names: images that only a registry outside has.
        const here = script.replaceAll('registry.example.com', registry.host);
        const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
        const ended = await runScript(here, { cwd: project, env, timeout: 240_000 });
        expect(ended.code, ended.output).toBe(0);
      },
      250_000,
    );
  },
);

/** A folder with a docker and a podman that are buildah, and know the base images of this test by their usual names. */
function containerTools(): string {
  const bin = join(scratch, 'tools');
  mkdirSync(bin, { recursive: true });
  const program = `#!/bin/sh
command=$1; shift
case "$command $*" in
  build*BASE_IMAGE*) exec buildah build --isolation chroot --network host --tls-verify=false "$@" ;;
  build*) exec buildah build --isolation chroot --network host --tls-verify=false \\
    --build-arg BUILD_IMAGE=${registry.host}/base/node:24 --build-arg BASE_IMAGE=${registry.host}/base/node:24-slim "$@" ;;
  push*) exec buildah push --tls-verify=false "$@" ;;
esac
echo "$command is not needed" >&2
exit 1
`;
  for (const tool of ['docker', 'podman']) writeFileSync(join(bin, tool), program, { mode: 0o755 });
  return bin;
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** Everything that a process has said so far. */
function outputOf(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => (text += part));
  return () => text;
}

/** The image as a bundle of the OCI runtime specification. @returns its folder */
async function unpack(reference: string): Promise<string> {
  const layout = join(scratch, 'layout');
  const bundle = join(scratch, 'container');
  await must('skopeo', [
    'copy',
    '--quiet',
    '--src-tls-verify=false',
    `docker://${reference}`,
    `oci:${layout}:operator`,
  ]);
  await must('umoci', ['unpack', '--image', `${layout}:operator`, bundle], { quiet: true });
  return bundle;
}

/** What is changed of the configuration of a container. Source: OCI runtime-spec, config.md. */
interface RuntimeConfig {
  process: {
    terminal: boolean;
    user: { uid: number; gid: number };
    args: string[];
    capabilities: object;
    noNewPrivileges: boolean;
  };
  root: { readonly: boolean };
  mounts: { destination: string; type: string; source: string; options: string[] }[];
  linux: { namespaces: { type: string }[]; resources?: object };
}

/** What a kubelet does for the scaffolded Deployment: restricted security, read-only root, a mounted token, the host's network. */
async function prepareBundle(bundle: string, healthPort: number): Promise<void> {
  const { text } = await plane.serviceAccountKubeconfig(
    'nginx-operator-system',
    'nginx-operator-controller-manager',
  );
  const kubeconfig = join(scratch, 'kubeconfig');
  writeFileSync(kubeconfig, text);
  chmodSync(kubeconfig, 0o644);
  const file = join(bundle, 'config.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as RuntimeConfig;
  expect(config.process.user).toMatchObject({ uid: 65532, gid: 65532 });
  config.process.terminal = false;
  config.process.args.push('--kubeconfig=/kubeconfig', `--health-probe-bind-address=127.0.0.1:${healthPort}`);
  config.process.capabilities = {};
  config.process.noNewPrivileges = true;
  config.root.readonly = true;
  config.mounts = config.mounts.filter(({ destination }) =>
    ['/proc', '/dev', '/dev/pts', '/dev/shm', '/dev/mqueue'].includes(destination),
  );
  config.mounts.push({
    destination: '/kubeconfig',
    type: 'bind',
    source: kubeconfig,
    options: ['rbind', 'ro'],
  });
  config.linux.namespaces = ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type }));
  delete config.linux.resources;
  writeFileSync(file, JSON.stringify(config));
}
