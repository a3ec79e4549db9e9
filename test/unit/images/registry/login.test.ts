import { chmod, mkdir, readFile, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meansRegistry, withEntry } from '../../../../src/images/registry/login.ts';
import { findCredentials } from '../../../../src/images/registry/credentials/find-credentials.ts';
import { runCli, type CliRun } from '../../../helpers/run-cli.ts';
import { scriptedRegistry } from '../../../helpers/scripted-registry.ts';
import { tempFolder } from '../temp-folder.ts';
import { secret } from './registry-client.ts';

const folder = tempFolder();
const configFile = (): string => join(folder(), '.docker', 'config.json');
const auth = Buffer.from(`alice:${secret}`).toString('base64');

function environment(more: Record<string, string> = {}): Record<string, string> {
  return {
    HOME: folder(),
    XDG_RUNTIME_DIR: join(folder(), 'run'),
    PATH: `${join(folder(), 'bin')}:${process.env['PATH'] ?? ''}`,
    ...more,
  };
}

function login(registry: string, flags: readonly string[] = [], stdin = `${secret}\n`): Promise<CliRun> {
  const argv = ['registry', 'login', registry, '-u', 'alice', '--password-stdin', ...flags];
  return runCli(argv, { env: environment(), stdin });
}

const logout = (registry: string): Promise<CliRun> =>
  runCli(['registry', 'logout', registry], { env: environment() });

async function writeConfig(value: unknown): Promise<void> {
  await mkdir(join(folder(), '.docker'), { recursive: true });
  await writeFile(configFile(), typeof value === 'string' ? value : JSON.stringify(value));
}

const readConfig = async (): Promise<Record<string, Record<string, unknown>>> =>
  JSON.parse(await readFile(configFile(), 'utf8')) as Record<string, Record<string, unknown>>;

const found = (registry: string) =>
  findCredentials(
    { registry, repository: 'team/app' },
    { env: environment(), signal: new AbortController().signal },
  );

/** A credential helper that keeps one entry in a file. */
async function helper(name: string): Promise<void> {
  await mkdir(join(folder(), 'bin'), { recursive: true });
  const kept = join(folder(), 'kept');
  const file = join(folder(), 'bin', `docker-credential-${name}`);
  const script = `#!/bin/sh
case "$1" in
store) cat > "${kept}" ;;
erase) rm -f "${kept}" ;;
get) if [ -f "${kept}" ]; then cat "${kept}"; else echo 'credentials not found in native keychain'; exit 1; fi ;;
esac
`;
  await writeFile(file, script);
  await chmod(file, 0o755);
}

describe('a login', () => {
  test.each(['basic', 'bearer'] as const)(
    'is checked (%s), stored for the owner only, and found',
    async (kind) => {
      await using registry = await scriptedRegistry({ guard: { kind, username: 'alice', password: secret } });
      const run = await login(registry.host);
      expect(run.code, run.stderr).toBe(0);
      expect(run.stderr).toContain('oci/login-unencrypted');
      expect(run.stdout + run.stderr).not.toContain(secret);
      expect(run.stdout + run.stderr).not.toContain(auth);
      expect(await readConfig()).toEqual({ auths: { [registry.host]: { auth } } });
      expect((await stat(configFile())).mode & 0o777).toBe(0o600);
      expect((await stat(join(configFile(), '..'))).mode & 0o777).toBe(0o700);
      expect(await readdir(join(configFile(), '..'))).toEqual(['config.json']);
      expect(await found(registry.host)).toMatchObject({ secret: { username: 'alice', password: secret } });
    },
  );

  test.each(['basic', 'bearer'] as const)('with wrong credentials (%s) stores nothing', async (kind) => {
    await using registry = await scriptedRegistry({ guard: { kind, username: 'alice', password: secret } });
    const run = await login(registry.host, ['-o', 'json'], 'wr0ng-pa55word-of-alice');
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('oci/wrong-credentials');
    expect(run.stdout + run.stderr).not.toContain('wr0ng');
    await expect(stat(join(configFile(), '..'))).rejects.toThrow('ENOENT');
  });

  test('to a registry that asks nobody is stored, and says so', async () => {
    await using registry = await scriptedRegistry();
    const run = await login(registry.host);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('oci/login-unchecked');
    expect((await readConfig())['auths']).toEqual({ [registry.host]: { auth } });
  });

  test('with an identity token', async () => {
    await using registry = await scriptedRegistry({
      guard: { kind: 'bearer', username: 'x', refreshToken: secret },
    });
    const argv = ['registry', 'login', registry.host, '-u', '<token>', '--password-stdin'];
    const run = await runCli(argv, { env: environment(), stdin: secret });
    expect(run.code, run.stderr).toBe(0);
    expect((await readConfig())['auths']).toEqual({ [registry.host]: { identitytoken: secret } });
  });

  test('goes to the credential helper, and a logout erases it there', async () => {
    await helper('test');
    await using registry = await scriptedRegistry({
      guard: { kind: 'basic', username: 'alice', password: secret },
    });
    await writeConfig({ credsStore: 'test', other: 1 });
    const run = await login(registry.host);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).not.toContain('oci/login-unencrypted');
    expect(JSON.parse(await readFile(join(folder(), 'kept'), 'utf8'))).toEqual({
      ServerURL: registry.host,
      Username: 'alice',
      Secret: secret,
    });
    expect(await readFile(configFile(), 'utf8')).not.toContain(auth);
    expect(await found(registry.host)).toMatchObject({ secret: { password: secret } });
    expect((await logout(registry.host)).stdout).toContain('removed');
    expect(await found(registry.host)).toEqual({ problems: [] });
    expect(await readConfig()).toEqual({ credsStore: 'test', other: 1, auths: {} });
  });

  test('says which other credentials take precedence', async () => {
    await using registry = await scriptedRegistry();
    const podman = join(folder(), 'run', 'containers', 'auth.json');
    await mkdir(join(podman, '..'), { recursive: true });
    await writeFile(podman, JSON.stringify({ auths: { [registry.host]: { auth: btoa('bob:b') } } }));
    await writeConfig({ auths: { [`${registry.host}/team`]: { auth: btoa('carl:c') } } });
    const run = await login(registry.host);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain(
      `the stored credentials will not be used: op-sdk finds other credentials for ${registry.host} first (${podman})`,
    );
    expect(run.stderr).toContain(
      `the stored credentials will not be used for ${registry.host}/team, which already has an entry with credentials of its own`,
    );
    expect((await logout(registry.host)).stdout).toContain(`other credentials are still used: ${podman}`);
  });

  test('is written through a link; a file that is not JSON stays as it is', async () => {
    await using registry = await scriptedRegistry();
    const target = join(folder(), 'real.json');
    await writeFile(target, '{\n  "psFormat": "table",\n  "auths": {}\n}\n');
    await mkdir(join(folder(), '.docker'));
    await symlink(target, configFile());
    expect((await login(registry.host)).code).toBe(0);
    expect(await readlink(configFile())).toBe(target);
    const text = await readFile(target, 'utf8');
    expect(text).toMatch(/^\{\n {2}"psFormat": "table",\n[\s\S]*\}\n$/);
    const damaged = `{"auths": {"${registry.host}": {"auth": "${auth}"`;
    await writeFile(target, damaged);
    const run = await login(registry.host);
    expect(run.stderr).toContain('oci/credentials-file');
    expect(run.stderr).not.toContain(auth);
    expect(await readFile(target, 'utf8')).toBe(damaged);
  });

  test('--password is refused with the way out, and does not repeat it; all findings come at once', async () => {
    const run = await runCli(['registry', 'login', 'quay.io/team', '--password', secret], {
      env: environment(),
    });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('--password-stdin');
    expect(run.stderr).toContain("invalid registry 'quay.io/team'");
    expect(run.stderr).toContain('the user name is missing');
    expect(run.stderr).not.toContain(secret);
  });
});

test('a logout where nobody is logged in says so, and changes nothing', async () => {
  const missing = await logout('quay.io');
  expect([missing.code, missing.stdout]).toEqual([0, 'not logged in to quay.io\n']);
  await expect(stat(configFile())).rejects.toThrow('ENOENT');
  const text = '{"auths":{"ghcr.io":{}}}';
  await writeConfig(text);
  expect((await logout('https://index.docker.io/v1/')).stdout).toBe('not logged in to docker.io\n');
  expect(await readFile(configFile(), 'utf8')).toBe(text);
});

describe('the text of a file of credentials', () => {
  test('has one entry for the hub, under the key that docker reads', () => {
    const before = { auths: { 'docker.io': { auth: 'a' }, 'ghcr.io': { auth: 'b' } }, credsStore: '' };
    const { text, removed } = withEntry(JSON.stringify(before), 'docker.io', { auth: 'c' });
    expect(JSON.parse(text)).toEqual({
      auths: { 'ghcr.io': { auth: 'b' }, 'https://index.docker.io/v1/': { auth: 'c' } },
      credsStore: '',
    });
    expect(removed).toBe(1);
  });

  test('keeps everything else, in its order', () => {
    const key = fc.constantFrom('quay.io', 'https://quay.io/v1/', 'quay.io/team', 'ghcr.io', 'quay.io:5000');
    const file = fc.record(
      {
        auths: fc.dictionary(key, fc.record({ auth: fc.base64String() })),
        credHelpers: fc.dictionary(fc.domain(), fc.string()),
        HttpHeaders: fc.jsonValue(),
        '': fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(file, fc.constantFrom(undefined, 2, '\t'), fc.boolean(), (value, indentation, isLogin) => {
        const before = JSON.stringify(value, null, indentation);
        const entry = { auth: 'new' };
        const after = withEntry(before, 'quay.io', isLogin ? entry : undefined).text;
        const others = Object.fromEntries(
          Object.entries(value.auths ?? {}).filter(
            ([each]) => each === 'quay.io' || !meansRegistry(each, 'quay.io'),
          ),
        );
        if (isLogin) others['quay.io'] = entry;
        else delete others['quay.io'];
        const wanted = isLogin || value.auths !== undefined ? { ...value, auths: others } : value;
        const usual = before === '{}' && isLogin ? '\t' : indentation;
        if (before !== '{}') expect(after).toBe(JSON.stringify(wanted, null, usual));
        else expect(JSON.parse(after)).toEqual(wanted);
      }),
    );
  });
});
