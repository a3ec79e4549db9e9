import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { detectPackageManager } from '../../../../src/project/project/index.ts';
import { filesFor } from '../../../../src/project/upgrade/installers.ts';

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
          'registry=https://npm.example.com/\n//npm.example.com/:_authToken=${TOKEN}\ncafile = certs/ca.pem\nkeyfile=/etc/key.pem\n',
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
cafile = ${join(project, 'certs/ca.pem')}
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

  test('keeps a path of Yarn 1, which is relative to the project, out of it', async () => {
    write({ '.yarnrc': 'registry "https://npm.example.com"\nyarn-path ".yarn/releases/yarn-1.22.22.cjs"\n' });
    const { '.yarnrc': settings } = await files('yarn/1.22.22');
    expect(settings).toBe('registry "https://npm.example.com"\n\n');
  });
});
