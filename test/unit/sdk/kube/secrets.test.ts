import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../../../src/cli/main.ts';
import { createClient, loadCluster, openConnection, type Cluster } from '../../../../src/sdk/kube/index.ts';
import { createLogger } from '../../../../src/sdk/runtime/index.ts';
import { scriptedServer, type Exchange, type ScriptedServer } from './support/scripted-server.ts';

const token = 'plain-token-0123456789';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Answers with what it was sent, as debugging proxies and some gateways do. */
function echo(each: Exchange): void {
  each.reply(500, `no upstream for ${JSON.stringify(each.headers)}`, {
    warning: `299 - "${authorizationOf(each)}"`,
  });
}

function authorizationOf({ headers }: Exchange): string {
  return String(headers['authorization']);
}

async function echoServer(secure: boolean): Promise<ScriptedServer> {
  const credentials = { headers: () => Promise.resolve({}), refresh: () => false };
  const server = await scriptedServer('http1', echo, secure ? { credentials } : {});
  cleanups.push(() => server.close());
  return server;
}

async function kubeconfigFor(cluster: Cluster, user: object): Promise<string> {
  const path = join(folder, 'config');
  const { ca } = await cluster.tls();
  const authority =
    ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  await writeFile(
    path,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: cluster.server.origin, ...authority } }],
      users: [{ name: 'u', user }],
    }),
  );
  return path;
}

describe('a server that quotes the Authorization header in its error', () => {
  test.each(['text', 'json'])('does not make the command line show the token (%s)', async (output) => {
    const server = await echoServer(true);
    const kubeconfig = await kubeconfigFor(server.cluster, { token });
    const written: string[] = [];
    const sink = { write: (text: string) => void written.push(text), colors: false };
    const code = await main(
      [
        ...['import', 'crd', '--from-cluster', 'a.example.com', '--kubeconfig', kubeconfig, '--verbose'],
        ...['--output-dir', join(folder, 'out'), ...(output === 'json' ? ['-o', 'json'] : [])],
      ],
      {
        cwd: folder,
        env: {},
        stdout: sink,
        stderr: sink,
        terminal: false,
        readStdin: () => Promise.resolve(''),
        signal: new AbortController().signal,
      },
    );
    expect(code).toBe(1);
    expect(server.requests.map(authorizationOf)).toContain(`Bearer ${token}`);
    expect(written.join('')).toContain('no upstream for');
    expect(written.join('')).toContain('Bearer ***');
    expect(written.join('')).not.toContain(token);
  });

  test('does not bring it into errors, warnings or logs of an operator', async () => {
    const server = await echoServer(true);
    const kubeconfig = await kubeconfigFor(server.cluster, { token });
    const said: string[] = [];
    const client = createClient({
      cluster: await loadCluster({ kubeconfig, env: {} }),
      fieldManager: 'test',
      onWarning: (text) => said.push(text),
    });
    cleanups.push(() => client.close());
    const error: unknown = await client.raw.request({ path: '/x' }).catch((thrown: unknown) => thrown);
    const log = createLogger({ destination: { write: (line: string) => void said.push(line) } });
    log.error({ error, authorization: `Bearer ${token}` }, `failed with ${token}`);
    said.push(String(error), JSON.stringify(error));
    expect(server.requests.map(authorizationOf)).toEqual([`Bearer ${token}`]);
    expect(said.join('\n')).toContain('Bearer ***');
    expect(said.join('\n')).not.toContain(token);
  });
});

describe('a server without TLS', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
  const data = Buffer.from(key).toString('base64');
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
    command: 'never-run',
  };
  test.each([
    ['token', { token }],
    ['token file', { tokenFile: 'token' }],
    ['client certificate', { 'client-certificate-data': data, 'client-key-data': data }],
    ['exec plugin', { exec }],
    ['auth-provider', { 'auth-provider': { name: 'oidc', config: { 'id-token': token } } }],
    ['password', { username: 'u', password: token }],
  ])('is sent nothing of a %s, only who is impersonated', async (_what, user) => {
    const server = await echoServer(false);
    const kubeconfig = await kubeconfigFor(server.cluster, { ...user, as: 'jane' });
    const cluster = await loadCluster({ kubeconfig, env: {} });
    const { cert, key: clientKey } = await cluster.tls();
    expect([cert, clientKey]).toEqual([undefined, undefined]);
    const connection = openConnection(cluster, { onWarning: () => undefined });
    cleanups.push(() => connection.close());
    await expect(
      connection.request({ target: { verb: 'get' }, method: 'GET', path: '/x' }),
    ).rejects.toThrow();
    expect(server.requests[0]?.headers['authorization']).toBeUndefined();
    expect(server.requests[0]?.headers['impersonate-user']).toBe('jane');
  });

  test('is sent no credentials of a cluster made by hand, and no header of a request that holds them', async () => {
    const server = await scriptedServer('http1', (each) => each.reply(401, 'who are you?'));
    cleanups.push(() => server.close());
    const credentials = {
      headers: () => Promise.resolve({ authorization: `Bearer ${token}` }),
      refresh: () => false,
    };
    const connection = openConnection({ ...server.cluster, credentials });
    cleanups.push(() => connection.close());
    const call = { target: { verb: 'get' }, method: 'GET', path: '/x' };
    const failed = connection.request({ ...call, headers: { Authorization: `Bearer ${token}` } });
    await expect(failed).rejects.toMatchObject({
      code: 'kube/unauthorized',
      findings: [{ fix: [expect.stringContaining('https://')] }],
    });
    expect(server.requests[0]?.headers['authorization']).toBeUndefined();
  });
});
