import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  authFilePaths,
  type FoundCredentials,
} from '../../../../src/images/registry/credentials/auth-file.ts';
import { decodeAuth, findCredentials } from '../../../../src/images/registry/credentials/find-credentials.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'op-sdk-credentials-'))));
afterEach(() => rm(folder, { recursive: true }));

const auth = (text: string) => ({ auth: Buffer.from(text).toString('base64') });

async function write(path: string, value: unknown): Promise<string> {
  const file = join(folder, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

async function find(
  registry: string,
  env: Record<string, string> = {},
  {
    repository = 'team/app',
    authFile,
    // Only a helper that never answers is to be quick: the others start a shell, on a busy machine too.
    helperTimeout = 60_000,
  }: { repository?: string; authFile?: string; helperTimeout?: number } = {},
): Promise<FoundCredentials> {
  return findCredentials(
    { registry, repository },
    {
      env: {
        HOME: folder,
        XDG_RUNTIME_DIR: join(folder, 'run'),
        PATH: `${folder}/bin:${process.env.PATH ?? ''}`,
        ...env,
      },
      signal: new AbortController().signal,
      timing: { helperTimeout },
      ...(authFile === undefined ? {} : { authFile }),
    },
  );
}

/** A credential helper that knows one key, as a shell script. */
async function helper(name: string, key: string, answer: unknown): Promise<void> {
  const file = await write(
    `bin/docker-credential-${name}`,
    `#!/bin/sh
read key
echo "$1 $key" >> "${folder}/asked"
if [ "$key" = "${key}" ]; then echo '${JSON.stringify(answer)}'; exit 0; fi
echo 'credentials not found in native keychain'; exit 1
`,
  );
  await chmod(file, 0o755);
}

const passwordOf = ({ secret }: FoundCredentials): string =>
  secret === undefined
    ? 'none'
    : secret.kind === 'password'
      ? `${secret.username}:${secret.password}`
      : `${secret.kind} ${secret.token}`;

describe('keys of auths', () => {
  it.each([
    ['docker.io', 'index.docker.io/v1/'],
    ['docker.io', 'https://index.docker.io/v1/'],
    ['docker.io', 'docker.io/'],
    ['r.example.com', 'r.example.com/'],
    ['r.example.com', 'http://r.example.com/v2/'],
    ['r.example.com:5000', 'r.example.com:5000/v2/'],
    ['r.example.com', 'r.example.com/somebody/else'],
  ])('%s is found under %s: scheme and path are cut', async (registry, key) => {
    await write('.docker/config.json', { auths: { [key]: auth('u:p') } });
    expect(passwordOf(await find(registry))).toBe('u:p');
  });

  it('the most specific that fits exactly comes first, then that of the whole registry', async () => {
    await write('.docker/config.json', {
      auths: {
        'quay.io/other': auth('other:1'),
        'https://quay.io/v1/': auth('url:1'),
        'quay.io/team': auth('team:1'),
      },
    });
    expect(passwordOf(await find('quay.io'))).toBe('team:1');
    expect(passwordOf(await find('quay.io', {}, { repository: 'third/app' }))).toBe('url:1');
  });

  it('are not those of another host or port', async () => {
    await write('.docker/config.json', { auths: { 'r.example.com:5000/v2/': auth('u:p') } });
    expect(passwordOf(await find('r.example.com'))).toBe('none');
    expect(passwordOf(await find('example.com:5000'))).toBe('none');
  });

  it('are cut for helpers, too, which are asked for the registry', async () => {
    await helper('own', 'r.example.com', { Username: 'h', Secret: '1' });
    await write('.docker/config.json', { credHelpers: { 'https://r.example.com/v2/': 'own' } });
    expect(passwordOf(await find('r.example.com'))).toBe('h:1');
  });

  it('with the value null are absent', async () => {
    await write('.docker/config.json', {
      auths: { 'other.example.com': null, 'quay.io': { ...auth('u:p'), identitytoken: null } },
      credHelpers: { 'third.example.com': null },
      credsStore: null,
    });
    expect(passwordOf(await find('quay.io'))).toBe('u:p');
    expect(passwordOf(await find('other.example.com'))).toBe('none');
    await write('.docker/config.json', { auths: null, credHelpers: null });
    expect(await find('quay.io')).toEqual({ problems: [] });
  });
});

describe('the files', () => {
  it('none: nothing', async () => {
    expect(await find('quay.io')).toEqual({ problems: [] });
  });

  it("docker's config.json, at home or in DOCKER_CONFIG", async () => {
    const path = await write('.docker/config.json', { auths: { 'quay.io': auth('me:at home') } });
    expect(await find('quay.io')).toEqual({
      secret: { kind: 'password', username: 'me', password: 'at home' },
      source: path,
      problems: [],
    });
    await write('other/config.json', { auths: { 'quay.io': auth('me:other') } });
    expect(passwordOf(await find('quay.io', { DOCKER_CONFIG: join(folder, 'other') }))).toBe('me:other');
  });

  it("containers' auth.json comes first, and what it lacks is looked for in docker's", async () => {
    await write('.docker/config.json', { auths: { 'quay.io': auth('d:1'), 'ghcr.io': auth('d:2') } });
    await write('run/containers/auth.json', { auths: { 'quay.io': auth('c:1') } });
    const env = { XDG_RUNTIME_DIR: join(folder, 'run') };
    expect(passwordOf(await find('quay.io', env))).toBe('c:1');
    expect(passwordOf(await find('ghcr.io', env))).toBe('d:2');
    await write('.config/containers/auth.json', { auths: { 'ghcr.io': auth('x:3') } });
    expect(passwordOf(await find('ghcr.io', env))).toBe('x:3');
  });

  it.runIf(process.platform === 'linux')('without XDG_RUNTIME_DIR podman keeps them below /run', () => {
    expect(authFilePaths({ env: { HOME: '/home/me' } })).toEqual([
      `/run/containers/${process.getuid?.()}/auth.json`,
      '/home/me/.config/containers/auth.json',
      '/home/me/.docker/config.json',
    ]);
    expect(authFilePaths({ env: { HOME: '/home/me', XDG_RUNTIME_DIR: '/run/user/1' } })[0]).toBe(
      '/run/user/1/containers/auth.json',
    );
  });

  it('one that is named is the only one', async () => {
    await write('.docker/config.json', { auths: { 'quay.io': auth('d:1') } });
    const named = await write('named.json', { auths: { 'ghcr.io': auth('n:1') } });
    expect(passwordOf(await find('quay.io', { REGISTRY_AUTH_FILE: named }))).toBe('none');
    expect(passwordOf(await find('ghcr.io', { REGISTRY_AUTH_FILE: named }))).toBe('n:1');
    expect(
      passwordOf(await find('ghcr.io', { REGISTRY_AUTH_FILE: '/nonexistent' }, { authFile: named })),
    ).toBe('n:1');
    await expect(find('ghcr.io', { REGISTRY_AUTH_FILE: join(folder, 'no') })).rejects.toMatchObject({
      code: 'oci/credentials-file',
      message: expect.stringContaining(
        `ghcr.io asks for credentials, and the file that REGISTRY_AUTH_FILE names is missing: ${join(folder, 'no')}`,
      ) as unknown,
      findings: [{ fix: [expect.stringContaining('podman login'), 'or unset REGISTRY_AUTH_FILE'] }],
    });
    await expect(find('ghcr.io', {}, { authFile: join(folder, 'no') })).rejects.toThrow(
      'the file that --authfile names is missing',
    );
  });

  it.each([
    ['{"auths":{"quay.io":{"auth":"s3cret"', 'it is not JSON'],
    ['["s3cret"]', 'the file: expected an object, got an array'],
    ['{"auths":["s3cret"]}', 'auths: expected an object, got an array'],
    [
      '{"auths":{"quay.io":{"auth":{"s3cret":1}}}}',
      'auths["quay.io"].auth: expected a string, got an object',
    ],
    ['{"credHelpers":{"a":1}}', 'credHelpers.a: expected a string, got a number'],
    ['{"credsStore":5}', 'credsStore: expected a string, got a number'],
  ])('that cannot be used is an error that does not quote it: %s', async (text, why) => {
    await write('.docker/config.json', text);
    const error: unknown = await find('quay.io').catch((each: unknown) => each);
    expect(String(error)).toContain(why);
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('s3cret');
  });
});

describe('the keys', () => {
  it('may name a part of a registry: the longest that fits counts', async () => {
    await write('.docker/config.json', {
      auths: {
        'quay.io': auth('host:1'),
        'quay.io/team': auth('team:1'),
        'quay.io/team/app': auth('app:1'),
        'quay.io/te': auth('no:1'),
      },
    });
    const user = async (repository: string) => passwordOf(await find('quay.io', {}, { repository }));
    expect(await user('team/app')).toBe('app:1');
    expect(await user('team/app/sub')).toBe('app:1');
    expect(await user('team/other')).toBe('team:1');
    expect(await user('te')).toBe('no:1');
    expect(await user('teams/app')).toBe('host:1');
  });

  it.each([
    'https://index.docker.io/v1/',
    'docker.io',
    'index.docker.io',
    'https://docker.io',
    'registry-1.docker.io',
  ])('of the hub: %s', async (key) => {
    await write('.docker/config.json', { auths: { [key]: auth('hub:1') } });
    expect(passwordOf(await find('docker.io'))).toBe('hub:1');
    expect(passwordOf(await find('quay.io'))).toBe('none');
  });

  it('that are URLs, as docker once wrote them', async () => {
    await write('.docker/config.json', { auths: { 'https://registry.example.com/v1/': auth('old:1') } });
    expect(passwordOf(await find('registry.example.com'))).toBe('old:1');
    expect(passwordOf(await find('registry.example.com:5000'))).toBe('none');
  });

  it('of other ports and suffixes are of others', async () => {
    await write('.docker/config.json', {
      auths: { 'example.com': auth('a:1'), 'localhost:5000': auth('b:1') },
    });
    for (const registry of ['notexample.com', 'example.com.evil.com', 'example.com:444', 'localhost:5001'])
      expect(passwordOf(await find(registry))).toBe('none');
  });
});

describe('the entries', () => {
  it.each([
    [{ username: 'u', password: 'p' }, 'u:p'],
    [{ ...auth('u:p:with:colons'), username: 'x', password: 'y' }, 'u:p:with:colons'],
    [{ ...auth('u:p'), identitytoken: 'it' }, 'identity-token it'],
    [{ registrytoken: 'rt' }, 'registry-token rt'],
    [{ auth: Buffer.from('u:p\0\0').toString('base64') }, 'u:p'],
    [{}, 'none'],
    [{ auth: '' }, 'none'],
  ])('%j', async (entry, expected) => {
    await write('.docker/config.json', { auths: { 'quay.io': entry } });
    const found = await find('quay.io');
    expect(passwordOf(found)).toBe(expected);
    expect(found.problems).toEqual([]);
  });

  it('that contain nothing useful are reported', async () => {
    const path = await write('.docker/config.json', { auths: { 'quay.io': { auth: '!!!' } } });
    expect(await find('quay.io')).toEqual({
      problems: [`the entry for quay.io in ${path} holds no user name and password`],
    });
  });

  it('decodeAuth is the inverse of base64, for all users without colon', () => {
    const user = fc
      .string({ minLength: 1 })
      .filter((text) => !text.includes(':') && !/[\ud800-\udfff]/.test(text));
    const word = fc.string().filter((text) => !text.endsWith('\0') && !/[\ud800-\udfff]/.test(text));
    fc.assert(
      fc.property(user, word, (username, password) => {
        expect(decodeAuth(auth(`${username}:${password}`).auth)).toEqual({ username, password });
      }),
    );
  });
});

describe('the helpers', () => {
  it('credHelpers, then credsStore, then auths', async () => {
    await helper('one', 'quay.io', { ServerURL: 'quay.io', Username: 'u1', Secret: 's1' });
    await helper('store', 'ghcr.io', { ServerURL: 'ghcr.io', Username: '<token>', Secret: 's2' });
    const path = await write('.docker/config.json', {
      auths: { 'quay.io': {}, 'ghcr.io': {}, 'reg.example.com': auth('file:1') },
      credHelpers: { 'quay.io': 'one' },
      credsStore: 'store',
    });
    expect(await find('quay.io')).toMatchObject({
      source: `docker-credential-one, named in ${path}`,
      problems: [],
    });
    expect(passwordOf(await find('quay.io'))).toBe('u1:s1');
    expect(passwordOf(await find('ghcr.io'))).toBe('identity-token s2');
    expect(passwordOf(await find('reg.example.com'))).toBe('file:1');
    expect(await readFile(join(folder, 'asked'), 'utf8')).toBe(
      'get quay.io\nget quay.io\nget ghcr.io\nget reg.example.com\n',
    );
  });

  it('are asked for the hub under its old name', async () => {
    await helper('hub', 'https://index.docker.io/v1/', { Username: 'u', Secret: 's' });
    await write('.docker/config.json', { credsStore: 'hub' });
    expect(passwordOf(await find('docker.io'))).toBe('u:s');
  });

  it('that never answer are ended, and reported', async () => {
    const path = await write('.docker/config.json', {
      credsStore: 'stuck',
      auths: { 'quay.io': auth('file:1') },
    });
    await chmod(await write('bin/docker-credential-stuck', '#!/bin/sh\nexec sleep 600\n'), 0o755);
    expect(await find('quay.io', {}, { helperTimeout: 1_500 })).toMatchObject({
      secret: { password: '1' },
      problems: [`docker-credential-stuck did not answer within 2 s; ${path} names it`],
    });
  });

  it('that are missing or odd are problems, not errors: the registry may not ask', async () => {
    const path = await write('.docker/config.json', {
      credsStore: 'gone',
      credHelpers: { 'a.io': '../../bin/sh', 'b.io': 'odd', 'c.io': 'bad' },
    });
    await chmod(await write('bin/docker-credential-odd', '#!/bin/sh\necho s3cret\n'), 0o755);
    await chmod(await write('bin/docker-credential-bad', '#!/bin/sh\necho s3cret >&2\nexit 3\n'), 0o755);
    const problem = async (registry: string) => (await find(registry)).problems;
    expect(await problem('quay.io')).toEqual([`docker-credential-gone is not on the PATH; ${path} names it`]);
    expect(await problem('a.io')).toEqual([
      `"../../bin/sh" is not a valid name of a credential helper; ${path} names it`,
    ]);
    expect(await problem('b.io')).toEqual([
      `docker-credential-odd did not answer in the format of a credential helper; ${path} names it`,
    ]);
    expect(await problem('c.io')).toEqual([`docker-credential-bad failed (exit code 3); ${path} names it`]);
  });
});
