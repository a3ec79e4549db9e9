import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { fileToken } from '../../../../src/sdk/kube/cluster/file-token.ts';
import { inCluster } from '../../../../src/sdk/kube/cluster/in-cluster.ts';
import { loadCluster } from '../../../../src/sdk/kube/index.ts';

const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

let root: string;
let folder: string;
let home: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'op-sdk-kube-'));
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(async () => {
  count += 1;
  folder = join(root, String(count));
  home = join(folder, 'home');
  await mkdir(join(home, '.kube'), { recursive: true });
});

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
  readonly current?: string;
}

function kubeconfig(
  name: string,
  { cluster = {}, user = {}, context = {}, current = name }: Parts = {},
): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': current,
    clusters: [{ name: `${name}-cluster`, cluster: { server: `https://${name}.example:6443`, ...cluster } }],
    users: [{ name: `${name}-user`, user }],
    contexts: [{ name, context: { cluster: `${name}-cluster`, user: `${name}-user`, ...context } }],
  });
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const load = async (text: string, context?: string): ReturnType<typeof loadCluster> =>
  loadCluster({ kubeconfig: await file('config', text), context, env: {}, home });

async function failure(
  promise: Promise<unknown>,
): Promise<{ code: string; message: string; where: unknown; fix: readonly string[] }> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isOpSdkError(error)) throw new Error(`not an OpSdkError: ${String(error)}`);
  const { code, message, where, fix } = error.findings[0];
  return { code, message, where, fix: fix ?? [] };
}

describe('which cluster', () => {
  test('none: the error names every way to give one', async () => {
    const { code, message, fix } = await failure(loadCluster({ env: {}, home }));
    expect(code).toBe('kube/no-cluster');
    expect(message).toContain(join(home, '.kube', 'config'));
    for (const way of ['KUBECONFIG', '~/.kube/config', '--kubeconfig', 'pod'])
      expect(fix.join('\n')).toContain(way);
  });

  test('the home folder, the environment, the pod, the option: the later of these comes first', async () => {
    await writeFile(join(home, '.kube', 'config'), kubeconfig('home'));
    expect((await loadCluster({ env: {}, home })).server.href).toBe('https://home.example:6443/');
    const KUBECONFIG = await file('env', kubeconfig('env'));
    const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    expect((await loadCluster({ env: { KUBECONFIG, ...pod }, home })).server.host).toBe('env.example:6443');
    expect((await failure(loadCluster({ env: pod, home }))).code).toBe('kube/in-cluster-incomplete');
    const option = await file('option', kubeconfig('option'));
    expect((await loadCluster({ kubeconfig: option, env: { KUBECONFIG }, home })).server.host).toBe(
      'option.example:6443',
    );
  });

  test('KUBECONFIG is a list: missing files are passed over, of each name the first counts', async () => {
    const first = await file('first', kubeconfig('a', { context: { namespace: 'first' } }));
    const second = await file(
      'second',
      JSON.stringify({
        ...JSON.parse(kubeconfig('b')),
        contexts: [
          { name: 'a', context: { cluster: 'b-cluster' } },
          { name: 'b', context: { cluster: 'b-cluster', user: 'a-user' } },
        ],
      }),
    );
    const env = { KUBECONFIG: [join(folder, 'missing'), first, second].join(delimiter) };
    const cluster = await loadCluster({ env, home });
    expect([cluster.server.host, cluster.namespace]).toEqual(['a.example:6443', 'first']);
    expect((await loadCluster({ env, home, context: 'b' })).server.host).toBe('b.example:6443');
    const none = await failure(loadCluster({ env: { KUBECONFIG: join(folder, 'missing') }, home }));
    expect(none).toMatchObject({ code: 'kube/no-cluster' });
    expect(none.message).toContain('missing');
  });
});

describe('a kubeconfig', () => {
  test('gives server, namespace, token and certificates', async () => {
    const cluster = await load(
      kubeconfig('a', {
        cluster: { 'certificate-authority-data': base64(pem), 'tls-server-name': 'name' },
        user: { 'client-certificate-data': base64(pem), 'client-key-data': base64(pem), token: 't' },
        context: { namespace: 'ns' },
      }),
    );
    expect(cluster.namespace).toBe('ns');
    expect(await cluster.tls()).toEqual({
      ca: pem,
      cert: pem,
      key: pem,
      serverName: 'name',
      insecureSkipVerify: false,
    });
    expect(await cluster.credentials.headers()).toEqual({ authorization: 'Bearer t' });
    expect(cluster.source).toContain('context a');
  });

  test('names files relative to itself, which are read for each connection', async () => {
    await file('ca.crt', pem);
    await file('token', 'one\n');
    const cluster = await load(
      kubeconfig('a', {
        cluster: { 'certificate-authority': 'ca.crt' },
        user: { tokenFile: 'token', token: 'static' },
      }),
    );
    expect((await cluster.tls()).ca).toBe(pem);
    await file('ca.crt', `${pem}${pem}`);
    expect((await cluster.tls()).ca).toBe(`${pem}${pem}`);
    expect(await cluster.credentials.headers()).toEqual({ authorization: 'Bearer one' });
    await rm(join(folder, 'ca.crt'));
    expect(await failure(cluster.tls())).toMatchObject({
      code: 'kube/credentials-failed',
      where: { file: join(folder, 'ca.crt') },
    });
  });

  test('may impersonate', async () => {
    const user = {
      token: 't',
      as: 'jane',
      'as-uid': 'u',
      'as-groups': ['g1', 'g2'],
      'as-user-extra': { 'acme.com/Project': ['p'] },
    };
    const cluster = await load(kubeconfig('a', { user }));
    expect(await cluster.credentials.headers()).toEqual({
      authorization: 'Bearer t',
      'impersonate-user': 'jane',
      'impersonate-uid': 'u',
      'impersonate-group': ['g1', 'g2'],
      'impersonate-extra-acme.com%2fproject': ['p'],
    });
    expect((await failure(load(kubeconfig('a', { user: { 'as-groups': ['g'] } })))).code).toBe(
      'kube/kubeconfig-invalid',
    );
  });

  test('in YAML is read too', async () => {
    const cluster = await load(
      'kind: Config\ncurrent-context: x\ncontexts: [{name: x, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: "http://h:1"}}]\n',
    );
    expect(cluster.server.href).toBe('http://h:1/');
    expect(await cluster.credentials.headers()).toEqual({});
  });

  test('exec plugins give tokens, cached until a refresh', async () => {
    const counter = join(folder, 'count');
    const script = `const fs = require('fs'); fs.appendFileSync(${JSON.stringify(counter)}, 'x');
      console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: {
        token: 'run-' + fs.readFileSync(${JSON.stringify(counter)}, 'utf8').length, expirationTimestamp: '2999-01-01T00:00:00Z' } }));`;
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', script],
      interactiveMode: 'Never',
    };
    const cluster = await load(kubeconfig('a', { user: { exec, as: 'jane' } }));
    const first = { authorization: 'Bearer run-1', 'impersonate-user': 'jane' };
    expect(await cluster.credentials.headers()).toEqual(first);
    expect(await cluster.credentials.headers()).toEqual(first);
    expect(cluster.credentials.refresh()).toBe(true);
    expect(await cluster.credentials.headers()).toEqual({ ...first, authorization: 'Bearer run-2' });
    const failing = await load(
      kubeconfig('a', {
        user: { exec: { ...exec, args: ['-e', 'console.error("no luck"); process.exit(3)'] } },
      }),
    );
    const { code, message } = await failure(Promise.resolve(failing.credentials.headers()));
    expect(code).toBe('kube/credentials-failed');
    expect(message).toContain('no luck');
  }, 60_000);

  test('exec plugins that give a token without an end are run once, also for many requests at once', async () => {
    const counter = join(folder, 'count');
    const script = `const fs = require('fs'); fs.appendFileSync(${JSON.stringify(counter)}, 'x');
      console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1beta1', kind: 'ExecCredential', status: { token: 't' } }));`;
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: process.execPath,
      args: ['-e', script],
    };
    const { credentials } = await load(kubeconfig('a', { user: { exec } }));
    const many = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 5 }, async () => credentials.headers()));
    await many();
    await many();
    expect(await readFile(counter, 'utf8')).toBe('x');
    credentials.refresh();
    const again = many();
    credentials.refresh();
    await Promise.all([again, many()]);
    expect(await readFile(counter, 'utf8')).toBe('xx');
  }, 60_000);

  test.each<[string, string, string, string?]>([
    ['not YAML', 'a: [', 'kube/kubeconfig-unreadable'],
    ['no mapping', '- a', 'kube/kubeconfig-invalid'],
    ['another kind', 'kind: Pod', 'kube/kubeconfig-invalid'],
    ['an alias to itself', 'kind: &a [*a]', 'kube/kubeconfig-unreadable', 'alias that contains itself'],
    [
      'an alias to what is above it',
      'users: &a\n- user: {x: {y: *a}}',
      'kube/kubeconfig-unreadable',
      'itself',
    ],
    [
      'aliases of aliases without end',
      `a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n${Array.from(
        { length: 9 },
        (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]\n`,
      ).join('')}`,
      'kube/kubeconfig-unreadable',
      'more than 1000000 values',
    ],
    [
      'a user in the URL of the server',
      kubeconfig('a', { cluster: { server: 'https://u:pass@x' } }),
      'kube/unsupported-kubeconfig',
      'names a user in its URL',
    ],
    [
      'two sources of credentials',
      kubeconfig('a', { user: { exec: {}, 'auth-provider': {} } }),
      'kube/kubeconfig-invalid',
      'both exec and auth-provider',
    ],
    ['empty', '', 'kube/kubeconfig-invalid', 'no current-context'],
    ['no current-context', kubeconfig('a', { current: '' }), 'kube/kubeconfig-invalid', 'contexts are a'],
    [
      'an unknown current-context',
      kubeconfig('a', { current: 'b' }),
      'kube/kubeconfig-invalid',
      'no context "b"; its contexts are a',
    ],
    [
      'a missing cluster',
      kubeconfig('a', { context: { cluster: 'b' } }),
      'kube/kubeconfig-invalid',
      'cluster "b", which is missing; there are: a-cluster',
    ],
    [
      'a missing user',
      kubeconfig('a', { context: { user: 'b' } }),
      'kube/kubeconfig-invalid',
      'user "b", which is missing',
    ],
    ['no server', kubeconfig('a', { cluster: { server: '' } }), 'kube/kubeconfig-invalid', 'has no server'],
    [
      'a bad server',
      kubeconfig('a', { cluster: { server: 'ftp://x' } }),
      'kube/kubeconfig-invalid',
      'ftp://x',
    ],
    [
      'no base64',
      kubeconfig('a', { cluster: { 'certificate-authority-data': '!!' } }),
      'kube/kubeconfig-invalid',
      'certificate-authority-data',
    ],
    [
      'a certificate without key',
      kubeconfig('a', { user: { 'client-certificate-data': base64(pem) } }),
      'kube/kubeconfig-invalid',
      'without a client-key',
    ],
    [
      'a CA that is not to be checked',
      kubeconfig('a', {
        cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority-data': base64(pem) },
      }),
      'kube/kubeconfig-invalid',
    ],
    [
      'a number for a token',
      kubeconfig('a', { user: { token: 12 } }),
      'kube/kubeconfig-invalid',
      'users[0].user.token: expected a string, got a number',
    ],
    [
      'basic authentication',
      kubeconfig('a', { user: { username: 'u', password: 'p' } }),
      'kube/unsupported-kubeconfig',
      'basic authentication',
    ],
    [
      'a SOCKS proxy',
      kubeconfig('a', { cluster: { 'proxy-url': 'socks5://x:1' } }),
      'kube/unsupported-kubeconfig',
      'socks5://x:1',
    ],
  ])('with %s is refused, and the error names the file', async (_what, text, code, part = '') => {
    const failed = await failure(load(text));
    expect(failed.code).toBe(code);
    expect(failed.where).toMatchObject({ file: join(folder, 'config') });
    expect(failed.message).toContain(part);
  });

  test('that is not there is named', async () => {
    const missing = join(folder, 'missing');
    expect(await failure(loadCluster({ kubeconfig: missing, env: {}, home }))).toMatchObject({
      code: 'kube/kubeconfig-unreadable',
      where: { file: missing },
    });
  });

  test('that cannot be read is not passed over', async () => {
    const failed = await failure(loadCluster({ env: { KUBECONFIG: folder }, home }));
    expect(failed).toMatchObject({ code: 'kube/kubeconfig-unreadable', where: { file: folder } });
  });
});

describe('in a pod', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

  test('the mounted ServiceAccount is used', async () => {
    await file('token', 'one');
    await file('ca.crt', pem);
    await file('namespace', 'operators\n');
    const cluster = await inCluster(env, folder);
    expect(cluster.server.href).toBe('https://[fd00::1]/');
    expect(cluster.namespace).toBe('operators');
    expect(await cluster.tls()).toEqual({ ca: pem });
    expect(await cluster.credentials.headers()).toEqual({ authorization: 'Bearer one' });
  });

  test('everything that is missing is named at once', async () => {
    const error: unknown = await inCluster({}, folder).catch((thrown: unknown) => thrown);
    if (!isOpSdkError(error)) throw new Error('not an OpSdkError');
    expect(error.findings.map(({ code }) => code)).toEqual(Array(3).fill('kube/in-cluster-incomplete'));
    expect(error.findings.map(({ where }) => where)).toEqual([
      undefined,
      { file: join(folder, 'token') },
      { file: join(folder, 'ca.crt') },
    ]);
  });
});

describe('a token file', () => {
  test('R19: is read again after a minute, and at once after a refresh', async () => {
    const path = await file('token', 'one');
    let now = 0;
    const token = fileToken(path, () => now);
    const read = async (): Promise<unknown> => (await token.headers())['authorization'];
    expect(await read()).toBe('Bearer one');
    await file('token', 'two');
    now = 59_999;
    expect(await read()).toBe('Bearer one');
    now = 60_000;
    expect(await read()).toBe('Bearer two');
    await file('token', 'third-token');
    token.refresh();
    expect(await read()).toBe('Bearer third-token');
    await file('token', ' \n');
    token.refresh();
    expect((await failure(Promise.resolve(token.headers()))).code).toBe('kube/credentials-failed');
  });
});
