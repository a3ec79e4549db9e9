// What a whole process waits for in vain, and its end: after SIGTERM, and after it has lost the lead.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCluster } from '../../../../src/sdk/kube/index.ts';
import { sharedControlPlane } from '../../../helpers/control-plane.ts';
import { tcpProxy, type TcpProxy } from '../kube/support/tcp-proxy.ts';
import { bundleOperator } from './bundle-operator.ts';

const source = `
import { createManager, defineController, externalResource, operatorMain } from './src/index.ts';
const ConfigMap = externalResource({ group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' });
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({
    name: 'waits', ...flags, gracefulShutdownTimeout: '2s',
    leaderElection: { id: process.env.LEASE, namespace: 'default', leaseDuration: '5s', renewDeadline: '4s', retryPeriod: '1s' },
  });
  manager.add(defineController({ for: ConfigMap, async reconcile() {} }));
  manager.add({ name: 'deaf', run: () => process.env.DEAF === undefined ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, 600_000)) });
  try {
    await manager.run({ signal });
  } finally {
    if (process.env.DEAF_END !== undefined) await new Promise((resolve) => setTimeout(resolve, 600_000));
  }
});
`;

let folder: string;
let adminText: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'opsdk-hanging-'));
  adminText = readFileSync((await sharedControlPlane()).kubeconfig, 'utf8');
  await bundleOperator(source, folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Config {
  readonly clusters: { cluster: Record<string, string> }[];
  readonly users: { user: Record<string, unknown> }[];
}

interface Scene {
  readonly kubeconfig: string;
  readonly env?: Readonly<Record<string, string>>;
  /** From now on it hangs. */
  begin(): void;
  end?(): Promise<void>;
}

let count = 0;
const write = (config: Config): string => {
  count += 1;
  const path = join(folder, `kubeconfig-${count}`);
  writeFileSync(path, JSON.stringify(config));
  return path;
};
const admin = (): Config => load(adminText) as Config;

/** A plugin, deaf to SIGTERM, that gives the administrator's certificate for 3 s, until it hangs. */
function plugin(): Scene {
  const config = admin();
  const data = (field: string): string =>
    Buffer.from(String(config.users[0]?.user[field]), 'base64').toString('utf8');
  count += 1;
  const hangs = join(folder, `hangs-${count}`);
  const status = {
    clientCertificateData: data('client-certificate-data'),
    clientKeyData: data('client-key-data'),
  };
  const script = `process.on('SIGTERM', () => {});
    if (require('node:fs').existsSync(${JSON.stringify(hangs)})) setInterval(() => {}, 1000);
    else console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1',
      status: { ...${JSON.stringify(status)}, expirationTimestamp: new Date(Date.now() + 3000).toISOString() } }));`;
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
    command: process.execPath,
    args: ['-e', script],
  };
  for (const each of config.users) each.user = { exec };
  return { kubeconfig: write(config), begin: () => writeFileSync(hangs, '') };
}

/** The way to the API server, which goes dead. */
async function frozen(): Promise<Scene> {
  const config = admin();
  const proxy: TcpProxy = await tcpProxy(
    await loadCluster({ kubeconfig: (await sharedControlPlane()).kubeconfig }),
  );
  for (const { cluster } of config.clusters) cluster['server'] = proxy.cluster.server.origin;
  return {
    kubeconfig: write(config),
    begin: () => {
      proxy.freeze();
      proxy.refuse(true);
    },
    end: () => proxy.close(),
  };
}

const deaf = (env: Readonly<Record<string, string>>) => async (): Promise<Scene> => ({
  ...(await frozen()),
  env,
});

const scenes: Readonly<Record<string, () => Scene | Promise<Scene>>> = {
  'a credential plugin': plugin,
  'an API server that does not answer': frozen,
  'a runnable that obeys no signal': deaf({ DEAF: 'yes' }),
  'the end of main': deaf({ DEAF_END: 'yes' }),
};

async function outcome(scene: Scene, how: 'SIGTERM' | 'lost lead'): Promise<{ code: unknown; log: string }> {
  count += 1;
  const child = spawn(
    process.execPath,
    [
      join(folder, 'main.mjs'),
      `--kubeconfig=${scene.kubeconfig}`,
      '--health-probe-bind-address=0',
      '--metrics-bind-address=0',
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LEASE: `waits-${process.pid}-${count}`, ...scene.env },
    },
  );
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'exit');
  try {
    await expect.poll(() => log, { timeout: 60_000 }).toContain('Starting workers');
    scene.begin();
    if (how === 'SIGTERM') child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return { code, log };
  } finally {
    child.kill('SIGKILL');
    await scene.end?.();
  }
}

describe.skipIf(process.platform === 'win32').concurrent('the process of an operator ends', () => {
  // Far less than what hangs would take; the process itself takes seconds.
  test.each(Object.entries(scenes))(
    'after it has lost the lead, with %s that hangs',
    { timeout: 180_000 },
    async (_name, scene) => {
      const { code, log } = await outcome(await scene(), 'lost lead');
      expect(code).toBe(1);
      expect(log).toContain('Lost the lead');
    },
  );

  test.each(Object.entries(scenes))(
    'after SIGTERM, with %s that hangs',
    { timeout: 180_000 },
    async (_name, scene) => {
      const { code, log } = await outcome(await scene(), 'SIGTERM');
      expect([0, 1]).toContain(code);
      expect(log).toContain('Stopping');
    },
  );
});

test('nothing of a plugin is left behind', () => {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  expect(lines.filter((line) => line.includes(join(folder, 'hangs-')))).toEqual([]);
});
