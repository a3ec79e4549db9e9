// init and create api through the command line, in process: flags, what is kept, what is refused, what is said.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Finding } from '../../src/base/errors/index.ts';
import { runCli, type CliRun } from '../helpers/run-cli.ts';
import { treeOf } from '../helpers/tree.ts';

let scratch = '';
let template = '';
const init = ['init', '--domain', 'example.com', '--skip-install', '--opsdk', '^0.1.0'];
const api = (...flags: string[]) => [
  'create',
  'api',
  '--group',
  'cache',
  '--version',
  'v1',
  '--kind',
  'Redis',
  ...flags,
];

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-commands-'));
  template = join(scratch, 'cache-operator');
  mkdirSync(template);
  expect(await runCli(init, { cwd: template })).toMatchObject({ code: 0 });
});

function emptyFolder(): string {
  return mkdtempSync(join(scratch, 'empty-'));
}

function project(): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  cpSync(template, folder, { recursive: true });
  return folder;
}

function edit(folder: string, path: string, change: (text: string) => string): void {
  writeFileSync(join(folder, path), change(readFileSync(join(folder, path), 'utf8')));
}

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

async function done(folder: string, argv: readonly string[]): Promise<CliRun> {
  const run = await runCli(argv, { cwd: folder });
  expect(run.code, run.stderr).toBe(0);
  return run;
}

async function refused(folder: string, argv: readonly string[], code: number): Promise<readonly Finding[]> {
  const before = treeOf(folder);
  const run = await runCli([...argv, '-o', 'json'], { cwd: folder });
  expect(run.code, run.stdout).toBe(code);
  expect(treeOf(folder)).toEqual(before);
  return (JSON.parse(run.stdout) as { errors: Finding[] }).errors;
}

const resourcesOf = (folder: string): unknown[] =>
  (parse(read(folder, 'PROJECT')) as { resources?: unknown[] }).resources ?? [];

describe('init', () => {
  test('says what was made and what to do next', async () => {
    const run = await done(emptyFolder(), init);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain('create  PROJECT\n');
    expect(run.stderr).toMatch(/Next: npm install.*\n.*npx --no op-sdk create api --group/);
  });

  test('-o json gives one document with the files', async () => {
    const run = await done(emptyFolder(), [...init, '-o', 'json']);
    const { ok, result } = JSON.parse(run.stdout) as {
      ok: boolean;
      result: { opsdk: string; files: object[] };
    };
    expect(ok).toBe(true);
    expect(result).toMatchObject({ opsdk: '^0.1.0', dryRun: false });
    expect(result.files).toContainEqual({ action: 'create', path: 'config/rbac/role.yaml' });
  });

  test('--dry-run writes nothing', async () => {
    const folder = emptyFolder();
    const run = await done(folder, [...init, '--dry-run']);
    expect(run.stderr).toContain('create  PROJECT\n');
    expect(treeOf(folder)).toEqual({});
  });

  test('takes the name from the folder, and the dependency from OPSDK_SPEC', async () => {
    const folder = join(emptyFolder(), 'My_Operator');
    mkdirSync(folder);
    const run = await runCli(['init', '--domain', 'example.com', '--skip-install'], {
      cwd: folder,
      env: { OPSDK_SPEC: 'file:../opsdk.tgz' },
    });
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(read(folder, 'package.json'))).toMatchObject({
      name: 'my-operator',
      dependencies: { opsdk: 'file:../opsdk.tgz' },
    });
  });

  test('speaks the package manager that runs it', async () => {
    const folder = emptyFolder();
    const run = await runCli(init, {
      cwd: folder,
      env: { npm_config_user_agent: 'pnpm/9.1.0 npm/? node/v20' },
    });
    expect(run.stderr).toMatch(/Next: pnpm install\n.*pnpm exec op-sdk create api/);
    expect(read(folder, 'Makefile')).toContain('NPM ?= pnpm\n');
    expect(read(folder, 'Dockerfile')).toContain('RUN pnpm install --frozen-lockfile\n');
  });

  test('lists every file that is in the way, and keeps all others', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'README.md'), 'mine');
    writeFileSync(join(folder, 'Makefile'), 'mine');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const findings = await refused(folder, init, 1);
    expect(findings.map(({ code, where }) => [code, where])).toEqual([
      ['scaffold/file-exists', { file: 'Makefile' }],
      ['scaffold/file-exists', { file: 'README.md' }],
    ]);
    const forced = await done(folder, [...init, '--force']);
    expect(forced.stderr).toContain('--- README.md\n-mine\n');
    expect(read(folder, 'notes.txt')).toBe('mine');
  });

  test('finds all wrong flags at once', async () => {
    const argv = [
      'init',
      '--project-name',
      'A',
      '--license',
      'mit',
      '--owner',
      'a\nb',
      '--project-version',
      '2',
    ];
    const findings = await refused(emptyFolder(), argv, 2);
    expect(findings.map(({ code, where }) => [code, where])).toEqual([
      ['cli/missing-value', { flag: '--domain' }],
      ['cli/invalid-value', { flag: '--project-name' }],
      ['cli/invalid-value', { flag: '--owner' }],
      ['cli/invalid-value', { flag: '--license' }],
      ['cli/invalid-value', { flag: '--project-version' }],
    ]);
  });

  test('an install that fails leaves a complete project and says how to go on', async () => {
    const folder = emptyFolder();
    const argv = ['init', '--domain', 'example.com', '--opsdk', '^0.1.0', '-o', 'json'];
    const run = await runCli(argv, { cwd: folder, env: { PATH: '/nowhere' } });
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ errors: [{ code: 'scaffold/install-failed' }] });
    expect(await runCli(['generate', 'manifests', '--check'], { cwd: folder })).toMatchObject({ code: 0 });
  });
});

describe('create api', () => {
  test.each([
    ['--resource --controller', true, true],
    ['--resource=true --controller=false', true, false],
    ['--resource --no-controller', true, false],
  ])('%s', async (flags, resource, controller) => {
    const folder = project();
    await done(folder, api(...flags.split(' ')));
    const tree = treeOf(folder);
    expect('src/api/cache/v1/redis.ts' in tree).toBe(resource);
    expect('src/controllers/cache/redis.ts' in tree).toBe(controller);
    expect('test/controllers/cache/redis.test.ts' in tree).toBe(controller);
    expect(read(folder, 'src/main.ts').includes('manager.add(redisController);')).toBe(controller);
    expect(resourcesOf(folder)).toMatchObject([{ kind: 'Redis', api: { namespaced: true } }]);
    expect(await runCli(['generate', 'manifests', '--check'], { cwd: folder })).toMatchObject({ code: 0 });
  });

  test('a controller for a kind that is there', async () => {
    const folder = project();
    await refused(folder, api('--resource=false'), 1);
    await done(folder, api('--controller=false'));
    await done(folder, api('--resource=false'));
    expect(resourcesOf(folder)).toMatchObject([{ kind: 'Redis', controller: true }]);
    expect(read(folder, 'src/main.ts')).toContain('manager.add(redisController);');
    await refused(folder, api('--resource=false', '--controller'), 1);
  });

  test('a cluster-scoped kind with a plural of its own', async () => {
    const folder = project();
    await done(folder, api('--namespaced=false', '--plural', 'rediscaches'));
    const crd = parse(read(folder, 'config/crd/bases/cache.example.com_rediscaches.yaml')) as {
      spec: unknown;
    };
    expect(crd.spec).toMatchObject({ scope: 'Cluster', names: { plural: 'rediscaches' } });
    expect(resourcesOf(folder)).toMatchObject([{ plural: 'rediscaches', api: { namespaced: false } }]);
  });

  test('a second version shares plural, scope, controller and roles, edited or not', async () => {
    const folder = project();
    await done(folder, api('--namespaced=false', '--plural', 'rediscaches'));
    edit(folder, 'config/rbac/cache_redis_viewer_role.yaml', (text) => `# mine\n${text}`);
    const second = ['create', 'api', '--group', 'cache', '--version', 'v2', '--kind', 'Redis'];
    expect(
      (await refused(folder, [...second, '--plural', 'others', '--namespaced'], 1)).map(({ code }) => code),
    ).toEqual(['project/inconsistent-versions', 'project/inconsistent-versions']);
    expect(await refused(folder, [...second, '--controller'], 1)).toMatchObject([
      { code: 'project/controller-exists' },
    ]);
    await done(folder, second);
    const crd = parse(read(folder, 'config/crd/bases/cache.example.com_rediscaches.yaml')) as {
      spec: { versions: object[] };
    };
    expect(crd.spec.versions).toMatchObject([
      { name: 'v1', storage: true },
      { name: 'v2', storage: false },
    ]);
    expect(read(folder, 'config/rbac/cache_redis_viewer_role.yaml')).toMatch(/^# mine\n/);
  });

  test('keeps comments and edits in the files that it extends', async () => {
    const folder = project();
    edit(folder, 'PROJECT', (text) => `# about us\n${text}x-team: storage # ours\n`);
    edit(folder, 'config/default/kustomization.yaml', (text) =>
      text.replace('- ../rbac', '- ../rbac # mine'),
    );
    edit(folder, 'src/main.ts', (text) => text.replace('const manager', '// mine\n  const manager'));
    await done(folder, api());
    expect(read(folder, 'PROJECT')).toMatch(/^# about us\n[^]*x-team: storage # ours\n$/);
    expect(read(folder, 'config/default/kustomization.yaml')).toContain('- ../crd\n- ../rbac # mine\n');
    expect(read(folder, 'src/main.ts')).toContain('  // mine\n  const manager');
  });

  test('--force overwrites, shows the difference, keeps the edited version, and registers nothing twice', async () => {
    const folder = project();
    await done(folder, api());
    const before = treeOf(folder);
    const types = 'src/api/cache/v1/redis.ts';
    const barInsteadOfFoo = (text: string): string => text.replace('foo?: string', 'bar?: string');
    edit(folder, types, barInsteadOfFoo);
    const edited = read(folder, types);
    const run = await done(folder, api('--force'));
    expect(run.stderr).toContain('-  bar?: string;\n+  foo?: string;\n');
    expect(run.stderr).toContain(`${types} was edited: that version is kept as ${types}.orig\n`);
    const { [`${types}.orig`]: kept, ...others } = treeOf(folder);
    expect(others).toEqual(before);
    expect([kept !== undefined, read(folder, `${types}.orig`)]).toEqual([true, edited]);
    // Without an edit nothing is kept; a second edit does not cost the first.
    await done(folder, api('--force'));
    expect(Object.keys(treeOf(folder)).filter((path) => path.includes('.orig'))).toHaveLength(1);
    edit(folder, types, (text) => text.replace('foo?: string', 'baz?: string'));
    await done(folder, api('--force'));
    expect(read(folder, `${types}.orig`)).toBe(edited);
    expect(read(folder, `${types}.orig.1`)).toContain('baz?: string');
  });

  test('--force moves the controller of a kind to the version that is given', async () => {
    const folder = project();
    await done(folder, api());
    const [, , , , , , ...kind] = api();
    const v2 = ['create', 'api', '--group', 'cache', '--version', 'v2', ...kind, '--controller', '--force'];
    await done(folder, v2);
    expect(resourcesOf(folder)).toEqual([
      expect.not.objectContaining({ controller: expect.anything() }),
      expect.objectContaining({ version: 'v2', controller: true }),
    ]);
    expect(read(folder, 'src/controllers/cache/redis.ts')).toContain('/v2/redis.ts');
    const tree = treeOf(folder);
    await done(folder, v2);
    expect(treeOf(folder)).toEqual(tree);
  });

  test('--dry-run tells the files and writes none', async () => {
    const folder = project();
    const before = treeOf(folder);
    const run = await done(folder, api('--dry-run'));
    expect(run.stderr).toContain('create  config/crd/bases/cache.example.com_redises.yaml\n');
    expect(treeOf(folder)).toEqual(before);
  });

  test('new files start with the licence notice of the project', async () => {
    const folder = project();
    writeFileSync(join(folder, 'hack/boilerplate.txt'), 'Copyright */ us\n\nAll rights.\n');
    await done(folder, api());
    expect(read(folder, 'src/controllers/cache/redis.ts')).toMatch(
      /^\/\/ Copyright \*\/ us\n\/\/\n\/\/ All rights\.\n\nimport /,
    );
  });

  test('a template of the project replaces ours', async () => {
    const folder = project();
    const override = join(folder, '.op-sdk/templates/controller/src/controllers/__group__');
    mkdirSync(override, { recursive: true });
    writeFileSync(
      join(override, '__kind__.ts.hbs'),
      "import { defineController } from 'opsdk';\nimport { {{identifier kind}} } from {{tsString typesImport}};\nexport const redisController = defineController({ for: {{identifier kind}}, reconcile() {} });\n",
    );
    await done(folder, api());
    expect(read(folder, 'src/controllers/cache/redis.ts')).toContain('reconcile() {}');
  });

  test('a template override that is unknown or broken is refused', async () => {
    const folder = project();
    const override = join(folder, '.op-sdk/templates/api/src/api/__group__/__version__');
    mkdirSync(override, { recursive: true });
    writeFileSync(join(override, '__kind__.ts.hbs'), '{{kind}}');
    expect(await refused(folder, api(), 1)).toMatchObject([
      {
        code: 'scaffold/bad-template',
        where: { file: '.op-sdk/templates/api/src/api/__group__/__version__/__kind__.ts.hbs' },
      },
    ]);
    writeFileSync(join(override, 'other.ts.hbs'), '');
    expect(await refused(folder, api(), 1)).toMatchObject([{ code: 'scaffold/unknown-template' }]);
  });

  test('what blocks the command is reported before anything is written', async () => {
    const marker = project();
    edit(marker, 'src/main.ts', (text) => text.replace('// +op-sdk:scaffold:imports\n', ''));
    expect(await refused(marker, api(), 1)).toMatchObject([
      {
        code: 'scaffold/marker-missing',
        where: { file: 'src/main.ts' },
        fix: [expect.anything(), expect.stringContaining('import { redisController }')],
      },
    ]);
    const file = project();
    mkdirSync(join(file, 'src/controllers/cache'), { recursive: true });
    writeFileSync(join(file, 'src/controllers/cache/redis.ts'), '// mine\n');
    expect(await refused(file, api(), 1)).toMatchObject([
      { code: 'scaffold/file-exists', where: { file: 'src/controllers/cache/redis.ts' } },
    ]);
    const yaml = project();
    edit(yaml, 'config/rbac/kustomization.yaml', () => 'resources: none\n');
    expect(await refused(yaml, api(), 1)).toMatchObject([
      { code: 'project/cannot-edit', where: { file: 'config/rbac/kustomization.yaml' } },
    ]);
    const types = project();
    await done(types, api());
    edit(types, 'src/api/cache/v1/redis.ts', (text) => text.replace('foo?: string', 'foo?: number'));
    const other = ['create', 'api', '--group', 'cache', '--version', 'v1', '--kind', 'Other'];
    expect(await refused(types, other, 1)).toMatchObject([
      { where: { file: 'src/api/cache/v1/redis.ts', line: expect.any(Number) } },
    ]);
  });

  test.each(['Condition', 'Define', 'Promise'])(
    'the kind %s, whose name the scaffold needs, is refused',
    async (kind) => {
      const argv = ['create', 'api', '--group', 'cache', '--version', 'v1', '--kind', kind];
      expect(await refused(project(), argv, 2)).toMatchObject([{ where: { flag: '--kind' } }]);
    },
  );

  test('a workspace: imports and a tsconfig above the project are found while it is planned', async () => {
    const workspace = emptyFolder();
    const folder = join(workspace, 'packages/operator');
    const shared = join(workspace, 'packages/shared');
    cpSync(template, folder, { recursive: true });
    mkdirSync(shared);
    writeFileSync(join(workspace, 'package.json'), '{ "private": true, "workspaces": ["packages/*"] }');
    writeFileSync(join(shared, 'group.ts'), 'export type Port = string;\n');
    writeFileSync(join(shared, 'index.ts'), 'export interface Shared {\n  port: string;\n}\n');
    // Linked into the project as a package manager does it in a workspace.
    writeFileSync(
      join(shared, 'package.json'),
      '{ "name": "shared", "type": "module", "exports": { "./*": "./*.ts" } }',
    );
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(shared, join(folder, 'node_modules/shared'), 'junction');
    writeFileSync(
      join(workspace, 'tsconfig.base.json'),
      '{ "compilerOptions": { "paths": { "@shared": ["./packages/shared/index.ts"] } } }',
    );
    edit(folder, 'tsconfig.json', (text) => text.replace('{', '{\n  "extends": "../../tsconfig.base.json",'));
    await done(folder, api());
    edit(
      folder,
      'src/api/cache/v1/redis.ts',
      (text) =>
        `import type { Shared } from '@shared';\nimport type { Port } from 'shared/group';\n${text.replace('foo?: string', 'foo?: string;\n  shared?: Shared;\n  port?: Port')}`,
    );
    await done(folder, ['create', 'api', '--group', 'cache', '--version', 'v1', '--kind', 'Memcached']);
    const crd = parse(read(folder, 'config/crd/bases/cache.example.com_redises.yaml')) as object;
    expect(JSON.stringify(crd)).toContain('"shared":{"properties":{"port":{"type":"string"}}');
    await done(folder, ['generate', 'manifests', '--check']);
  });

  test('neither resource nor controller is nothing', async () => {
    expect(await refused(project(), api('--resource=false', '--controller=false'), 2)).toMatchObject([
      { where: { flag: '--resource' } },
    ]);
  });
});
