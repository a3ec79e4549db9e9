// Each wait of a request on something outside, and the signal that ends it. The same waits of a whole process are in
// test/control-plane/sdk/runtime/hanging-waits.slow.test.ts.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readExecPlugin } from '../../../../src/sdk/kube/cluster/exec-config.ts';
import { execPlugin } from '../../../../src/sdk/kube/cluster/exec-plugin.ts';
import { fileToken } from '../../../../src/sdk/kube/cluster/file-token.ts';
import { pluginCredentials } from '../../../../src/sdk/kube/cluster/plugin-credentials.ts';
import {
  noCredentials,
  openConnection,
  type Cluster,
  type Credentials,
} from '../../../../src/sdk/kube/index.ts';
import { outsideWaits } from '../../../../src/sdk/net/index.ts';
import { createCertificateAuthority } from '../../../../src/sdk/x509/certificate-authority.ts';

let folder: string;
const servers: Server[] = [];
const sockets = new Set<Socket>();
const authority = createCertificateAuthority('waits');
const pair = authority.issue({ commonName: 'waits', usage: 'server', ipAddresses: ['127.0.0.1'] });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'opsdk-waits-'));
});
afterAll(async () => {
  // The plugin and the reader of the pipe go on for those who may ask again; probes of later tests in this process would name them.
  writeFileSync(endOfPlugin(), '');
  await vi.waitFor(
    () => {
      // A reader that opens its pipe later needs another writer.
      for (const path of pipes) closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
      expect(outsideWaits.pending().filter(isOurs)).toEqual([]);
    },
    { timeout: 50_000 },
  );
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  };
  server.on('connection', keep).on('secureConnection', keep);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const endOfPlugin = (): string => join(folder, 'end-of-plugin');
const pluginSubject = /^credential plugin .* of user jane$/;
const isOurs = ({ subject }: { readonly subject: string }): boolean =>
  pluginSubject.test(subject) || subject.includes(folder);

const plugin = (script: string, limit?: number) =>
  pluginCredentials(
    execPlugin(
      readExecPlugin(
        { name: 'jane', value: {}, file: '/kubeconfig' },
        {
          apiVersion: 'client.authentication.k8s.io/v1',
          interactiveMode: 'Never',
          command: process.execPath,
          args: ['-e', script],
        },
      ),
      { env: process.env, clusterInfo: () => Promise.resolve({}), isTerminal: () => false },
      limit,
    ),
  ).credentials;

const pipes: string[] = [];
const pipe = (name: string): string => {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  pipes.push(path);
  return path;
};

interface Case {
  /** What is named while it is waited for. */
  readonly subject: RegExp;
  cluster():
    Promise<Partial<Cluster> & { readonly server: URL }> | (Partial<Cluster> & { readonly server: URL });
  readonly isStream?: boolean;
}

const nowhere = new URL('https://127.0.0.1:1');
const lasting = 'setInterval(() => {}, 1000);';
const withCredentials = (credentials: Credentials) => ({ server: nowhere, credentials });

const cases: Readonly<Record<string, Case>> = {
  'a credential plugin': {
    subject: pluginSubject,
    cluster: () =>
      withCredentials(
        plugin(
          `setInterval(() => require('node:fs').existsSync(${JSON.stringify(endOfPlugin())}) && process.exit(1), 50)`,
        ),
      ),
  },
  'a token file that is a pipe nobody writes to': {
    subject: /^token file /,
    cluster: () => withCredentials(fileToken(pipe('token'))),
  },
  'credentials and TLS material of another making, which obey nothing': {
    subject: /^$/,
    cluster: () => ({
      server: nowhere,
      credentials: { headers: () => new Promise(() => undefined), refresh: () => false },
    }),
  },
  'TLS material that does not come': {
    subject: /^$/,
    cluster: () => ({ server: nowhere, tls: () => new Promise(() => undefined) }),
  },
  'a TLS handshake': {
    subject: /^TLS handshake with 127\.0\.0\.1/,
    cluster: async () => ({ server: new URL(`https://127.0.0.1:${await listening(createServer())}`) }),
  },
  'a proxy': {
    subject: /^proxy 127\.0\.0\.1/,
    cluster: async () => ({
      server: new URL('https://api.example'),
      proxy: new URL(`http://127.0.0.1:${await listening(createServer())}`),
    }),
  },
  'the settings of HTTP/2': {
    subject: /^HTTP\/2 settings of 127\.0\.0\.1/,
    isStream: true,
    cluster: async () => {
      const tls = { cert: pair.certificate, key: pair.key, ALPNProtocols: ['h2'] };
      const port = await listening(createTlsServer(tls));
      return {
        server: new URL(`https://127.0.0.1:${port}`),
        tls: () => Promise.resolve({ ca: authority.certificate }),
      };
    },
  },
  'an answer': {
    subject: /^$/,
    cluster: async () => ({ server: new URL(`http://127.0.0.1:${await listening(createServer())}`) }),
  },
};

describe('the signal of a request ends its wait for', () => {
  test.each(Object.entries(cases))(
    '%s, which is named meanwhile',
    async (_name, { subject, isStream, ...wait }) => {
      const connection = openConnection({
        namespace: 'default',
        credentials: noCredentials,
        tls: () => Promise.resolve({}),
        source: 'test',
        ...(await wait.cluster()),
      });
      const leaving = new AbortController();
      const call = { target: { verb: 'get' }, method: 'GET', path: '/', signal: leaving.signal } as const;
      const outcome = (isStream === true ? connection.stream(call) : connection.request(call)).then(
        () => 'answered',
        (error: Error) => error.message,
      );
      if (subject.source !== '^$')
        await expect
          .poll(() => outsideWaits.pending().map((each) => each.subject), { timeout: 20_000 })
          .toContainEqual(expect.stringMatching(subject));
      leaving.abort(new Error('I leave'));
      expect(await outcome).toBe('I leave');
      await connection.close();
    },
  );
});

/** Processes whose command line holds this text. */
const running = (text: string): number =>
  spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(text)).length;

describe.skipIf(process.platform === 'win32')('a credential plugin that hangs', () => {
  const mark = `mark-${process.pid}-${Math.random()}`;
  const deaf = (file: string): string => `
    require('node:child_process').spawn(process.execPath,
      ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); // ${mark}"], { stdio: 'inherit' });
    process.on('SIGTERM', () => {});
    process.stderr.write('cannot reach the login server');
    require('node:fs').writeFileSync(${JSON.stringify(file)}, '');
    ${lasting} // ${mark}`;

  test('ends at its limit with all that it has started, even if they ignore SIGTERM', async () => {
    const error: unknown = await Promise.resolve(
      plugin(deaf(join(folder, 'started')), 2_000).headers(),
    ).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'kube/credentials-failed' });
    expect((error as Error).message).toContain('did not answer within 2 s, and was ended');
    await expect.poll(() => running(mark), { timeout: 20_000 }).toBe(0);
  });

  test('serves others when one of those who wait leaves, and those who come later', async () => {
    const file = join(folder, 'go');
    const answer = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'late-token' },
    });
    const count = join(folder, 'count');
    const credentials = plugin(`
      require('node:fs').appendFileSync(${JSON.stringify(count)}, 'x');
      const timer = setInterval(() => {
        if (!require('node:fs').existsSync(${JSON.stringify(file)})) return;
        clearInterval(timer);
        process.stdout.write(${JSON.stringify(answer)});
      }, 20);`);
    const leaving = new AbortController();
    const first = Promise.resolve(credentials.headers(leaving.signal)).catch((error: Error) => error.message);
    await expect.poll(() => existsSync(count), { timeout: 20_000 }).toBe(true);
    leaving.abort(new Error('left'));
    expect(await first).toBe('left');
    const second = credentials.headers();
    writeFileSync(file, '');
    expect(await second).toEqual({ authorization: 'Bearer late-token' });
    expect(readFileSync(count, 'utf8')).toBe('x');
  });
});

describe('the output of a credential plugin', () => {
  test('that never ends is refused', async () => {
    const flood = `const chunk = 'x'.repeat(1 << 16); const write = () => { while (process.stdout.write(chunk)); }; process.stdout.on('drain', write); write();`;
    await expect(Promise.resolve(plugin(flood).headers())).rejects.toThrow('wrote more than 4 MiB to stdout');
  });

  test.skipIf(process.platform === 'win32')(
    'counts when the plugin has ended, though a child of it holds stdout open',
    async () => {
      const answer = JSON.stringify({
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        status: { token: 'agent-token' },
      });
      const agent = `mark-agent-${process.pid}-${Math.random()}`;
      const pidFile = join(folder, 'agent');
      const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', "setTimeout(() => {}, 60000); // ${agent}"],
        { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
      child.unref();
      require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
      process.stdout.write(${JSON.stringify(answer)});`;
      expect(await plugin(script).headers()).toEqual({ authorization: 'Bearer agent-token' });
      // An agent that a plugin leaves behind on purpose is its own business.
      expect(running(agent)).toBe(1);
      process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
    },
  );
});

test('a token file that is a pipe is read once somebody writes to it', async () => {
  const path = pipe('token-pipe');
  const token = fileToken(path).headers();
  await writeFile(path, 'piped-token\n');
  expect(await token).toEqual({ authorization: 'Bearer piped-token' });
});
