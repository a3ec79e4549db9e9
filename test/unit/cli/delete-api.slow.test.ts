// A kind, or a version of it, taken back out of a project.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ScaffoldedProjects, type ScaffoldedProject } from '../../helpers/scaffolded-project.ts';

const projects = new ScaffoldedProjects();
afterAll(() => projects.remove());

const redis = ['--group', 'cache', '--kind', 'Redis'];
const create = (version: string, ...flags: string[]): string[] => [
  ...['create', 'api', '--version', version, ...redis],
  ...flags,
];
const remove = (...flags: string[]): string[] => ['delete', 'api', ...redis, ...flags];

async function withV1(...flags: string[]): Promise<ScaffoldedProject> {
  const project = await projects.create();
  await project.done(create('v1', ...flags));
  return project;
}

const resourcesIn = (project: ScaffoldedProject): readonly object[] | undefined =>
  (parse(project.read('PROJECT')) as { readonly resources?: readonly object[] }).resources;

describe('delete api --sources', () => {
  test.each([
    ['a kind', [create('v1')]],
    ['a kind without a controller', [create('v1', '--controller=false')]],
    ['all versions of a kind', [create('v1'), create('v2', '--storage', '--controller', '--force')]],
    [
      'a kind with several controllers',
      [create('v1'), create('v1', '--resource=false', '--controller-name', 'redis-backup')],
    ],
    ['a kind with a controller of another name', [create('v1', '--controller-name', 'redis-backup')]],
    [
      'a cluster-scoped kind with a plural of its own',
      [create('v1', '--plural', 'rediscaches', '--namespaced=false')],
    ],
  ])('of %s leaves the project as it was before', async (_name, commands) => {
    const project = await projects.create();
    const before = project.tree();
    for (const argv of commands) await project.done(argv);
    await project.done(remove('--sources'));
    expect(project.tree()).toEqual(before);
    await project.done(['generate', 'manifests', '--check']);
  });

  const foreign = (group: string, kind: string): string[] => [
    ...['--group', group, '--version', 'v1', '--kind', kind],
  ];
  const issuer = JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'issuers.cert-manager.io' },
    spec: {
      group: 'cert-manager.io',
      scope: 'Namespaced',
      names: { kind: 'Issuer', plural: 'issuers', singular: 'issuer', listKind: 'IssuerList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { name: { type: 'string' } } } },
            },
          },
        },
      ],
    },
  });

  const secondVersion = JSON.stringify({
    name: 'v2',
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { type: 'object' } },
  });

  test.each([
    ['a built-in kind', foreign('core', 'ConfigMap'), ['--resource=false']],
    ['an external kind', foreign('cert-manager', 'Issuer'), ['--external-api-path', 'issuer.json']],
  ])('of %s leaves the project as it was before', async (_name, kind, flags) => {
    const project = await projects.create();
    project.write('issuer.json', issuer);
    const before = project.tree();
    await project.done(['create', 'api', ...kind, ...flags]);
    await project.done(['create', 'api', ...kind, '--resource=false', '--controller-name', 'further']);
    const made = Object.keys(project.tree()).filter((path) => !(path in before) && path.endsWith('.ts'));
    const dry = await project.done(['delete', 'api', ...kind, '--dry-run', '-o', 'json']);
    const { result } = JSON.parse(dry.stdout) as { result: { kept: string[] } };
    expect(result.kept).toEqual(expect.arrayContaining(made));
    await project.done(['delete', 'api', ...kind, '--sources']);
    expect(project.tree()).toEqual(before);
  });

  test('of one version of an external kind leaves the definition and the controllers of the other version', async () => {
    const project = await projects.create();
    const second = issuer.replace('"versions":[', `"versions":[${secondVersion},`);
    project.write('issuer.json', second);
    const [v1, v2] = ['v1', 'v2'].map((version) => [
      ...['--group', 'cert-manager', '--version', version, '--kind', 'Issuer'],
    ]) as [string[], string[]];
    const path = ['--external-api-path', 'issuer.json'];
    await project.done(['create', 'api', ...v2, ...path, '--controller-name', 'issuer-audit']);
    const before = project.tree();
    await project.done(['create', 'api', ...v1, ...path]);
    expect(project.tree()).not.toEqual(before);
    await project.done(['delete', 'api', ...v1, '--sources']);
    expect(project.tree()).toEqual(before);
  });

  test('of one of several kinds leaves the others as they were', async () => {
    const project = await projects.create();
    await project.done(['create', 'api', '--group', 'db', '--version', 'v1', '--kind', 'Store']);
    const before = project.tree();
    await project.done(create('v1'));
    await project.done(remove('--sources'));
    expect(project.tree()).toEqual(before);
  });

  test('of a kind whose name another group has, too, leaves that', async () => {
    const project = await withV1();
    const before = project.tree();
    await project.done(['create', 'api', '--group', 'db', '--version', 'v1', '--kind', 'Redis']);
    await project.done(['delete', 'api', '--group', 'db', '--kind', 'Redis', '--sources']);
    expect(project.tree()).toEqual(before);
  });

  test('of a kind whose name another group has since, too, leaves that', async () => {
    const project = await withV1();
    await project.done(['create', 'api', '--group', 'db', '--version', 'v1', '--kind', 'Redis']);
    await project.done(remove('--sources'));
    const main = project.read('src/main.ts');
    expect(main.match(/manager\.add\((\w+)\)/g)).toEqual(['manager.add(dbRedisController)']);
  });

  test('of one version keeps the kind, its roles and its controller', async () => {
    const project = await withV1();
    const before = project.tree();
    await project.done(create('v2'));
    const run = await project.done(remove('--version', 'v2', '--sources'));
    expect(run.stderr).toContain('Clusters may hold Redis objects that are stored as v2');
    expect(run.stderr).toContain('op-sdk storage migrate');
    expect(project.tree()).toEqual(before);
  });

  test('removes the samples from a bundle that lists them, and keeps comments and edits around all entries', async () => {
    const project = await projects.create();
    project.edit('config/default/kustomization.yaml', (text) =>
      text.replace('- ../rbac', '- ../rbac # mine'),
    );
    project.edit('src/main.ts', (text) => text.replace('const manager', '// mine\n  const manager'));
    const before = project.tree();
    await project.done(create('v1'));
    project.write('config/manifests/kustomization.yaml', 'resources:\n- ../default\n- ../samples # ours\n');
    await project.done(remove('--sources'));
    expect(project.read('config/manifests/kustomization.yaml')).toBe('resources:\n- ../default\n');
    const {
      'config/manifests/': _folder,
      'config/manifests/kustomization.yaml': _file,
      ...rest
    } = project.tree();
    expect(rest).toEqual(before);
  });

  test('deletes no file that was edited, generated ones included, unless --force says so', async () => {
    const project = await withV1();
    const edited = [
      'config/rbac/cache_redis_viewer_role.yaml',
      'config/samples/cache_v1_redis.yaml',
      'src/api/cache/v1/redis.ts',
    ];
    for (const path of edited) project.edit(path, (text) => `${text}\n`);
    const findings = await project.refused(remove('--sources'));
    expect(findings.map(({ code, where }) => [code, where])).toEqual(
      edited.map((file) => ['scaffold/file-edited', { file }]),
    );
    await project.done(remove('--sources', '--force'));
    expect(Object.keys(project.tree()).filter((path) => /redis|orig/.test(path))).toEqual([]);
    const other = await withV1();
    const crd = 'config/crd/bases/cache.example.com_redises.yaml';
    other.edit(crd, (text) => text.replace('scope: Namespaced', 'scope: Namespaced # by hand'));
    expect(await other.refused(remove('--sources'))).toMatchObject([
      { code: 'scaffold/file-edited', where: { file: crd } },
    ]);
  });

  test('names everything that still uses what would be deleted', async () => {
    const project = await withV1();
    project.write(
      'src/lib/name.ts',
      "import type { Redis } from '../api/cache/v1/redis.ts';\n\nexport const nameOf = (redis: Redis) => redis.metadata.name;\n",
    );
    project.edit('src/main.ts', (text) =>
      text.replace(
        'manager.add(redisController);',
        'manager.add(redisController);\n  console.log(redisController);',
      ),
    );
    const findings = await project.refused(remove('--sources'));
    expect(findings.map(({ code, where }) => [code, where])).toEqual([
      ['project/still-imported', { file: 'src/main.ts', line: expect.any(Number) as number }],
      ['project/still-imported', { file: 'src/lib/name.ts', line: 1 }],
    ]);
  });

  test('finds uses by aliases, too', async () => {
    const project = await withV1();
    project.edit('tsconfig.json', (text) =>
      text.replace('"compilerOptions": {', '"compilerOptions": {\n    "paths": { "@app/*": ["./src/*"] },'),
    );
    project.edit('src/main.ts', (text) =>
      text.replace('./controllers/cache/redis.ts', '@app/controllers/cache/redis.ts'),
    );
    project.write(
      'test/types.test.ts',
      "import type { Redis } from '@app/api/cache/v1/redis.ts';\nexport type R = Redis;\n",
    );
    expect(await project.refused(remove('--sources'))).toMatchObject([
      { code: 'project/still-imported', where: { file: 'test/types.test.ts', line: 1 } },
    ]);
    project.write('test/types.test.ts', '');
    await project.done(remove('--sources'));
    expect(project.read('src/main.ts')).not.toContain('redis');
  });

  test('deletes no file that declares another kind', async () => {
    const project = await withV1('--controller=false');
    project.edit('src/api/cache/v1/redis.ts', (text) =>
      text.concat(
        "\nexport interface Other extends CustomResource<'cache.example.com/v1', 'Other'> {\n  spec: RedisSpec;\n}\n",
        "export const Other = defineResource<Other>({ group: 'cache.example.com', version: 'v1', kind: 'Other' });\n",
      ),
    );
    expect(await project.refused(remove('--sources', '--force'))).toMatchObject([
      { code: 'project/version-in-use', message: expect.stringContaining('declares Other v1') as string },
    ]);
  });
});

describe('delete api', () => {
  test('without --sources says which files stay; the project still generates; a second run deletes them', async () => {
    const project = await projects.create();
    const before = project.tree();
    await project.done(create('v1'));
    const run = await project.done(remove());
    const kept = [
      'src/api/cache/v1/redis.ts',
      'test/crds/cache/redis.yaml',
      'src/controllers/cache/redis.ts',
      'test/controllers/cache/redis.test.ts',
      'test/controllers/cache/redis.integration.test.ts',
    ];
    expect(run.stderr).toContain(`nothing registers them any longer: ${kept.join(', ')}.`);
    expect(run.stderr).toContain('npx --no op-sdk delete api --group cache --kind Redis --sources');
    for (const path of kept) expect(readdirSync(join(project.folder, path, '..'))).not.toEqual([]);
    expect(resourcesIn(project)).toBeUndefined();
    expect(project.read('src/main.ts')).not.toContain('redis');
    expect(project.read('config/default/kustomization.yaml')).not.toContain('../crd');
    const check = await project.done(['generate', 'manifests', '--check']);
    expect(check.stderr).toContain('manifests/not-in-project');
    await project.done(remove('--sources'));
    expect(project.tree()).toEqual(before);
  });

  test('of the version that is stored, or that the controller reconciles, is refused with the commands that help', async () => {
    const project = await withV1();
    await project.done(create('v2'));
    const findings = await project.refused(remove('--version', 'v1', '--sources'));
    expect(findings.map(({ code, fix }) => [code, fix])).toEqual([
      [
        'project/version-in-use',
        [
          'store them in another version first: op-sdk create api --group cache --version v2 --kind Redis --storage',
        ],
      ],
      [
        'project/version-in-use',
        [
          'move it to another version first: op-sdk create api --group cache --version v2 --kind Redis --resource=false --controller --force',
        ],
      ],
    ]);
    await project.done(create('v2', '--storage'));
    await project.done(create('v2', '--resource=false', '--controller', '--force'));
    await project.done(remove('--version', 'v1', '--sources'));
    expect(resourcesIn(project)).toMatchObject([{ version: 'v2', controller: true }]);
    await project.done(['generate', 'manifests', '--check']);
  });

  test('without --sources unregisters controllers of all names, and says to delete by hand what it would not find again', async () => {
    const project = await withV1();
    await project.done(create('v1', '--resource=false', '--controller-name', 'redis-backup'));
    const run = await project.done(remove());
    expect(project.read('src/main.ts')).not.toMatch(/redis/i);
    expect(run.stderr).toContain('src/controllers/cache/redis-backup.ts');
    expect(run.stderr).toContain('Delete them by hand');
    expect(run.stderr).not.toContain('--sources');
  });

  test('of a version with a controller of another name is refused with the command that moves it', async () => {
    const project = await withV1('--controller-name', 'redis-backup');
    await project.done(create('v2', '--storage'));
    const [finding, ...others] = await project.refused(remove('--version', 'v1', '--sources'));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      message: 'the controller "redis-backup" of Redis still reconciles v1',
      where: { file: 'src/controllers/cache/redis-backup.ts' },
    });
    const move = (finding?.fix?.[0] ?? '').split('op-sdk ')[1] ?? '';
    await project.done(move.split(' '));
    await project.done(remove('--version', 'v1', '--sources'));
    expect(resourcesIn(project)).toMatchObject([{ version: 'v2', controllers: [{ name: 'redis-backup' }] }]);
    await project.done(['generate', 'manifests', '--check']);
  });

  test('of what the project does not have names what it has', async () => {
    const project = await withV1();
    expect(await project.refused(remove('--version', 'v3'))).toMatchObject([
      {
        code: 'project/resource-missing',
        message: 'PROJECT does not list cache/v3, Kind=Redis',
        fix: ['the project has --group cache --version v1 --kind Redis'],
      },
    ]);
    const typo = ['delete', 'api', '--group', 'cache', '--kind', 'Reddis'];
    expect(await project.refused(typo)).toMatchObject([{ fix: [expect.stringContaining('--kind Redis')] }]);
  });

  test('finds all wrong flags at once', async () => {
    const project = await projects.create();
    const findings = await project.refused(['delete', 'api', '--kind', 'redis', '--version', 'x'], 2);
    expect(findings.map(({ code, where }) => [code, where])).toEqual([
      ['cli/missing-value', { flag: '--group' }],
      ['cli/invalid-value', { flag: '--kind' }],
      ['cli/invalid-value', { flag: '--version' }],
    ]);
  });

  test('--dry-run lists the files and deletes none; -o json gives what is deleted and what stays', async () => {
    const project = await withV1();
    const before = project.tree();
    const run = await project.done(remove('--dry-run', '-o', 'json'));
    expect(project.tree()).toEqual(before);
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: true,
      result: {
        dryRun: true,
        deleted: [{ group: 'cache', domain: 'example.com', version: 'v1', kind: 'Redis' }],
        kept: expect.arrayContaining(['src/api/cache/v1/redis.ts']) as string[],
        files: expect.arrayContaining([
          { action: 'delete', path: 'config/samples/cache_v1_redis.yaml' },
          { action: 'update', path: 'PROJECT' },
        ]) as object[],
      },
    });
  });
});
