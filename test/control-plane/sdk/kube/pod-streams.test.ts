// Commands, logs and ports of Pods, and evictions: our client, a real API server, and processes as containers.
import { Writable, type Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ApiClient,
  createClient,
  isTooManyRequests,
  loadCluster,
  type KubeClient,
} from '../../../../src/sdk/kube/index.ts';
import { ConfigMap, Pod, ServiceAccount } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { PodDisruptionBudget } from '../../../../src/sdk/k8s/generated/policy/v1.ts';
import { Role, RoleBinding } from '../../../../src/sdk/k8s/generated/rbac/v1.ts';
import { systemClock } from '../../../../src/sdk/net/index.ts';
import { Fence } from '../../../../src/sdk/runtime/election/fence.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { isThorough } from '../../../helpers/thorough.ts';

const namespace = 'default';
const key = { name: 'shell', namespace };
const container = 'main';

/** A server that sends back what it gets, and writes long logs when it is asked. */
const program = `
  import { createServer } from 'node:net';
  const [address] = process.argv.slice(1);
  console.log('ready');
  console.error('é');
  createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('data', (data) => {
      const [, count] = /^log (\\d+)/.exec(data) ?? [];
      if (count === undefined) return socket.write(data);
      process.stdout.write(('x'.repeat(1023) + '\\n').repeat(Number(count)), () => console.log('end'));
    });
  }).listen(7000, address);
`;

/** Takes what it gets slowly, and counts it. */
class SlowReader extends Writable {
  count = 0;
  mostWaiting = 0;

  constructor() {
    super({ highWaterMark: 64 * 1024 });
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.count += chunk.length;
    this.mostWaiting = Math.max(this.mostWaiting, this.writableLength);
    setImmediate(done);
  }
}

describe.skipIf(process.platform !== 'linux')('streams of Pods', () => {
  let plane: ControlPlane;
  let client: KubeClient;

  beforeAll(async () => {
    plane = await startControlPlane({
      nodes: {
        runProcesses: {
          shell: ({ address }) => ({
            file: process.execPath,
            args: ['--input-type=module', '-e', program, '--', address],
          }),
        },
      },
    });
    client = createClient({
      cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
      fieldManager: 'test',
    });
    await client.create(ConfigMap, { metadata: { name: 'settings', namespace }, data: { color: 'red' } });
    await start('shell', 'shell');
    await start('pretended', 'nginx');
  });
  afterAll(async () => {
    await client?.close();
    await plane?.stop();
  });

  async function start(name: string, image: string): Promise<void> {
    await client.create(Pod, {
      metadata: { name, namespace, labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: container,
            image,
            env: [{ name: 'COLOR_FILE', value: '/etc/settings/color' }],
            volumeMounts: [{ name: 'settings', mountPath: '/etc/settings' }],
          },
        ],
        volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
      },
    });
    await eventually(async () => {
      const { status } = await client.get(Pod, { name, namespace });
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
    });
    if (image === 'shell') await eventually(async () => expect(await textOf(name)).toContain('ready'));
  }
  const shell = (script: string, more: object = {}) =>
    client.exec(key, { container, command: ['sh', '-c', script], ...more });
  async function textOf(name: string): Promise<string> {
    const lines: string[] = [];
    for await (const line of client.logs({ name, namespace })) lines.push(line);
    return lines.join('\n');
  }

  test.each([
    ['exit 0', 0],
    ['exit 1', 1],
    ['no-such-program', 127],
    ['kill -9 $$', 137],
  ])('the exit code of %s is %d', async (script, exitCode) => {
    expect((await shell(script)).exitCode).toBe(exitCode);
  });

  test('a command has the environment, the mounts and the words that it was given', async () => {
    const script = 'printf "%s|%s" "$0" "$(cat "$COLOR_FILE" /etc/settings/color)"; echo é >&2';
    const command = ['sh', '-c', script, 'a b&c=é'];
    expect(await client.exec(key, { container, command })).toEqual({
      exitCode: 0,
      stdout: 'a b&c=é|redred',
      stderr: 'é\n',
    });
  });

  test('the only container needs no name, and a text is the input', async () => {
    const { stdout } = await client.exec(key, { command: ['cat'], stdin: 'häuser' });
    expect(stdout).toBe('häuser');
  });

  test('a command that cannot be started is an error', async () => {
    await expect(client.exec(key, { command: ['/no/such/program'] })).rejects.toThrow(
      /^create pods\/exec default\/shell: error executing command in container: .*ENOENT/,
    );
  });

  test('a command may end before it has read its input', async () => {
    const stdin = Buffer.alloc(4 * 1024 * 1024);
    expect(await client.exec(key, { command: ['head', '-c', '3'], stdin })).toMatchObject({ exitCode: 0 });
  });

  test('a slow reader slows the command and its source down', { timeout: 60_000 }, async () => {
    const size = (isThorough ? 64 : 10) * 1024 * 1024;
    const [stdout, part] = [new SlowReader(), Buffer.alloc(256 * 1024, 'x')];
    let asked = 0;
    let furthest = 0;
    async function* source(): AsyncGenerator<Buffer> {
      for (; asked < size; asked += part.length) {
        furthest = Math.max(furthest, asked - stdout.count);
        yield part;
        await Promise.resolve();
      }
    }
    const { exitCode } = await client.exec(key, { container, command: ['cat'], stdin: source(), stdout });
    expect(exitCode).toBe(0);
    expect(stdout.count).toBe(size);
    expect(stdout.mostWaiting).toBeLessThan(1024 * 1024);
    // What is on its way is in buffers of sockets.
    expect(furthest).toBeLessThan(8 * 1024 * 1024);
  });

  test('output that does not fit into a result is an error with its way out', async () => {
    await expect(shell('head -c 20000000 /dev/zero')).rejects.toMatchObject({
      code: 'kube/bad-response',
      findings: [{ fix: ['give exec a stream for it: stdout or stderr'] }],
    });
  });

  test('an aborted signal ends the command and gives its reason', async () => {
    const stop = new AbortController();
    const running = shell('echo $$ > pid; exec sleep 1000', { signal: stop.signal });
    const { stdout: pid } = await eventually(async () => {
      const found = await shell('cat pid; rm pid');
      expect(found.exitCode).toBe(0);
      return found;
    });
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    await eventually(() => expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH'));
  });

  test('a command ends when the operator no longer leads', async () => {
    const fence = new Fence('default/lease', systemClock, () => undefined);
    const guarded = new ApiClient(fence.guard(client.connection), 'test');
    await expect(guarded.exec(key, { command: ['ls'] })).rejects.toMatchObject({
      code: 'runtime/not-leader',
    });
    fence.open(systemClock.now() + 60_000);
    const running = guarded.exec(key, { command: ['sleep', '1000'] });
    setTimeout(() => fence.close(new Error('lost')), 300);
    await expect(running).rejects.toThrow('lost');
  });

  test('an error of the given stream ends the command', async () => {
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')) });
    await expect(shell('yes', { stdout })).rejects.toThrow('disk full');
  });

  test('a Pod that is deleted takes its commands along', async () => {
    await start('short', 'shell');
    const running = client.exec({ name: 'short', namespace }, { command: ['sleep', '1000'] });
    const ended = expect(running).resolves.toMatchObject({ exitCode: 137 });
    await sleep(300);
    await client.delete(Pod, { name: 'short', namespace }, { gracePeriodSeconds: 0 });
    await ended;
    await expect(client.exec({ name: 'short', namespace }, { command: ['ls'] })).rejects.toMatchObject({
      code: 'kube/not-found',
    });
  });

  test('refusals say what is missing', async () => {
    await expect(client.exec(key, { container: 'other', command: ['ls'] })).rejects.toMatchObject({
      status: 400,
      serverMessage: expect.stringContaining('container other') as string,
    });
    await expect(
      client.exec({ name: 'pretended', namespace }, { container, command: ['ls'] }),
    ).rejects.toThrow('pretends to run and has no process');
    await expect(client.exec(key, { command: [] })).rejects.toMatchObject({ code: 'kube/invalid-request' });
  });

  test('credentials and permissions are those of the connection', async () => {
    await client.create(ServiceAccount, { metadata: { name: 'guest', namespace } });
    const { token } = await client
      .subresource(ServiceAccount, { name: 'guest', namespace }, 'token')
      .create<{ status: { token: string } }>({ spec: {} })
      .then(({ status }) => status);
    const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
    const as = (bearer: string): KubeClient =>
      createClient({
        cluster: {
          ...cluster,
          server: cluster.server,
          proxy: cluster.proxy,
          tls: async () => ({ ...(await cluster.tls()), cert: undefined, key: undefined }),
          credentials: { headers: () => ({ authorization: `Bearer ${bearer}` }), refresh: () => false },
        },
        fieldManager: 'guest',
      });
    const [guest, nobody] = [as(token), as('wrong')];
    const command = { command: ['true'] };
    await expect(nobody.exec(key, command)).rejects.toMatchObject({ code: 'kube/unauthorized' });
    await expect(guest.exec(key, command)).rejects.toMatchObject({
      code: 'kube/forbidden',
      findings: [
        {
          fix: [expect.stringContaining("{ apiGroups: [''], resources: ['pods/exec'], verbs: ['") as string],
        },
      ],
    });
    const rules = [{ apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] }];
    await client.create(Role, { metadata: { name: 'exec', namespace }, rules });
    await client.create(RoleBinding, {
      metadata: { name: 'exec', namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'exec' },
      subjects: [{ kind: 'ServiceAccount', name: 'guest', namespace }],
    });
    await eventually(async () => expect((await guest.exec(key, command)).exitCode).toBe(0));
    await Promise.all([guest.close(), nobody.close()]);
  });

  test('logs come line by line, and their end is found', async () => {
    expect(await textOf('shell')).toContain('ready\né');
    const lines: string[] = [];
    for await (const line of client.logs(key, { tailLines: 1, timestamps: true })) lines.push(line);
    expect(lines).toEqual([expect.stringMatching(/^\d{4}-.*Z é$/)]);
    const unknown = client.logs(key, { container: 'other' });
    await expect(unknown[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status: 400 });
  });

  test('logs that are followed wait for a slow reader, and end with the signal', async () => {
    const stop = new AbortController();
    const lines: string[] = [];
    const count = isThorough ? 10_240 : 512;
    let port: Duplex | undefined;
    const read = async (): Promise<void> => {
      for await (const line of client.logs(key, { follow: true, container, signal: stop.signal })) {
        port ??= await client.portForward(key, 7000);
        if (lines.length === 0) port.write(`log ${count}`);
        lines.push(line);
        if (lines.length % 100 === 0) await sleep(1);
        if (line === 'end') stop.abort(new Error('enough'));
      }
    };
    await expect(read()).rejects.toThrow('enough');
    port?.destroy();
    expect(lines.filter((line) => line.length === 1023)).toHaveLength(count);
  });

  test('a port is a stream in both directions', async () => {
    const port = await client.portForward(key, 7000);
    port.write('ping');
    const [first] = await Promise.all([new Promise<Buffer>((resolve) => port.once('data', resolve))]);
    expect(first.toString()).toBe('ping');
    port.destroy();
    const closed = await client.portForward(key, 7001);
    const failure = new Promise((resolve) => closed.once('error', resolve));
    await expect(failure).resolves.toMatchObject({
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  test('a budget forbids an eviction, which callers can tell', async () => {
    await start('guarded', 'nginx');
    const guarded = { name: 'guarded', namespace };
    await client.create(PodDisruptionBudget, {
      metadata: { name: 'guarded', namespace },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'guarded' } } },
    });
    const refusal = await eventually(async () => {
      const error: unknown = await client.evict(guarded, { dryRun: true }).catch((thrown: unknown) => thrown);
      expect(isTooManyRequests(error)).toBe(true);
      return error;
    });
    expect(refusal).toMatchObject({ code: 'kube/too-many-requests' });
    await client.delete(PodDisruptionBudget, guarded);
    await eventually(() => client.evict(guarded, { gracePeriodSeconds: 0 }));
    await eventually(async () => expect(await client.find(Pod, guarded)).toBeUndefined());
    await client.delete(Pod, guarded, { ignoreNotFound: true });
    await expect(client.delete(Pod, guarded)).rejects.toMatchObject({ code: 'kube/not-found' });
  });

  test('a merge patch removes a field by null', async () => {
    const settings = { name: 'settings', namespace };
    await client.mergePatch(ConfigMap, settings, { metadata: { labels: { a: '1' } }, data: { more: 'x' } });
    const { data } = await client.mergePatch(ConfigMap, settings, { data: { more: null } });
    expect(data).toEqual({ color: 'red' });
  });
});
