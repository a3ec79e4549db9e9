// Commands, logs and ports of a Pod: what pretended nodes and a real kubelet do alike.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Writable, type Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClient, loadCluster, type KubeClient, type ObjectKey } from '../../src/sdk/kube/index.ts';
import { Pod, ServiceAccount } from '../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../src/testing/index.ts';
import { serviceAccountToken } from './service-account.ts';
import {
  begun,
  container,
  logOf,
  namespace,
  patience,
  shell,
  startShell,
  type PodStreams,
} from './shell-pod.ts';

const megabyte = 1024 * 1024;

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

/** Makes the digest of what it gets. */
class Digest extends Writable {
  readonly #hash = createHash('sha256');

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#hash.update(chunk);
    done();
  }

  get hex(): string {
    return this.#hash.copy().digest('hex');
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns a client that has a token instead of the credentials of a kubeconfig. The caller closes it. */
export async function clientWithToken(kubeconfig: string, token: string): Promise<KubeClient> {
  const cluster = await loadCluster({ kubeconfig });
  return createClient({
    cluster: {
      ...cluster,
      server: cluster.server,
      proxy: cluster.proxy,
      tls: async () => ({ ...(await cluster.tls()), cert: undefined, key: undefined }),
      credentials: { headers: () => ({ authorization: `Bearer ${token}` }), refresh: () => false },
    },
    fieldManager: 'guest',
  });
}

/** Requests for the streams of a Pod, and the rights that each needs. */
const streamsOf = (client: KubeClient, pod: ObjectKey) => [
  { right: "resources: ['pods/exec'], verbs: ['", call: () => client.exec(pod, { command: ['true'] }) },
  { right: "resources: ['pods/log'], verbs: ['get']", call: () => logOf(client, pod.name) },
  { right: "resources: ['pods/portforward'], verbs: ['", call: () => client.portForward(pod, 7000) },
];

interface NodeTraits {
  /** Maximum number of bytes that are on their way to a slow reader, in buffers of sockets and pipes. */
  readonly onItsWay: number;
}

/** Defines the tests. The Pod {@link shell} must be ready when they run. */
export function podStreamCases(of: () => PodStreams, { onItsWay }: NodeTraits): void {
  const run = (script: string, more: object = {}) =>
    of().client.exec(shell, { container, command: ['sh', '-c', script], ...more });

  test.each([
    ['exit 0', 0],
    ['exit 7', 7],
    ['no-such-program', 127],
    ['kill -9 $$', 137],
  ])('the exit code of %s is %d', async (script, exitCode) => {
    expect((await run(script)).exitCode).toBe(exitCode);
  });

  test('a command has the environment, the mounts and the words that it was given', async () => {
    const script = 'printf "%s|%s" "$0" "$(cat "$COLOR_FILE" /etc/settings/color)"; echo é >&2';
    const command = ['sh', '-c', script, 'a b&c=é'];
    expect(await of().client.exec(shell, { container, command })).toEqual({
      exitCode: 0,
      stdout: 'a b&c=é|redred',
      stderr: 'é\n',
    });
  });

  test('a command that cannot be started is an error', async () => {
    await expect(of().client.exec(shell, { command: ['/no/such/program'] })).rejects.toThrow(
      /^create pods\/exec default\/shell: .*error executing command in container: /,
    );
  });

  test('the only container needs no name, and a text is the input', async () => {
    const { stdout } = await of().client.exec(shell, { command: ['cat'], stdin: 'häuser' });
    expect(stdout).toBe('häuser');
  });

  test('a command may end before it has read its input', async () => {
    // More is lost by some container runtimes, with the end of the command.
    const stdin = Buffer.alloc(32 * 1024);
    const command = ['head', '-c', '3'];
    expect(await of().client.exec(shell, { command, stdin })).toMatchObject({ exitCode: 0 });
  });

  test('10 MB pass through both outputs of a command unchanged', async () => {
    const stdin = randomBytes(10 * megabyte);
    const [stdout, stderr] = [new Digest(), new Digest()];
    expect(await run('cat', { stdin, stdout })).toMatchObject({ exitCode: 0 });
    // The shell keeps its stdout open: containerd ends the input of a command that has closed an output.
    expect(await run('cat >&2; exit', { stdin, stderr })).toMatchObject({ exitCode: 0 });
    expect([stdout.hex, stderr.hex]).toEqual([sha256(stdin), sha256(stdin)]);
  });

  test('a slow reader slows the command and its source down', async () => {
    const size = Math.max(10 * megabyte, 2 * onItsWay);
    const [stdout, part] = [new SlowReader(), Buffer.alloc(256 * 1024, 'x')];
    let asked = 0;
    let furthest = 0;
    async function* source(): AsyncGenerator<Buffer> {
      for (; asked < size; asked += part.length) {
        furthest = Math.max(furthest, asked - stdout.count);
        yield part;
        await Promise.resolve();
      }
      // Two seconds after the end of a command, containerd drops what was not read of its output: the command ends when all of it was.
      await eventually(() => expect(stdout.count).toBe(size), patience);
    }
    expect(await run('cat', { stdin: source(), stdout })).toMatchObject({ exitCode: 0 });
    expect(stdout.count).toBe(size);
    expect(stdout.mostWaiting).toBeLessThan(megabyte);
    expect(furthest).toBeLessThan(onItsWay);
  });

  /** Starts a script. Resolves with its process id when it runs. */
  async function begin(script: string, stdin?: AsyncIterable<string>) {
    const [stop, stdout] = [new AbortController(), new PassThrough()];
    const ended = run(`echo $$; ${script}`, { stdout, stdin, signal: stop.signal });
    const [pid] = (await Promise.race([once(stdout, 'data'), ended.then(() => [])])) as [Buffer];
    stdout.resume();
    return { pid: Number(pid.toString()), stop, ended };
  }
  const isRunning = async (pid: number): Promise<boolean> =>
    (await run(`kill -0 ${pid} 2>/dev/null`)).exitCode === 0;
  async function* endless(): AsyncGenerator<string> {
    yield 'first';
    await new Promise(() => undefined);
  }

  test.each([
    ['reads', 'exec cat', endless()],
    ['writes', 'while :; do echo alive; sleep 0.1; done', undefined],
  ])('an abort ends a command that %s, and gives its reason', async (_, script, stdin) => {
    const { pid, stop, ended } = await begin(script, stdin);
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(ended).rejects.toBe(reason);
    await eventually(async () => expect(await isRunning(pid)).toBe(false), patience);
  });

  test('an abort does not end a command that neither reads nor writes, as Kubernetes has no signal for it', async () => {
    const { pid, stop, ended } = await begin('exec sleep 1000');
    stop.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    expect(await isRunning(pid)).toBe(true);
    expect((await run(`kill ${pid}`)).exitCode).toBe(0);
  });

  test('a Pod that is deleted takes its commands, logs and ports along', async () => {
    const { client } = of();
    const short = { name: 'short', namespace };
    await startShell(of(), short.name);
    const stdout = new PassThrough();
    const command = ['sh', '-c', 'echo begun; exec sleep 1000'];
    const running = client.exec(short, { command, stdout });
    const lines = client.logs(short, { follow: true })[Symbol.asyncIterator]();
    const first = [await lines.next(), await lines.next()].map(({ value }) => value as string);
    expect(first.sort()).toEqual(['ready', 'é']);
    const port = await client.portForward(short, 7000);
    const closed = once(port.resume(), 'close');
    port.write('ping');
    await Promise.all([once(stdout, 'data'), once(port, 'data')]);
    await client.delete(Pod, short, { gracePeriodSeconds: 0 });
    expect(await running).toMatchObject({ exitCode: 137 });
    expect(await lines.next()).toMatchObject({ done: true });
    await closed;
    const written = new Promise((resolve) => port.write('more', resolve));
    expect(await written).toBeInstanceOf(Error);
    await eventually(async () => expect(await client.find(Pod, short)).toBeUndefined(), patience);
    for (const { call } of streamsOf(client, short))
      await expect(call()).rejects.toMatchObject({ code: 'kube/not-found' });
  });

  test('output that does not fit into a result is an error with its way out', async () => {
    await expect(run('head -c 20000000 /dev/zero')).rejects.toMatchObject({
      code: 'kube/bad-response',
      findings: [{ fix: ['give exec a stream for it: stdout or stderr'] }],
    });
  });

  test('an error of the given stream ends the command', async () => {
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')) });
    await expect(run('yes', { stdout })).rejects.toThrow('disk full');
  });

  test('logs come line by line, and their end is found', async () => {
    const { client } = of();
    expect(begun(await logOf(client, shell.name))).toBe(true);
    const last = await logOf(client, shell.name, { tailLines: 1, timestamps: true });
    expect(last).toMatch(/^\d{4}-.*Z (ready|é)$/);
  });

  test('logs are of one container and one run of it, and of a time', async () => {
    const { client, image } = of();
    const two = { name: 'two', namespace };
    const steady = 'echo one; sleep 2; echo two; exec sleep 1000';
    await client.create(Pod, {
      metadata: two,
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          { name: 'steady', image, command: ['sh', '-c', steady] },
          { name: 'crashing', image, command: ['sh', '-c', 'echo last words; exit 3'] },
        ],
      },
    });
    const read = (options: object): Promise<string> => logOf(client, two.name, options);
    const crashed = { container: 'crashing', previous: true };
    await eventually(async () => expect(await read(crashed)).toBe('last words'), patience);
    await eventually(async () => expect(await read({ container: 'steady' })).toBe('one\ntwo'), patience);
    const [, second = ''] = (await read({ container: 'steady', timestamps: true })).split('\n');
    const since = new Date(second.split(' ', 1)[0] ?? '');
    expect(await read({ container: 'steady', since })).toBe('two');
    expect(await read({ container: 'steady', sinceSeconds: 3600, limitBytes: 5 })).toBe('one\nt');
    const refused = (options: object, message: string) =>
      expect(read(options)).rejects.toMatchObject({
        status: 400,
        serverMessage: expect.stringContaining(message) as string,
      });
    await refused({}, 'a container name must be specified for pod two, choose one of: [steady crashing]');
    await refused({ container: 'other' }, 'container other is not valid for pod two');
    await refused({ container: 'steady', previous: true }, 'previous terminated container "steady"');
    await expect(client.exec(two, { container: 'other', command: ['ls'] })).rejects.toMatchObject({
      status: 400,
      serverMessage: 'container other is not valid for pod two',
    });
    await client.delete(Pod, two, { gracePeriodSeconds: 0 });
  });

  test('logs that are followed wait for a slow reader, and end with the signal', async () => {
    const { client } = of();
    const stop = new AbortController();
    const count = 10_240;
    let long = 0;
    let port: Duplex | undefined;
    const read = async (): Promise<void> => {
      let lines = 0;
      for await (const line of client.logs(shell, { follow: true, container, signal: stop.signal })) {
        port ??= await client.portForward(shell, 7000);
        if (lines === 0) port.write(`log ${count}`);
        lines += 1;
        if (line.length === 1023) long += 1;
        if (lines % 100 === 0) await sleep(1);
        if (line === 'end') stop.abort(new Error('enough'));
      }
    };
    await expect(read()).rejects.toThrow('enough');
    port?.destroy();
    expect(long).toBe(count);
  });

  test('ports are streams in both directions, any number at once', async () => {
    const bytes = randomBytes(10 * megabyte);
    const echo = async (): Promise<string> => {
      const [port, back] = [await of().client.portForward(shell, 7000), createHash('sha256')];
      const all = (async () => {
        let count = 0;
        for await (const chunk of port as AsyncIterable<Buffer>) {
          back.update(chunk);
          count += chunk.length;
          if (count === bytes.length) break;
        }
      })();
      port.write(bytes);
      await all;
      port.destroy();
      return back.digest('hex');
    };
    const digests = await Promise.all([echo(), echo(), echo()]);
    expect(digests).toEqual(Array<string>(3).fill(sha256(bytes)));
  });

  test('a port on which nobody listens is an error', async () => {
    const port = await of().client.portForward(shell, 7001);
    const [error] = (await once(port, 'error')) as [Error];
    expect(error).toMatchObject({
      code: 'kube/connection-lost',
      message: expect.stringMatching(/create pods\/portforward default\/shell: .*refused/i) as string,
    });
  });

  test('credentials and permissions are those of the connection', async () => {
    const { client, kubeconfig } = of();
    const account = { name: 'guest', namespace };
    const token = await serviceAccountToken(client, namespace, [], account.name);
    const guest = await clientWithToken(kubeconfig, token);
    const nobody = await clientWithToken(kubeconfig, 'wrong');
    for (const { call } of streamsOf(nobody, shell))
      await expect(call()).rejects.toMatchObject({ code: 'kube/unauthorized' });
    for (const { right, call } of streamsOf(guest, shell))
      await expect(call()).rejects.toMatchObject({
        code: 'kube/forbidden',
        findings: [{ fix: [expect.stringContaining(`{ apiGroups: [''], ${right}`) as string] }],
      });
    await Promise.all([guest.close(), nobody.close(), client.delete(ServiceAccount, account)]);
  });
}
