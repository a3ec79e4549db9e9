import { createServer, type Server } from 'node:https';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readKubeconfigs } from '../../../../src/sdk/kube/cluster/kubeconfig-file.ts';
import { loadCluster } from '../../../../src/sdk/kube/index.ts';
import { createCertificateAuthority } from '../../../../src/sdk/x509/certificate-authority.ts';

const authority = createCertificateAuthority('identity');
const pair = authority.issue({ commonName: 'identity', usage: 'server', ipAddresses: ['127.0.0.1'] });
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (expires: number, id: number): string =>
  `${part({ alg: 'RS256' })}.${part({ iss: 'x', exp: expires, id })}.c2ln`;
const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

let folder: string;
let file: string;
let server: Server;
let issuer: string;
/** The forms that the token endpoint got, with the client's header. */
let asked: Record<string, string | undefined>[] = [];
let isSilent = false;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opsdk-oidc-'));
  file = join(folder, 'config');
  server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    if (isSilent) return;
    const json = (value: object, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (request.url === '/.well-known/openid-configuration') {
      json({ issuer: 'https://another.example', token_endpoint: `${issuer}/token` });
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(body));
      asked.push({ ...form, authorization: request.headers.authorization });
      const isKnown = form['refresh_token'] === `r${asked.length - 1}`;
      if (!isKnown) json({ error: 'invalid_grant', error_description: 'used twice' }, 400);
      else
        json({
          access_token: 'a',
          token_type: 'Bearer',
          id_token: jwt(inAnHour(), asked.length),
          refresh_token: `r${asked.length}`,
        });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
  isSilent = false;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

async function load(idToken: string, more: object = {}) {
  const config = {
    'client-id': 'app',
    'client-secret': '',
    'id-token': idToken,
    'refresh-token': 'r0',
    'idp-issuer-url': issuer,
    'idp-certificate-authority-data': Buffer.from(authority.certificate).toString('base64'),
    ...more,
  };
  await writeFile(
    file,
    `# mine
current-context: c
preferences: {colors: true}
clusters: [{name: c, cluster: {server: 'https://x'}}]
contexts: [{name: c, context: {cluster: c, user: u, namespace: "yes"}}]
users:
- {name: other, user: {token: "0042"}}
- {name: u, user: {auth-provider: {name: oidc, config: ${JSON.stringify(config)}}}}
`,
  );
  await chmod(file, 0o600);
  return loadCluster({ kubeconfig: file, env: {} });
}

test('an id-token that is good is used as it is', async () => {
  const token = jwt(inAnHour(), 0);
  const cluster = await load(token);
  expect(await cluster.credentials.headers()).toEqual({ authorization: `Bearer ${token}` });
  expect(asked).toEqual([]);
});

test('an expired id-token is renewed once for all, and both new tokens are kept in the kubeconfig', async () => {
  const cluster = await load(jwt(1, 0));
  const [first, second] = await Promise.all([cluster.credentials.headers(), cluster.credentials.headers()]);
  expect(second).toBe(first);
  expect(asked).toMatchObject([{ grant_type: 'refresh_token', refresh_token: 'r0', client_id: 'app' }]);
  const { users, contexts } = await readKubeconfigs([file]);
  expect(users.get('u')?.value['auth-provider']).toMatchObject({
    name: 'oidc',
    config: {
      'id-token': String((first as Record<string, string>)['authorization']).slice('Bearer '.length),
      'refresh-token': 'r1',
      'idp-issuer-url': issuer,
    },
  });
  expect(users.get('other')?.value).toEqual({ token: '0042' });
  expect(contexts.get('c')?.value['namespace']).toBe('yes');
  expect(await readFile(file, 'utf8')).toContain('colors: true');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['config']);
});

test('a client-secret is sent in the header', async () => {
  const cluster = await load(jwt(1, 0), { 'client-secret': 's' });
  await cluster.credentials.headers();
  expect(asked[0]?.['authorization']).toBe(`Basic ${Buffer.from('app:s').toString('base64')}`);
});

test('a refusal is an error with the reason of the provider', async () => {
  const cluster = await load(jwt(1, 0), { 'refresh-token': 'stolen' });
  await expect(Promise.resolve(cluster.credentials.headers())).rejects.toThrow(
    /did not renew the id-token.*used twice/s,
  );
});

test('an unknown authority is refused', async () => {
  const other = Buffer.from(createCertificateAuthority('other').certificate).toString('base64');
  const cluster = await load(jwt(1, 0), { 'idp-certificate-authority-data': other });
  await expect(Promise.resolve(cluster.credentials.headers())).rejects.toThrow('did not renew the id-token');
  expect(asked).toEqual([]);
});

test('a provider that does not answer ends with the signal of the request', async () => {
  isSilent = true;
  const cluster = await load(jwt(1, 0));
  await expect(Promise.resolve(cluster.credentials.headers(AbortSignal.timeout(300)))).rejects.toThrow(
    /timeout/,
  );
});
