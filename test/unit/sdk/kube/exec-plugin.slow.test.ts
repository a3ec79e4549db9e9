import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOpSdkError, type Finding } from '../../../../src/base/errors/index.ts';
import { readExecPlugin } from '../../../../src/sdk/kube/cluster/exec-config.ts';
import { execPlugin } from '../../../../src/sdk/kube/cluster/exec-plugin.ts';
import {
  pluginCredentials,
  type GivenCredentials,
} from '../../../../src/sdk/kube/cluster/plugin-credentials.ts';
import { loadCluster } from '../../../../src/sdk/kube/index.ts';
import { secrets } from '../../../../src/sdk/net/index.ts';
import { createCertificateAuthority } from '../../../../src/sdk/x509/certificate-authority.ts';

const v1 = 'client.authentication.k8s.io/v1';
const user = { name: 'jane', value: {}, file: '/kubeconfig' };
const authority = createCertificateAuthority('plugin');
const pair = authority.issue({ commonName: 'jane', usage: 'client' });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-exec-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** An exec that runs a script in this Node. */
function scripted(script: string, more: object = {}): Record<string, unknown> {
  return {
    apiVersion: v1,
    interactiveMode: 'Never',
    command: process.execPath,
    args: ['-e', script],
    ...more,
  };
}

function answering(status: object | undefined, more: object = {}): Record<string, unknown> {
  const answer = JSON.stringify({ apiVersion: v1, kind: 'ExecCredential', status, ...more });
  return scripted(`process.stdout.write(${JSON.stringify(answer)})`);
}

const run = (
  exec: Record<string, unknown>,
  isTerminal = false,
  clusterInfo: object = {},
): Promise<GivenCredentials> =>
  execPlugin(readExecPlugin(user, exec), {
    env: process.env,
    clusterInfo: () => Promise.resolve(clusterInfo as Record<string, unknown>),
    isTerminal: () => isTerminal,
  }).ask({ signal: new AbortController().signal, hold: () => undefined });

async function findings(promise: Promise<unknown>): Promise<readonly Finding[]> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (!isOpSdkError(error)) throw new Error(`not an OpSdkError: ${String(error)}`);
  return error.findings;
}

const echoInfo = `process.stdout.write(JSON.stringify({ apiVersion: '${v1}', kind: 'ExecCredential',
  status: { token: process.env.KUBERNETES_EXEC_INFO + process.env.MORE } }))`;

describe('a credential plugin', () => {
  test('learns from KUBERNETES_EXEC_INFO what is wanted, beside the environment and its own variables', async () => {
    const { token = '' } = await run(scripted(echoInfo, { env: [{ name: 'MORE', value: '' }] }));
    expect(JSON.parse(token)).toEqual({
      kind: 'ExecCredential',
      apiVersion: v1,
      spec: { interactive: false },
    });
  });

  test('learns about the cluster if it asks for that, with the configuration meant for it', async () => {
    const path = join(folder, 'config');
    const ca = authority.certificate;
    await writeFile(join(folder, 'ca.crt'), ca);
    const cluster = {
      server: 'https://a.example:6443',
      'certificate-authority': 'ca.crt',
      'tls-server-name': 'name',
      'proxy-url': 'http://proxy:3128',
      extensions: [
        { name: 'other', extension: 1 },
        { name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } },
      ],
    };
    const exec = scripted(echoInfo, { provideClusterInfo: true, env: [{ name: 'MORE' }] });
    await writeFile(
      path,
      JSON.stringify({
        'current-context': 'x',
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        clusters: [{ name: 'c', cluster }],
        users: [{ name: 'u', user: { exec } }],
      }),
    );
    const loaded = await loadCluster({ kubeconfig: path, env: { PATH: process.env['PATH'] } });
    const { authorization = '' } = await loaded.credentials.headers();
    expect(JSON.parse(String(authorization).slice('Bearer '.length))).toMatchObject({
      spec: {
        cluster: {
          server: 'https://a.example:6443',
          'tls-server-name': 'name',
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
          'proxy-url': 'http://proxy:3128',
          config: { audience: 'x' },
        },
      },
    });
  });

  test.each([
    ['Never', true, false],
    ['IfAvailable', false, false],
    ['IfAvailable', true, true],
    ['Always', true, true],
  ])(
    'with interactiveMode %s, at a terminal: %s, may ask questions: %s',
    async (mode, terminal, expected) => {
      const exec = scripted(echoInfo, { interactiveMode: mode, env: [{ name: 'MORE', value: '' }] });
      const { token = '' } = await run(exec, terminal);
      expect(JSON.parse(token)).toMatchObject({ spec: { interactive: expected } });
    },
  );

  test('that always asks questions is not run without a terminal', async () => {
    const [finding] = await findings(run(scripted('process.exit(1)', { interactiveMode: 'Always' })));
    expect(finding?.code).toBe('kube/credentials-failed');
    expect(finding?.message).toContain('standard input is not a terminal');
  });

  test('that may not ask questions has nothing to read', async () => {
    const script = `process.stdin.resume(); process.stdin.on('end', () => { ${echoInfo} })`;
    const { token } = await run(scripted(script, { env: [{ name: 'MORE', value: '' }] }));
    expect(token).toContain('ExecCredential');
  });

  test('that is not installed is named, with the hint of the kubeconfig', async () => {
    const exec = {
      ...scripted(''),
      command: 'no-such-plugin-of-op-sdk',
      installHint: 'brew install\u001b[31m it',
    };
    const [finding] = await findings(run(exec));
    expect(finding).toMatchObject({ code: 'kube/credentials-failed', where: { file: '/kubeconfig' } });
    expect(finding?.message).toContain('no-such-plugin-of-op-sdk of user jane was not found');
    expect(finding?.fix?.[0]).toBe('brew install it');
  });

  test('that fails is quoted, without the token that it had', async () => {
    const script = `process.stdout.write(JSON.stringify({ status: { token: 'early-token-1' } }));
      console.error('\\u001b[31mlogin of early-token-1 expired'); process.exitCode = 3`;
    const [finding] = await findings(run(scripted(script)));
    expect(finding?.message).toContain('failed with exit code 3\nlogin of *** expired');
  });

  test('that was killed is not taken for one that succeeded', async () => {
    const [finding] = await findings(run(scripted("process.kill(process.pid, 'SIGKILL')")));
    expect(finding?.message).toContain('was ended by SIGKILL');
  });

  test('gives a token, or a certificate with its key, and says until when', async () => {
    const status = {
      clientCertificateData: pair.certificate,
      clientKeyData: pair.key,
      expirationTimestamp: '2999-01-01T00:00:00Z',
    };
    expect(await run(answering(status))).toEqual({
      cert: pair.certificate,
      key: pair.key,
      expires: Date.parse('2999-01-01T00:00:00Z'),
    });
    expect(
      await run(scripted(`console.log('apiVersion: ${v1}\\nkind: ExecCredential\\nstatus: {token: t}')`)),
    ).toEqual({ token: 't' });
  });

  test.each([
    ['nothing', scripted(''), 'did not write an ExecCredential'],
    [
      'a secret that is not JSON',
      scripted("console.log('{hidden-thing')"),
      'did not write an ExecCredential',
    ],
    [
      'another version',
      answering({ token: 't' }, { apiVersion: `${v1}beta1` }),
      `gave an ExecCredential of "${v1}beta1", expected ${v1}`,
    ],
    ['no status', answering(undefined), 'without a status'],
    ['an empty status', answering({}), 'neither a token nor a certificate'],
    ['a key alone', answering({ clientKeyData: pair.key }), 'key without a certificate'],
    [
      'a certificate alone',
      answering({ clientCertificateData: pair.certificate }),
      'certificate without a key',
    ],
    [
      'a certificate of another key',
      answering({ clientCertificateData: pair.certificate, clientKeyData: authority.key }),
      'do not work together',
    ],
    ['a number', answering({ token: 1 }), 'status.token: expected a string, got number'],
    ['no time', answering({ token: 't', expirationTimestamp: 'soon' }), 'RFC 3339'],
  ])('that gives %s is refused', async (_what, exec, part) => {
    const [finding] = await findings(run(exec));
    expect(finding?.code).toBe('kube/credentials-failed');
    expect(finding?.message).toContain(part);
    expect(finding?.message).not.toContain('hidden-thing');
  });

  test('is asked again when its credentials have expired, and not before', async () => {
    let now = 0;
    let asked = 0;
    const { credentials } = pluginCredentials(
      {
        subject: 'plugin',
        limit: () => 60_000,
        late: () => new Error('late'),
        ask: () => Promise.resolve({ token: `expiring-${++asked}`, expires: now + 100 }),
      },
      () => now,
    );
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer expiring-1' });
    now = 99;
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer expiring-1' });
    now = 100;
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer expiring-2' });
    expect(secrets.redact('expiring-1 expiring-2')).toBe('*** ***');
  });
});

describe('exec of a kubeconfig', () => {
  test('reports everything that is wrong with it at once', () => {
    const wrong = { apiVersion: 'client.authentication.k8s.io/v1alpha1', args: [1], env: [{ value: 'x' }] };
    expect(() => readExecPlugin(user, wrong)).toThrow(
      expect.objectContaining({
        findings: ['apiVersion', 'command', 'args', 'env'].map((part) =>
          expect.objectContaining({
            code: 'kube/kubeconfig-invalid',
            message: expect.stringContaining(part),
          }),
        ),
      }),
    );
  });

  test('must name an interactiveMode in v1, while v1beta1 means IfAvailable', () => {
    const { interactiveMode: _, ...exec } = scripted('');
    expect(() => readExecPlugin(user, exec)).toThrow(
      /interactiveMode: expected Never, IfAvailable or Always/,
    );
    expect(readExecPlugin(user, { ...exec, apiVersion: `${v1}beta1` }).interactiveMode).toBe('IfAvailable');
  });

  test.each([
    ['token', { token: 'own-token' }, { authorization: 'Bearer own-token' }],
    ['client certificate', { 'client-certificate-data': pair.certificate, 'client-key-data': pair.key }, {}],
  ])('is not run for a user who has a %s', async (_what, own, headers) => {
    const data = Object.fromEntries(
      Object.entries(own).map(([key, value]) => [
        key,
        key === 'token' ? value : Buffer.from(value).toString('base64'),
      ]),
    );
    const path = join(folder, 'own');
    await writeFile(
      path,
      JSON.stringify({
        'current-context': 'x',
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        clusters: [{ name: 'c', cluster: { server: 'https://x' } }],
        users: [{ name: 'u', user: { exec: scripted('process.exit(1)'), ...data } }],
      }),
    );
    const cluster = await loadCluster({ kubeconfig: path, env: {} });
    expect(await cluster.credentials.headers()).toEqual(headers);
  });
});

test('an auth-provider that has no token is an error, not an anonymous client', async () => {
  const path = join(folder, 'oidc');
  const provider = { name: 'oidc', config: { 'client-id': 'x', 'idp-issuer-url': 'https://unused.invalid' } };
  await writeFile(
    path,
    JSON.stringify({
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: 'https://x' } }],
      users: [{ name: 'u', user: { 'auth-provider': provider } }],
    }),
  );
  const cluster = await loadCluster({ kubeconfig: path, env: {} });
  const [finding] = await findings(Promise.resolve(cluster.credentials.headers()));
  expect(finding).toMatchObject({ code: 'kube/credentials-failed', where: { file: path } });
  expect(finding?.message).toContain('gave no token');
});
