// The binary of an operator as its own process: signals and exit codes.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigMap } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { bundleOperator } from './bundle-operator.ts';
import {
  sharedControlPlane,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { httpsGet } from '../../../helpers/https-get.ts';

/** Reconciles ConfigMaps; how long that takes is in their data. */
const source = `
import { createManager, defineController, externalResource, operatorMain } from './src/index.ts';
const ConfigMap = externalResource({ group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' });
const controller = defineController({
  for: ConfigMap,
  async reconcile(map, { client, key, signal }) {
    const takes = Number(map.data?.takes);
    if (map.data?.breaks === 'rejection') void Promise.reject(new Error('nobody caught this'));
    if (map.data?.breaks === 'exception') setTimeout(() => { throw new Error('nobody caught this'); });
    if (Number.isNaN(takes) || map.data.done !== undefined) return;
    console.log(JSON.stringify({ msg: 'begin', name: key.name }));
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, takes);
      signal.addEventListener('abort', () => { clearTimeout(timer); resolve(); });
    });
    if (!signal.aborted) await client.apply(ConfigMap, { metadata: key, data: { done: 'yes' } });
  },
});
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({ name: 'process-test', ...flags });
  manager.add(controller);
  await manager.run({ signal });
});
`;

let folder: string;
let plane: SharedControlPlane;
let client: KubeClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'opsdk-process-'));
  plane = await sharedControlPlane();
  client = createClient({
    cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
    fieldManager: 'test',
  });
  await bundleOperator(source, folder);
});
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true });
});

function start(...flags: string[]) {
  const child = spawn(process.execPath, [join(folder, 'main.mjs'), ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    ended: ended.then(([code]) => code),
    out: () => out,
    err: () => err,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** An operator for one namespace, with a ConfigMap whose reconcile has begun. */
async function startReconciling(takes: number, data: Record<string, string> = {}) {
  const namespace = await uniqueNamespace(plane);
  const operator = start(
    `--kubeconfig=${plane.kubeconfig}`,
    `--namespace=${namespace}`,
    '--health-probe-bind-address=127.0.0.1:0',
  );
  const key = { name: 'work', namespace };
  await client.create(ConfigMap, { metadata: key, data: { ...data, takes: String(takes) } });
  await eventually(() => operator.out().includes('"begin"'), { timeout: 60_000 });
  return { operator, key };
}

describe('the process of an operator', () => {
  test('finishes what it does on SIGTERM and exits 0', async () => {
    const { operator, key } = await startReconciling(2000);
    await using _ = operator;
    operator.kill('SIGTERM');
    expect(await operator.ended, operator.out() + operator.err()).toBe(0);
    expect((await client.get(ConfigMap, key)).data?.['done']).toBe('yes');
    const lines = operator
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.map(({ msg }) => msg).slice(-2)).toEqual(['Stopping', 'Stopped']);
    expect(operator.err()).toBe('');
  });

  test.each(['rejection', 'exception'])(
    'logs an %s that nobody caught as JSON, finishes what it does and exits 1',
    async (breaks) => {
      const { operator, key } = await startReconciling(2000, { breaks });
      await using _ = operator;
      expect(await operator.ended, operator.out() + operator.err()).toBe(1);
      const lines = operator
        .out()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { level: string; msg: string });
      expect(lines.filter(({ level }) => level === 'fatal')).toMatchObject([
        { msg: expect.stringMatching(/; stopping$/), error: { message: 'nobody caught this' } },
      ]);
      expect(lines.map(({ msg }) => msg).slice(-2)).toEqual(['Stopping', 'Stopped']);
      expect(operator.err()).toBe('');
      expect((await client.get(ConfigMap, key)).data?.['done']).toBe('yes');
    },
  );

  test('does not wait after a second signal: exits 1 and says what was left', async () => {
    const { operator, key } = await startReconciling(3_600_000);
    await using _ = operator;
    operator.kill('SIGTERM');
    await eventually(() => operator.out().includes('"Stopping"'));
    operator.kill('SIGINT');
    expect(await operator.ended).toBe(1);
    expect(operator.out()).toContain(
      `still running at the second signal: reconcile of ConfigMap ${key.namespace}/work`,
    );
    expect((await client.get(ConfigMap, key)).data).not.toHaveProperty('done');
  });

  test.each([
    [['--metrics-secure=yes'], 2, 'error[runtime/invalid-flag-value]'],
    [['--nonsense'], 2, 'error[runtime/unknown-flag]'],
    [['--metrics-bind-address=8080'], 2, 'error[runtime/invalid-flag-value]'],
  ])('with %j exits %i', async (flags, code, text) => {
    await using operator = start(...flags);
    expect(await operator.ended).toBe(code);
    expect(operator.err()).toContain(text);
    expect(operator.out()).toBe('');
  });

  test('serves metrics over HTTPS from its bundle, to nobody without a token', async () => {
    await using operator = start(
      `--kubeconfig=${plane.kubeconfig}`,
      '--health-probe-bind-address=0',
      '--metrics-bind-address=127.0.0.1:0',
    );
    const port = (): number => Number(/"metrics":(\d+),"msg":"Serving"/.exec(operator.out())?.[1]);
    await eventually(() => port() > 0, { timeout: 60_000 });
    expect((await httpsGet(port(), '/metrics')).status).toBe(401);
  });

  test('shows its flags and exits 0', async () => {
    await using operator = start('--help');
    expect(await operator.ended).toBe(0);
    expect(operator.out()).toContain('--kubeconfig=<file>');
  });

  test.skipIf(spawnSync('script', ['--version']).status !== 0)(
    'writes lines for people on a terminal, and JSON there too if it is asked to',
    () => {
      const onTerminal = (flag: string): string => {
        const command = `${process.execPath} ${join(folder, 'main.mjs')} --kubeconfig=/does/not/exist ${flag}`;
        const env: NodeJS.ProcessEnv = { ...process.env, TERM: 'xterm' };
        delete env['NO_COLOR'];
        delete env['FORCE_COLOR'];
        return spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env }).stdout;
      };
      const text = onTerminal('');
      expect(text).toContain('\u001b[31mERROR\u001b[39m Problem running the operator');
      // Not a second time beside the log.
      expect(text.match(/error\[kube\/kubeconfig-unreadable\]/g)).toHaveLength(1);
      expect(onTerminal('--log-format=json')).toMatch(/^\{"level":"error"/);
    },
  );

  test('without a cluster exits 1, with the findings in its log', async () => {
    await using operator = start('--kubeconfig=/does/not/exist');
    expect(await operator.ended).toBe(1);
    expect(JSON.parse(operator.out())).toMatchObject({
      level: 'error',
      msg: 'Problem running the operator',
      error: { findings: [{ code: 'kube/kubeconfig-unreadable' }] },
    });
  });
});
