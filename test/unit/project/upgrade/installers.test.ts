import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { detectPackageManager } from '../../../../src/project/project/index.ts';
import { filesFor, registrySettingsOf } from '../../../../src/project/upgrade/installers.ts';

let project = '';
beforeEach(() => (project = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-installers-')))));
afterEach(() => rmSync(project, { recursive: true }));

const files = (agent: string): ReturnType<typeof filesFor> =>
  filesFor('latest', { project, manager: detectPackageManager({ npm_config_user_agent: agent }) });

const write = (texts: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(project, name), text);
};

describe('the folder into which op-sdk is installed', () => {
  test.each(['npm/11.0.0', 'pnpm/12.0.0', 'yarn/1.22.22', 'bun/1.4.0'])(
    'takes .npmrc over, with %s',
    async (agent) => {
      write({
        '.npmrc':
          '\uFEFFregistry=https://npm.example.com/\n//npm.example.com/:_authToken=${TOKEN}\ncafile = certs/ca.pem\nkeyfile=/etc/key.pem\n',
        'package.json':
          '\uFEFF{ "packageManager": "npm@11.0.0", "dependencies": { "opsdk": "^1.0.0", "pino": "^9.0.0" } }',
      });
      const { 'package.json': manifest = '', ...settings } = await files(agent);
      expect(JSON.parse(manifest)).toEqual({
        private: true,
        packageManager: 'npm@11.0.0',
        dependencies: { opsdk: 'latest' },
      });
      expect(settings).toEqual({
        '.npmrc': `registry=https://npm.example.com/
//npm.example.com/:_authToken=\${TOKEN}
cafile=${join(project, 'certs/ca.pem')}
keyfile=/etc/key.pem
`,
      });
    },
  );

  test('has of the settings of pnpm those of the registry, without the packages and patches of the project', async () => {
    write({
      'pnpm-workspace.yaml': `packages: ['operators/*']
patchedDependencies: { pino: patches/pino.patch }
overrides: { semver: 'link:../semver' }
registries: { default: https://npm.example.com/ }
minimumReleaseAge: 1440
minimumReleaseAgeExclude: [opsdk]
httpsProxy: http://proxy.example.com:3128
cafile: certs/ca.pem
fetchRetries: 0
strictSsl: yes
`,
    });
    const { 'pnpm-workspace.yaml': settings = '' } = await files('pnpm/12.0.0');
    expect(parse(settings)).toEqual({
      registries: { default: 'https://npm.example.com/' },
      minimumReleaseAge: 1440,
      minimumReleaseAgeExclude: ['opsdk'],
      httpsProxy: 'http://proxy.example.com:3128',
      cafile: join(project, 'certs/ca.pem'),
      fetchRetries: 0,
      strictSsl: 'yes',
    });
  });

  test('has packages in files with Yarn, whose own path leads to the project', async () => {
    const own = { nodeLinker: 'node-modules', enableImmutableInstalls: false, enableScripts: false };
    expect(parse((await files('yarn/4.0.0'))['.yarnrc.yml'] ?? '')).toEqual(own);
    write({
      '.yarnrc.yml': `nodeLinker: pnp
yarnPath: .yarn/releases/yarn-4.18.1.cjs
plugins: [{ path: .yarn/plugins/own.cjs }]
npmRegistryServer: 'https://npm.example.com'
npmScopes: { example: { npmAuthToken: '\${TOKEN}' } }
npmMinimalAgeGate: 1d
httpsCaFilePath: /etc/ca.pem
`,
    });
    expect(parse((await files('yarn/4.0.0'))['.yarnrc.yml'] ?? '')).toEqual({
      ...own,
      yarnPath: join(project, '.yarn/releases/yarn-4.18.1.cjs'),
      npmRegistryServer: 'https://npm.example.com',
      npmScopes: { example: { npmAuthToken: '${TOKEN}' } },
      npmMinimalAgeGate: '1d',
      httpsCaFilePath: '/etc/ca.pem',
    });
  });

  test.each(['npm/11.0.0', 'pnpm/12.0.0', 'yarn/1.22.22', 'bun/1.4.0'])(
    'has of .npmrc the registry and the way there, with %s',
    async (agent) => {
      const taken = [
        '@example:registry=https://npm.example.com/',
        'always-auth',
        'ca[]="one"',
        "ca[]='two'",
        `cafile="${join(project, 'certs/ca.pem')}"`,
        'certfile=${HOME}/cert.pem',
        'https-proxy=http://proxy.example.com:3128',
        'noproxy=localhost',
        'strict-ssl=false',
        'fetch-retries=0',
        'before=2026-01-01',
        'minimum-release-age-exclude[]=opsdk',
        '//npm.example.com:8080/path/:_password=${PASSWORD}',
      ];
      const dropped = [
        'global=true',
        '"global"=true',
        "'prefix' = /abs",
        'prefix=/abs',
        'workspaces=true',
        'dry-run=true',
        'package-lock-only=true',
        'frozen-lockfile=true',
        'modules-dir=/abs',
        'virtual-store-dir=/abs',
        'cache=/abs',
        'pnpmfile=own.cjs',
        'global-pnpmfile=own.cjs',
        'ignore-scripts=false',
        'script-shell=./own.sh',
        'git=./own.sh',
        'node-options=--require ./own.cjs',
        'ca;registry=/abs',
        'global=true\rregistry-of=x',
        '${KEY}=/abs',
        '//npm.example.com/:tokenHelper=/abs/own.sh',
        '; registry=https://comment.example.com/',
        '[section]',
        'registry=https://section.example.com/',
      ];
      write({ '.npmrc': [...taken, ...dropped].join('\r\n').replace(project + '/', '') });
      expect((await files(agent))['.npmrc']).toBe(taken.map((line) => `${line}\n`).join(''));
    },
  );

  test('has of .yarnrc of Yarn 1 the registry and the way there, without flags and a path of Yarn', async () => {
    write({
      '.yarnrc': String.raw`# yarn lockfile v1
registry "https://npm.example.com"
"@example:registry" "https://npm.example.com/example"
"//npm.example.com/:_authToken" secret
strict-ssl false
network-timeout 1000
cafile "certs/ca.pem"
yarn-path ".yarn/releases/yarn-1.22.22.cjs"
"yarn-path" ".yarn/releases/yarn-1.22.22.cjs"
yarn-path: own.cjs
--modules-folder "/abs"
"--install.modules-folder" "/abs"
--install.modules-folder "/abs"
registry "x" --modules-folder "/abs"
registry "x", --modules-folder "/abs"
registry, yarn-path own.cjs
registry "https:\/\/escaped.example.com" "x"
key:
  --modules-folder "/abs"
cache-folder "/abs"
`,
    });
    expect((await files('yarn/1.22.22'))['.yarnrc']).toBe(`"registry" "https://npm.example.com"
"@example:registry" "https://npm.example.com/example"
"//npm.example.com/:_authToken" "secret"
"strict-ssl" false
"network-timeout" 1000
"cafile" ${JSON.stringify(join(project, 'certs/ca.pem'))}
`);
  });

  test('has of bunfig.toml the registry and the way there', async () => {
    write({
      'bunfig.toml': `preload = ["./own.ts"]
install.registry = "https://top.example.com"

[install] # of the project
globalDir = "/abs"
dryRun = true
frozenLockfile = true
production = true
cafile = "certs/ca.pem"
ca = ["one", 'two']
minimumReleaseAge = 86400 # a day
minimumReleaseAgeExcludes = []
registry = { url = "https://npm.example.com", token = "$TOKEN" } # ours
scopes.dotted = "https://dotted.example.com"
registry.cache = "/abs"
exact = """
[install.cache]
"""

[install.cache]
dir = "/abs"

[install.security]
scanner = "./own.ts"

[install.scopes]
"@example" = "https://user:secret@npm.example.com/"
plain = 'https://npm.example.com/'
bad = "x" global = "y"

[install.scopes."@other"]
url = "https://other.example.com"
global = true

[[install]]
ca = "array"

[run]
registry = "x"
`,
    });
    expect((await files('bun/1.4.0'))['bunfig.toml']).toBe(`["install"]
"registry" = { url = "https://npm.example.com", token = "$TOKEN" }
"cafile" = ${JSON.stringify(join(project, 'certs/ca.pem'))}
"ca" = ["one", 'two']
"minimumReleaseAge" = 86400
"minimumReleaseAgeExcludes" = []
["install"."scopes"]
"dotted" = "https://dotted.example.com"
"@example" = "https://user:secret@npm.example.com/"
"plain" = 'https://npm.example.com/'
["install"."scopes"."@other"]
"url" = "https://other.example.com"
`);
  });

  test('takes paths of Yarn from the project, in maps of hosts too', async () => {
    write({
      '.yarnrc.yml': `networkSettings: { '*.example.com': { httpsCaFilePath: certs/ca.pem } }\nhttpProxy: \${PROXY}\n`,
    });
    expect(parse((await files('yarn/4.0.0'))['.yarnrc.yml'] ?? '')).toMatchObject({
      networkSettings: { '*.example.com': { httpsCaFilePath: join(project, 'certs/ca.pem') } },
      httpProxy: '${PROXY}',
    });
  });
});

describe('in a workspace', () => {
  const inWorkspace = async (
    agent: string,
    workspaces: unknown,
  ): Promise<Awaited<ReturnType<typeof filesFor>>> => {
    const member = join(project, 'packages/op');
    mkdirSync(member, { recursive: true });
    write({
      'package.json': JSON.stringify({ workspaces }),
      '.npmrc': 'registry=https://root.example.com/\n',
      '.yarnrc': 'registry "https://root.example.com/"\n',
      '.yarnrc.yml':
        'npmRegistryServer: https://root.example.com\nnpmScopes: { root: { npmAlwaysAuth: true } }\n',
      'bunfig.toml': '[install]\nregistry = "https://root.example.com/"\nca = "root"\n',
      'packages/op/package.json': '{}',
      'packages/op/.npmrc': 'registry=https://own.example.com/\n',
      'packages/op/.yarnrc.yml': 'npmScopes: { own: { npmAlwaysAuth: true } }\n',
      'packages/op/bunfig.toml': '[install]\nca = "own"\n',
    });
    return filesFor('latest', {
      project: member,
      manager: detectPackageManager({ npm_config_user_agent: agent }),
    });
  };

  test.each([[['packages/*']], [{ packages: ['./packages/**', '!packages/other'] }]])(
    'the settings of its root apply: %j',
    async (workspaces) => {
      expect((await inWorkspace('npm/11.0.0', workspaces))['.npmrc']).toBe(
        'registry=https://root.example.com/\n',
      );
      expect(await inWorkspace('yarn/1.22.22', workspaces)).toMatchObject({
        '.yarnrc': '"registry" "https://root.example.com/"\n',
        '.npmrc': 'registry=https://root.example.com/\nregistry=https://own.example.com/\n',
      });
      expect(parse((await inWorkspace('yarn/4.0.0', workspaces))['.yarnrc.yml'] ?? '')).toMatchObject({
        npmRegistryServer: 'https://root.example.com',
        npmScopes: { root: { npmAlwaysAuth: true }, own: { npmAlwaysAuth: true } },
      });
      expect((await inWorkspace('bun/1.4.0', workspaces))['bunfig.toml']).toBe(
        '["install"]\n"registry" = "https://root.example.com/"\n"ca" = "own"\n',
      );
    },
  );

  test.each([[['apps/*']], [['packages/*', '!packages/op']], [undefined]])(
    'that does not list the project, they do not: %j',
    async (workspaces) => {
      expect((await inWorkspace('npm/11.0.0', workspaces))['.npmrc']).toBe(
        'registry=https://own.example.com/\n',
      );
    },
  );

  test('of pnpm, the settings of both apply', async () => {
    mkdirSync(join(project, 'op'));
    write({
      'pnpm-workspace.yaml': 'packages: [op]\nfetchRetries: 0\n',
      '.npmrc': 'registry=https://root.example.com/\n',
      'op/.npmrc': 'strict-ssl=false\n',
    });
    const manager = detectPackageManager({ npm_config_user_agent: 'pnpm/12.0.0' });
    expect(await filesFor('latest', { project: join(project, 'op'), manager })).toMatchObject({
      'pnpm-workspace.yaml': 'fetchRetries: 0\n',
      '.npmrc': 'registry=https://root.example.com/\nstrict-ssl=false\n',
    });
  });
});

test('the environment keeps of the settings of npm those of the registry', () => {
  const kept = {
    PATH: '/bin',
    npm_config_registry: 'https://npm.example.com/',
    NPM_CONFIG_HTTPS_PROXY: 'http://proxy.example.com:3128',
    'npm_config_//npm.example.com/:_authToken': 'secret',
    npm_config__authToken: 'secret',
    npm_config_fetch_retries: '0',
    npm_config_userconfig: '/home/me/.npmrc',
    npm_config_cache: '/home/me/.npm',
  };
  const dropped = {
    npm_config_global: 'true',
    npm_config_location: 'global',
    npm_config_prefix: '/usr',
    NPM_CONFIG_WORKSPACES: 'true',
    npm_config_dry_run: 'true',
    npm_config_package_lock_only: 'true',
    npm_config_user_agent: 'npm/11.0.0',
    pnpm_config_modules_dir: '/abs',
  };
  expect(registrySettingsOf({ ...kept, ...dropped })).toEqual(kept);
});
