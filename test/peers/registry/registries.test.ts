// Bundle images pushed to real registries and read back by tools that share no code with ours.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { nodeBinary, supportedNodes } from '../../../scripts/lib/nodes.mjs';
import { root } from '../../../scripts/lib/run.mjs';
import { createCertificateAuthority } from '../../../src/sdk/x509/certificate-authority.ts';
import { distributionRegistry, startRealRegistry, type RealRegistry } from './real-registry.ts';
import { startTokenServer, type TokenServer } from './token-server.ts';

const user = 'alice';
const password = 's3cret-of-alice';
const repository = 'team/demo-bundle';

let scratch: string;
let bundle: string;
let catalogue: string;

const has = (tool: string): boolean => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;

/** Skips the test, visibly, where a tool is missing. */
function needs(context: TestContext, ...tools: string[]): void {
  const missing = tools.filter((tool) => !has(tool));
  if (missing.length > 0) context.skip(`not installed: ${missing.join(', ')}`);
}

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Not spawnSync: the token server answers from this very process. */
function runProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: scratch,
      env: { PATH: process.env['PATH'], HOME: join(scratch, 'home'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
    child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }));
  });
}

const opSdk = (node: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Result> =>
  runProgram(node, [join(root, 'bin/op-sdk.js'), ...args], env);

async function succeed(result: Promise<Result>): Promise<string> {
  const { code, stdout, stderr } = await result;
  expect(code, stderr).toBe(0);
  return stdout;
}

/** Builds the bundle and pushes it. @returns the digest */
async function buildAndPush(
  node: string,
  reference: string,
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  format = 'oci',
): Promise<string> {
  await succeed(opSdk(node, ['bundle', 'build', bundle, '--tag', reference, '--format', format]));
  const output = await succeed(opSdk(node, ['bundle', 'push', reference, '-o', 'json', ...flags], env));
  return (JSON.parse(output) as { result: { digest: string } }).result.digest;
}

/** The files below a folder with their contents. */
function tree(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file), readFileSync(file, 'utf8')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-peers-'));
  bundle = join(scratch, 'bundle');
  for (const folder of ['manifests', 'metadata', 'tests/scorecard'])
    mkdirSync(join(bundle, folder), { recursive: true });
  writeFileSync(join(bundle, 'manifests/demo.clusterserviceversion.yaml'), 'kind: ClusterServiceVersion\n');
  writeFileSync(join(bundle, 'manifests/größe.yaml'), '# a name that is not ASCII\n');
  writeFileSync(join(bundle, 'tests/scorecard/config.yaml'), 'kind: Configuration\n');
  const prefix = 'operators.operatorframework.io.bundle';
  writeFileSync(
    join(bundle, 'metadata/annotations.yaml'),
    `annotations:
  ${prefix}.mediatype.v1: registry+v1
  ${prefix}.manifests.v1: manifests/
  ${prefix}.metadata.v1: metadata/
  ${prefix}.package.v1: demo
  ${prefix}.channels.v1: alpha
`,
  );
  catalogue = join(scratch, 'catalog');
  mkdirSync(join(catalogue, 'demo'), { recursive: true });
  writeFileSync(
    join(catalogue, 'demo/catalog.yaml'),
    `---
schema: olm.package
name: demo
defaultChannel: alpha
---
schema: olm.channel
package: demo
name: alpha
entries:
  - name: demo.v0.1.0
---
schema: olm.bundle
package: demo
name: demo.v0.1.0
image: registry.example.com/team/demo-bundle:v0.1.0
properties:
  - type: olm.package
    value: { packageName: demo, version: 0.1.0 }
`,
  );
});

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

const programs = [
  { name: "Debian's docker-registry", tool: 'docker-registry', program: async () => 'docker-registry' },
  { name: 'distribution v3', tool: 'go', program: distributionRegistry },
];

describe.each(programs)('$name over plain HTTP', ({ tool, program }) => {
  let registry: RealRegistry | undefined;
  beforeAll(async () => {
    if (has(tool)) registry = await startRealRegistry({ program: await program() });
  });
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
  });

  test.each(['oci', 'docker'])(
    'the same %s digest from every Node, and skopeo sees the labels',
    async (format) => {
      if (registry === undefined) return expect.fail(`${tool} did not start`);
      const digests = new Map<string, string>();
      for (const label of supportedNodes) {
        const node = (await nodeBinary(label)) ?? process.execPath;
        const reference = `${registry.host}/${repository}:${format}-${label}`;
        digests.set(label, await buildAndPush(node, reference, [], {}, format));
      }
      expect(new Set(digests.values()).size).toBe(1);
      if (!has('skopeo')) return;
      const inspected = JSON.parse(
        await succeed(
          runProgram('skopeo', [
            'inspect',
            '--tls-verify=false',
            `docker://${registry.host}/${repository}:${format}-22`,
          ]),
        ),
      ) as { Digest: string; Labels: Record<string, string>; Architecture: string; Os: string };
      expect(inspected.Digest).toBe(digests.get('22'));
      expect(inspected.Labels['operators.operatorframework.io.bundle.package.v1']).toBe('demo');
      expect([inspected.Os, inspected.Architecture]).toEqual(['linux', 'amd64']);
    },
  );

  test.each(['oci', 'docker'])(
    'the same %s digest of a catalogue from every Node, and it is read back as it is',
    async (format) => {
      if (registry === undefined) return expect.fail(`${tool} did not start`);
      const image = `${registry.host}/team/catalogue`;
      const digests = new Set<string>();
      let named = '';
      const written = await succeed(opSdk(process.execPath, ['catalog', 'render', catalogue]));
      for (const label of supportedNodes) {
        const node = (await nodeBinary(label)) ?? process.execPath;
        const reference = `${image}:${format}-${label}`;
        await succeed(opSdk(node, ['catalog', 'build', catalogue, '--tag', reference, '--format', format]));
        const output = await succeed(opSdk(node, ['catalog', 'push', reference, '-o', 'json']));
        const { result } = JSON.parse(output) as {
          result: { digest: string; objects: readonly { spec: { image?: string } }[] };
        };
        digests.add(result.digest);
        named = result.objects[0]?.spec.image ?? '';
        expect(await succeed(opSdk(node, ['catalog', 'render', reference]))).toBe(written);
      }
      expect(digests.size).toBe(1);
      if (!has('skopeo')) return;
      // As OLM reads it, by the name in the CatalogSource.
      const config = await succeed(
        runProgram('skopeo', ['inspect', '--tls-verify=false', `docker://${named}`]),
      );
      const { Digest, Labels } = JSON.parse(config) as { Digest: string; Labels: Record<string, string> };
      expect(digests).toContain(Digest);
      expect(Labels['operators.operatorframework.io.index.configs.v1']).toBe('/configs');
    },
  );

  test('umoci unpacks what was pushed to the files of the bundle', async (context) => {
    needs(context, tool, 'skopeo', 'umoci');
    if (registry === undefined) return;
    const reference = `${registry.host}/${repository}:unpacked`;
    await buildAndPush(process.execPath, reference);
    const layout = join(scratch, `layout-${tool}`);
    await succeed(
      runProgram('skopeo', ['copy', '--src-tls-verify=false', `docker://${reference}`, `oci:${layout}:demo`]),
    );
    const unpacked = join(scratch, `unpacked-${tool}`);
    await succeed(runProgram('umoci', ['unpack', '--rootless', '--image', `${layout}:demo`, unpacked]));
    expect(tree(join(unpacked, 'rootfs'))).toEqual(tree(bundle));
  });

  test('a second push sends nothing again and gives the same digest', async (context) => {
    needs(context, tool);
    if (registry === undefined) return;
    const reference = `${registry.host}/${repository}:again`;
    expect(await buildAndPush(process.execPath, reference)).toBe(
      await buildAndPush(process.execPath, reference),
    );
  });
});

describe('TLS with a certificate authority of its own, and htpasswd', () => {
  let registry: RealRegistry | undefined;
  let ca: string;
  let login: NodeJS.ProcessEnv;
  beforeAll(async () => {
    if (!has('docker-registry') || !has('htpasswd')) return;
    const authority = createCertificateAuthority('registry tests');
    const server = authority.issue({
      commonName: 'registry',
      usage: 'server',
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1'],
    });
    ca = write('ca.crt', authority.certificate);
    const file = write('htpasswd', '');
    await succeed(runProgram('htpasswd', ['-Bb', file, user, password]));
    registry = await startRealRegistry({
      program: 'docker-registry',
      tls: { certificate: write('server.crt', server.certificate), key: write('server.key', server.key) },
      auth: { htpasswd: { realm: 'demo', path: file } },
    });
    login = { DOCKER_CONFIG: dockerConfig('right', registry.host, `${user}:${password}`) };
  });
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
  });

  test('pushes with --ca-file and the password of the docker config; skopeo reads it back', async (context) => {
    needs(context, 'docker-registry', 'htpasswd', 'skopeo');
    if (registry === undefined) return;
    const reference = `${registry.host}/${repository}:v0.1.0`;
    const digest = await buildAndPush(process.execPath, reference, ['--ca-file', ca], login);
    const inspected = await succeed(
      runProgram('skopeo', [
        'inspect',
        '--tls-verify=false',
        `--creds=${user}:${password}`,
        `docker://${reference}`,
      ]),
    );
    expect((JSON.parse(inspected) as { Digest: string }).Digest).toBe(digest);
  });

  test.each([
    { what: 'an unknown certificate authority', flags: () => [], auth: `${user}:${password}` },
    { what: 'a wrong password', flags: () => ['--ca-file', ca], auth: `${user}:wr0ng-password` },
    { what: 'no credentials', flags: () => ['--ca-file', ca], auth: undefined },
    { what: 'plain HTTP to the TLS port', flags: () => ['--plain-http'], auth: `${user}:${password}` },
  ])('$what: exit code 1, a finding, and no secret in it', async ({ what, flags, auth }) => {
    if (registry === undefined) return;
    const reference = `${registry.host}/${repository}:v0.1.1`;
    await succeed(opSdk(process.execPath, ['bundle', 'build', bundle, '--tag', reference]));
    const env = { DOCKER_CONFIG: dockerConfig(what.replaceAll(' ', '-'), registry.host, auth) };
    const result = await opSdk(
      process.execPath,
      ['bundle', 'push', reference, '-o', 'json', ...flags()],
      env,
    );
    expect(result.code).toBe(1);
    const { errors } = JSON.parse(result.stdout) as { errors: { code: string }[] };
    expect(errors.map(({ code }) => code)).toEqual([expect.stringMatching(/^oci\//)]);
    const secret = auth?.split(':')[1] ?? 'none';
    for (const text of [result.stdout, result.stderr]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(auth ?? 'none').toString('base64'));
    }
  });
});

describe('Bearer tokens of a token server', () => {
  let registry: RealRegistry | undefined;
  let tokens: TokenServer | undefined;
  beforeAll(async () => {
    if (!has('docker-registry')) return;
    const authority = createCertificateAuthority('token tests');
    const keyPair = authority.issue({ commonName: 'token signer', usage: 'client' });
    tokens = await startTokenServer({ user, password, issuer: 'demo-issuer', keyPair });
    registry = await startRealRegistry({
      program: 'docker-registry',
      auth: {
        token: {
          realm: tokens.realm,
          service: 'demo-registry',
          issuer: 'demo-issuer',
          rootcertbundle: write('token-ca.crt', authority.certificate),
        },
      },
    });
  });
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
    await tokens?.[Symbol.asyncDispose]();
  });

  test('a token for push and pull is asked for with the password; anybody may pull', async (context) => {
    needs(context, 'docker-registry', 'skopeo');
    if (registry === undefined || tokens === undefined) return;
    const reference = `${registry.host}/${repository}:v0.1.0`;
    const env = { DOCKER_CONFIG: dockerConfig('token', registry.host, `${user}:${password}`) };
    const digest = await buildAndPush(process.execPath, reference, [], env);
    expect(tokens.requests.join('\n')).toContain('service=demo-registry');
    const inspected = await succeed(
      runProgram('skopeo', ['inspect', '--tls-verify=false', '--no-creds', `docker://${reference}`]),
    );
    expect((JSON.parse(inspected) as { Digest: string }).Digest).toBe(digest);
  });

  test('without a password the push is denied', async (context) => {
    needs(context, 'docker-registry');
    if (registry === undefined) return;
    const reference = `${registry.host}/${repository}:denied`;
    await succeed(opSdk(process.execPath, ['bundle', 'build', bundle, '--tag', reference]));
    const result = await opSdk(process.execPath, ['bundle', 'push', reference, '-o', 'json']);
    expect(result.code).toBe(1);
  });
});

function write(name: string, content: string): string {
  const file = join(scratch, name);
  writeFileSync(file, content);
  return file;
}

/** A folder for DOCKER_CONFIG that holds one login. */
function dockerConfig(name: string, host: string, login: string | undefined): string {
  const folder = join(scratch, `docker-${name}`);
  mkdirSync(folder, { recursive: true });
  const auths = login === undefined ? {} : { [host]: { auth: Buffer.from(login).toString('base64') } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths }));
  return folder;
}
