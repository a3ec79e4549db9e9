// Every command of the guides, run in the order of the page: in a project made from the packed tarball, against a real API
// server, and with registries in this process in the place of registry.example.com and docker.io.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiOf } from '../../scripts/lib/api.mjs';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { startRegistry, type MemoryRegistry } from '../../scripts/lib/registry.mjs';
import { root } from '../../scripts/lib/run.mjs';
import {
  buildImage,
  createLayer,
  joinPlatforms,
  parseReference,
  resolvePlace,
  storeImage,
} from '../../src/images/index.ts';
import { pushImage } from '../../src/images/registry/push-image.ts';
import { resolveAssets, startControlPlane, type ControlPlane } from '../../src/testing/index.ts';
import { createCertificateAuthority } from '../../src/sdk/x509/certificate-authority.ts';
import { npmSettings } from '../helpers/npm-settings.ts';
import { copyFreshProject, copyNginxProject } from '../helpers/shared-projects.ts';
import {
  isInstalled,
  isShown,
  readGuide,
  runScript,
  titleOf,
  toolsOf,
  type CommandBlock,
} from '../helpers/guide.ts';

const user = { name: 'jo', password: 'a secret of Jo' };

let scratch: string;
let env: NodeJS.ProcessEnv;
let plane: ControlPlane;
let registry: MemoryRegistry & AsyncDisposable;
let secure: { readonly host: string; readonly certificate: string; close(): Promise<void> };
let kubelet: { stop(): Promise<void> };

/** What calls op-sdk as npx does in a project, without npm's second of work to find it. Only docs/tour.md goes the whole way. */
function withQuickNpx(): NodeJS.ProcessEnv {
  const folder = join(scratch, 'quick');
  mkdirSync(folder, { recursive: true });
  const script =
    '#!/bin/sh\n[ "$1" = --no ] && shift\ncommand=$1\nshift\nexec "./node_modules/.bin/$command" "$@"\n';
  writeFileSync(join(folder, 'npx'), script, { mode: 0o755 });
  return { ...env, PATH: `${folder}${delimiter}${env['PATH']}` };
}

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-docs-'));
  registry = await startRegistry();
  secure = await startSecureRegistry();
  env = {
    PATH: process.env['PATH'],
    HOME: scratch,
    XDG_CACHE_HOME: join(scratch, 'cache'),
    REGISTRY_USER: user.name,
    REGISTRY_PASSWORD: user.password,
    // Its home is empty; what is installed on this machine is not installed again.
    KUBEBUILDER_ASSETS: (await resolveAssets({ controllerManager: true })).folder,
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
    ...(await npmSettings()),
  };
  await provideBases();
  plane = await startControlPlane({ controllerManager: true });
  env['KUBECONFIG'] = plane.kubeconfig;
  kubelet = actAsKubelet(apiOf(plane));
});

afterAll(async () => {
  await kubelet?.stop();
  await plane?.stop();
  await secure?.close();
  await registry?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** A tiny image for two platforms in the place of Node: nothing of it is run here. */
function baseImage() {
  const layer = createLayer([{ path: 'etc/base', content: Buffer.from('base') }], 'test');
  const images = ['amd64', 'arm64'].map((architecture) =>
    buildImage({ format: 'oci', platform: { os: 'linux', architecture }, layers: [layer], config: {} }),
  );
  return joinPlatforms(images, 'oci');
}

/** Puts a base into the registry, under all names that the guides give it. */
async function provideBases(): Promise<void> {
  const { signal } = new AbortController();
  for (const name of ['library/node:24-slim', 'base/node:24'])
    await pushImage(parseReference(`${registry.host}/${name}`, 'test'), baseImage(), { env: {}, signal });
}

/** What the guide has skopeo carry over, which has to be told that the registry speaks plain HTTP. */
async function provideLayout(project: string): Promise<void> {
  if (isInstalled('skopeo', env['PATH'] ?? '')) {
    const folder = join(scratch, '.config', 'containers');
    mkdirSync(folder, { recursive: true });
    const insecure = `[[registry]]\nlocation = "${registry.host}"\ninsecure = true\n`;
    return writeFileSync(join(folder, 'registries.conf'), insecure);
  }
  const { signal } = new AbortController();
  await storeImage(resolvePlace(project, 'base'), 'node:24', baseImage(), { remove: 'replaced', signal });
}

/** A registry behind TLS of an authority of its own, for those who have a password. */
async function startSecureRegistry(): Promise<typeof secure> {
  const expected = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
  const inner = await startRegistry({
    intercept(request, response) {
      if (request.headers.authorization === expected) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end();
      return true;
    },
  });
  const authority = createCertificateAuthority('the authority of the example');
  const { certificate, key } = authority.issue({
    commonName: 'registry',
    usage: 'server',
    ipAddresses: ['127.0.0.1'],
  });
  const server = createServer({ cert: certificate, key }, (socket) => {
    const onward = connect(Number(inner.host.split(':')[1]), '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as { port: number }).port}`,
    certificate: authority.certificate,
    async close() {
      server.close();
      await inner.close();
    },
  };
}

/** Makes every Pod ready, as a node would that ran it. */
function actAsKubelet(api: ReturnType<typeof apiOf>): { stop(): Promise<void> } {
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  let stopped = false;
  async function look(): Promise<void> {
    while (!stopped) {
      const { body } = await api.request('GET', '/api/v1/pods');
      for (const { metadata, status: now } of body.items) {
        if (now.phase === 'Running') continue;
        const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/status`;
        await api.request('PATCH', path, JSON.stringify({ status }), 'application/merge-patch+json');
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  const looking = look();
  return {
    stop() {
      stopped = true;
      return looking;
    },
  };
}

interface Page {
  readonly path: string;
  /** Puts the project into a folder, from which the page starts. */
  readonly project: (folder: string) => Promise<void>;
  /** What stands for registry.example.com. */
  readonly host: () => string;
  readonly prepare?: (folder: string) => Promise<void>;
}

/** What a guide takes for granted that another one has brought about. */
async function makeBundle(folder: string): Promise<void> {
  const tag = `${secure.host}/team/nginx-operator-bundle:v0.1.0`;
  const script = [
    'npx --no op-sdk generate kustomize manifests --display-name N --description D --provider P --keywords k --maintainers J:j@example.com',
    'npx --no op-sdk generate bundle --version 0.1.0',
    `npx --no op-sdk bundle build --tag ${tag}`,
  ].join('\n');
  const { code, output } = await runScript(script, { cwd: folder, env });
  expect(code, output).toBe(0);
  writeFileSync(join(folder, 'registry-ca.pem'), secure.certificate);
}

/** For a guide that installs more of them: other pages share what the project began with. */
async function copyDependencies(folder: string): Promise<void> {
  const shared = join(folder, 'node_modules');
  const from = realpathSync(shared);
  rmSync(shared);
  await cp(from, shared, { recursive: true, verbatimSymlinks: true });
}

/** Two at a time; those that deploy to the cluster one after the other. */
const tracks: readonly { readonly title: string; readonly pages: readonly Page[] }[] = [
  {
    title: 'on the cluster',
    pages: [
      { path: 'docs/create-api.md', project: copyFreshProject, host: () => registry.host },
      { path: 'docs/create-webhook.md', project: copyFreshProject, host: () => registry.host },
      { path: 'docs/webhooks.md', project: copyFreshProject, host: () => registry.host },
      { path: 'docs/migration.md', project: copyFreshProject, host: () => registry.host },
      { path: 'docs/monitoring.md', project: copyFreshProject, host: () => registry.host },
      { path: 'docs/dev.md', project: copyFreshProject, host: () => registry.host },
      { path: 'docs/kustomize.md', project: copyNginxProject, host: () => registry.host },
      { path: 'docs/deploy.md', project: copyNginxProject, host: () => registry.host },
      { path: 'docs/tour.md', project: copyFreshProject, host: () => registry.host },
    ],
  },
  {
    title: 'beside it',
    pages: [
      {
        path: 'docs/images.md',
        project: copyNginxProject,
        host: () => registry.host,
        prepare: provideLayout,
      },
      { path: 'docs/bundles.md', project: copyNginxProject, host: () => registry.host },
      {
        path: 'docs/catalogues.md',
        project: copyNginxProject,
        host: () => registry.host,
        prepare: makeBundle,
      },
      {
        path: 'docs/scorecard.md',
        project: copyNginxProject,
        host: () => registry.host,
        prepare: makeBundle,
      },
      { path: 'docs/certificates.md', project: copyFreshProject, host: () => registry.host },
      {
        path: 'docs/versions.md',
        project: copyFreshProject,
        host: () => registry.host,
        prepare: copyDependencies,
      },
      { path: 'docs/crd/import.md', project: copyFreshProject, host: () => registry.host },
      { path: 'docs/crd/diff.md', project: copyFreshProject, host: () => registry.host },
      { path: 'docs/crd/test.md', project: copyFreshProject, host: () => registry.host },
      { path: 'docs/coming-from-kubebuilder.md', project: copyFreshProject, host: () => registry.host },
      { path: 'docs/registries.md', project: copyNginxProject, host: () => secure.host, prepare: makeBundle },
    ],
  },
];

describe.concurrent.each(tracks)('$title', ({ pages }) => {
  describe.sequential.each(pages)('$path', runPage);
});

function runPage({ path, project, host, prepare }: Page): void {
  const steps = readGuide(readFileSync(join(root, path), 'utf8'));
  let folder: string;

  beforeAll(async () => {
    folder = join(scratch, path.replaceAll(/\W/g, '-'), 'nginx-operator');
    await project(folder);
    // The guides build for themselves.
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    await prepare?.(folder);
  });

  test('has commands', () => {
    expect(steps.filter(({ kind }) => kind === 'commands').length).toBeGreaterThan(2);
  });

  for (const step of steps) {
    if (step.kind === 'file') {
      test(`${path}:${step.line} writes ${step.path}`, () => {
        mkdirSync(dirname(join(folder, step.path)), { recursive: true });
        writeFileSync(join(folder, step.path), step.content);
      });
      continue;
    }
    test(`${path}:${step.line} ${titleOf(step)}`, async (context) => {
      const reason = whyNot(step);
      if (reason !== undefined) return context.skip(reason);
      const { code, output } = await runBlock(step, {
        cwd: folder,
        env: path === 'docs/tour.md' ? env : withQuickNpx(),
        host: host(),
      });
      if (step.shown !== undefined && !isShown(step.shown, output)) expect(output).toBe(step.shown);
      if (step.mark === 'fails') expect(code, output).toBe(/\btsc\b/.test(step.script) ? 2 : 1);
      else if (step.mark !== 'runs') expect(code, output).toBe(0);
    });
  }
}

function whyNot({ mark, script }: CommandBlock): string | undefined {
  if (mark === 'setup' || mark === 'elsewhere') return 'for the clone, or for another terminal';
  if (mark === 'container-tool') return 'needs docker or podman; test/peers/image builds the same Dockerfile';
  const missing = toolsOf(script).filter((tool) => !isInstalled(tool, env['PATH'] ?? ''));
  return missing.length === 0 ? undefined : `${missing.join(', ')} is not installed`;
}

async function runBlock(
  { script, shown = '', mark }: CommandBlock,
  { cwd, env, host }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly host: string },
): ReturnType<typeof runScript> {
  const probes = `--metrics-bind-address=0 --health-probe-bind-address=127.0.0.1:${await freePort()}`;
  const here = script
    .replaceAll('registry.example.com', host)
    .replaceAll('docker.io/library/node', `${registry.host}/library/node`)
    // Nobody has Docker Hub, or two free ports of its choice, while tests run.
    .replace(
      /op-sdk image build(?!.*--base)/g,
      `op-sdk image build --base ${registry.host}/library/node:24-slim`,
    )
    .replace(/op-sdk (run|dev --samples)$/gm, `op-sdk $1 -- ${probes}`);
  const asShown = (output: string): string =>
    output
      .replaceAll(`${registry.host}/library/node`, 'docker.io/library/node')
      .replaceAll(host, 'registry.example.com');
  const until = mark === 'runs' ? (output: string) => isShown(shown, asShown(output)) : undefined;
  const { code, output } = await runScript(here, { cwd, env, ...(until === undefined ? {} : { until }) });
  return { code, output: asShown(output) };
}
