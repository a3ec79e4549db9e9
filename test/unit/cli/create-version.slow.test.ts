// A further version of a kind: what is copied, which version is stored, where the controller goes.
import { afterAll, describe, expect, test } from 'vitest';
import { ScaffoldedProjects } from '../../helpers/scaffolded-project.ts';
import { api, replace, resourcesIn, types, upToDate, versionsIn, withV1 } from './redis-versions.ts';

const projects = new ScaffoldedProjects();
afterAll(() => projects.remove());

describe('a further version', () => {
  test('has the types, comments and columns that the newest one has, in its own version', async () => {
    const project = await withV1(projects);
    project.edit(types('v1'), (text) =>
      text
        .replace('foo?: string;', "/** How many. */\n  size: Int32;\n  bar?: 'a' | 'b';")
        .replace('type ListMap', 'type Int32, type ListMap')
        .replace("scope: 'Namespaced',", "scope: 'Namespaced',\n  shortNames: ['rd'],"),
    );
    project.edit('config/samples/cache_v1_redis.yaml', replace('foo: bar', 'size: 3 # enough'));
    await project.done(api('v2'));
    expect(project.read(types('v2'))).toBe(
      project
        .read(types('v1'))
        .replace("'cache.example.com/v1'", "'cache.example.com/v2'")
        .replace("version: 'v1'", "version: 'v2'")
        .replace('  storage: true,\n', ''),
    );
    expect(project.read('config/samples/cache_v2_redis.yaml')).toBe(
      project
        .read('config/samples/cache_v1_redis.yaml')
        .replace('example.com/v1', 'example.com/v2')
        .replace('name: redis-sample', 'name: redis-sample-v2'),
    );
    expect(versionsIn(project)).toMatchObject([
      { name: 'v1', storage: true },
      { name: 'v2', storage: false },
    ]);
    expect(resourcesIn(project)).toMatchObject([
      { version: 'v1', controller: true },
      { version: 'v2', path: types('v2') },
    ]);
    await upToDate(project);
  });

  test('has samples whose names no other version has, without the objects of other kinds', async () => {
    const project = await withV1(projects);
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: password\n';
    const second = (text: string): string => text.replace('redis-sample', '"second" # quoted');
    project.edit('config/samples/cache_v1_redis.yaml', (text) => `${secret}---\n${text}---\n${second(text)}`);
    await project.done(api('v1beta1'));
    await project.done(api('v2'));
    await project.done(api('v3'));
    const names = (version: string): readonly string[] =>
      [...project.read(`config/samples/cache_${version}_redis.yaml`).matchAll(/^ {2}name: (.*)$/gm)].map(
        ([, name = '']) => name,
      );
    expect(names('v1')).toEqual(['password', 'redis-sample', '"second" # quoted']);
    expect(names('v1beta1')).toEqual(['redis-sample-v1beta1', 'second-v1beta1 # quoted']);
    expect(names('v2')).toEqual(['redis-sample-v2', 'second-v2 # quoted']);
    expect(names('v3')).toEqual(['redis-sample-v3', 'second-v3 # quoted']);
  });

  test('has the sample of the templates, with a name of its own, where there is none to copy', async () => {
    const project = await withV1(projects);
    project.edit('config/samples/cache_v1_redis.yaml', () => 'a: [');
    await project.done(api('v2'));
    expect(project.read('config/samples/cache_v2_redis.yaml')).toContain('  name: redis-sample-v2\n');
  });

  test('is a copy of the newest version, not of the first or the last in PROJECT', async () => {
    const project = await withV1(projects);
    await project.done(api('v2beta1'));
    project.edit(types('v1'), replace('foo?: string', 'foo?: string;\n  stable?: string'));
    await project.done(api('v1alpha1'));
    expect(project.read(types('v1alpha1'))).toContain('stable?: string');
    project.edit(types('v2beta1'), replace('foo?: string', 'foo?: string;\n  next?: string'));
    await project.done(api('v3'));
    expect(project.read(types('v3'))).toContain('stable?: string');
  });

  test('imports what the newest one imports, from where it is', async () => {
    const project = await withV1(projects);
    project.write('src/api/cache/v1/size.ts', 'export interface Size {\n  width?: string;\n}\n');
    project.write('src/api/unit.ts', "export type Unit = 'px' | 'em';\n");
    project.edit(types('v1'), (text) =>
      text
        .replace(
          'import {',
          "import type { Size } from './size.ts';\nimport type { Unit } from '../../unit.ts';\nimport {",
        )
        .replace('foo?: string', 'size?: Size;\n  unit?: Unit'),
    );
    await project.done(api('v2'));
    expect(project.read(types('v2'))).toMatch(/from '\.\.\/v1\/size\.ts';\n.*from '\.\.\/\.\.\/unit\.ts'/);
    await upToDate(project);
  });

  test('is neither deprecated nor unserved because the newest one is, and is added to crd.versionOrder', async () => {
    const project = await withV1(projects);
    project.edit(
      types('v1'),
      replace(
        'storage: true,',
        "storage: true,\n  deprecated: 'use v2', // soon\n  crd: { versionOrder: ['v1'] },",
      ),
    );
    await project.done(api('v2'));
    expect(project.read(types('v2'))).not.toMatch(/deprecated|soon|crd:/);
    expect(project.read(types('v1'))).toContain("versionOrder: ['v1', 'v2']");
    await upToDate(project);
  });

  test('lets the version that was stored without saying so say it', async () => {
    const project = await withV1(projects);
    project.edit(types('v1'), replace('  storage: true,\n', ''));
    await project.done(api('v2'));
    expect(project.read(types('v1'))).toContain("  scope: 'Namespaced',\n  storage: true,\n});");
    expect(versionsIn(project)).toMatchObject([{ storage: true }, { storage: false }]);
  });

  test('keeps the line ends of Windows', async () => {
    const project = await withV1(projects);
    project.edit(types('v1'), (text) => text.replaceAll('\n', '\r\n'));
    await project.done(api('v2', '--storage'));
    for (const version of ['v1', 'v2']) expect(project.read(types(version))).not.toMatch(/[^\r]\n/);
  });

  test('scaffolded again with --force, it is the same', async () => {
    const project = await withV1(projects);
    await project.done(api('v2', '--storage'));
    const tree = project.tree();
    await project.done(api('v2', '--force'));
    await project.done(api('v1', '--force', '--controller=false'));
    expect(project.tree()).toEqual(tree);
  });

  test('of types that cannot be copied, all reasons are reported', async () => {
    const project = await withV1(projects);
    project.edit(types('v1'), (text) =>
      text
        .replace(
          'export const Redis',
          "const stored = { storage: true, version: 'v1' } as const;\n\nexport const Redis",
        )
        .replace("  version: 'v1',\n", '')
        .replace('storage: true,\n});', '...stored,\n});')
        .concat(
          "\nexport interface Other extends CustomResource<'cache.example.com/v1', 'Other'> {\n  spec: RedisSpec;\n}\n",
          "export const Other = defineResource<Other>({ group: 'cache.example.com', version: 'v1', kind: 'Other' });\n",
        ),
    );
    const findings = await project.refused(api('v2'));
    expect(findings.map(({ code }) => code)).toEqual([
      'project/cannot-copy',
      'project/cannot-copy',
      'project/cannot-copy',
    ]);
    expect(findings).toMatchObject([
      { message: expect.stringContaining('Other') as string, where: { line: expect.any(Number) as number } },
      { fix: [expect.stringContaining("write `version: 'v1'`")] },
      { fix: [expect.stringContaining('defineResource')] },
    ]);
  });
});

describe('--storage', () => {
  test('stores objects in the new version, and only there', async () => {
    const project = await withV1(projects);
    await project.done(api('v2', '--storage'));
    expect(project.read(types('v1'))).not.toContain('storage');
    expect(project.read(types('v2'))).toContain('  storage: true,\n});');
    expect(versionsIn(project)).toMatchObject([
      { name: 'v1', storage: false },
      { name: 'v2', storage: true },
    ]);
    await upToDate(project);
  });

  test('of a version that exists, changes nothing but the storage version; a second run changes nothing', async () => {
    const project = await withV1(projects);
    await project.done(api('v2'));
    project.edit(types('v2'), replace('foo?: string', 'foo?: string;\n  bar?: string'));
    await project.done(['generate', 'manifests']);
    await project.done(api('v2', '--storage'));
    expect(project.read(types('v2'))).toContain('bar?: string');
    expect(versionsIn(project)).toMatchObject([{ storage: false }, { storage: true }]);
    expect(Object.keys(project.tree()).filter((path) => path.endsWith('.orig'))).toEqual([]);
    const tree = project.tree();
    await project.done(api('v2', '--storage'));
    await project.done(api('v2', '--storage', '--resource=false', '--controller=false'));
    expect(project.tree()).toEqual(tree);
    expect(
      await project.refused(api('v3', '--storage', '--resource=false', '--controller=false')),
    ).toMatchObject([{ code: 'project/resource-missing' }]);
  });

  test('names the fields that stored objects would lose, and needs --force then', async () => {
    const project = await withV1(projects);
    await project.done(api('v2'));
    project.edit(types('v1'), replace('foo?: string', 'foo?: string;\n  ports?: { name: string }[]'));
    project.edit(types('v2'), replace('foo?: string', 'bar?: string'));
    expect(await project.refused(api('v2', '--storage'))).toMatchObject([
      {
        code: 'project/storage-loses-fields',
        message: expect.stringContaining('would lose .spec.foo, .spec.ports: v1 has') as string,
        where: { file: types('v2') },
      },
    ]);
    await project.done(api('v2', '--storage', '--force'));
    expect(versionsIn(project)).toMatchObject([{ storage: false }, { storage: true }]);
    expect(project.read(types('v2'))).toContain('bar?: string');
  });

  test('says which line to write where the source cannot be spliced', async () => {
    const project = await withV1(projects);
    await project.done(api('v2'));
    project.edit(types('v1'), (text) =>
      text
        .replace('export const Redis', 'const stored = { storage: true } as const;\n\nexport const Redis')
        .replace('  storage: true,\n});', '  ...stored,\n});'),
    );
    const line =
      project
        .read(types('v1'))
        .split('\n')
        .findIndex((each) => each.includes('const stored')) + 1;
    expect(await project.refused(api('v2', '--storage'))).toMatchObject([
      {
        code: 'project/cannot-splice',
        fix: [
          expect.stringContaining(`remove \`storage: true\` at ${types('v1')}:${line}:`),
          expect.anything(),
        ],
      },
    ]);
  });
});

describe('the controller', () => {
  test('moves with --controller --force: imports, tests and PROJECT change, edits stay', async () => {
    const project = await withV1(projects);
    const controller = 'src/controllers/cache/redis.ts';
    project.edit(controller, replace('// Create what', '// Ours.\n    // Create what'));
    const main = project.read('src/main.ts');
    expect(await project.refused(api('v2', '--controller'))).toMatchObject([
      {
        code: 'project/controller-exists',
        fix: [
          'use --controller=false',
          'add another controller with --controller-name',
          'move the controller to v2 with --force',
        ],
      },
    ]);
    await project.done(api('v2', '--controller', '--force'));
    expect(project.read(controller)).toContain("from '../../api/cache/v2/redis.ts'");
    expect(project.read(controller)).toContain('// Ours.');
    const test = project.read('test/controllers/cache/redis.test.ts');
    expect(test).toContain("from '../../../src/api/cache/v2/redis.ts'");
    expect(test).toContain("apiVersion: 'cache.example.com/v2'");
    expect(test).not.toContain('/v1');
    expect(project.read('test/controllers/cache/redis.integration.test.ts')).toContain('/v2/redis.ts');
    expect(project.read('src/main.ts')).toBe(main);
    expect(resourcesIn(project)).toEqual([
      expect.not.objectContaining({ controller: expect.anything() as unknown }),
      expect.objectContaining({ version: 'v2', controller: true }),
    ]);
    expect(Object.keys(project.tree()).filter((path) => path.endsWith('.orig'))).toEqual([]);
    await upToDate(project);
  });

  test('moves where the types are imported by an alias, and is refused where they are not imported at all', async () => {
    const project = await withV1(projects);
    const controller = 'src/controllers/cache/redis.ts';
    project.edit('tsconfig.json', (text) =>
      text.replace(
        '"compilerOptions": {',
        '"compilerOptions": {\n    "paths": { "@api/*": ["./src/api/*"] },',
      ),
    );
    project.edit(controller, (text) => text.replace('../../api/cache/v1/redis.ts', '@api/cache/v1/redis.ts'));
    const move = api('v2', '--controller', '--force');
    const aliased = project.read(controller);
    project.edit('src/controllers/cache/redis.ts', (text) =>
      text.replace('@api/cache/v1/redis.ts', '../../api/kinds.ts'),
    );
    project.write('src/api/kinds.ts', "export * from './cache/v1/redis.ts';\n");
    expect(await project.refused(move)).toMatchObject([
      { code: 'project/cannot-splice', where: { file: controller } },
    ]);
    project.write(controller, aliased);
    await project.done(move);
    expect(project.read(controller)).toContain("from '../../api/cache/v2/redis.ts'");
  });

  test('moves to a version that exists, whose types stay as they are', async () => {
    const project = await withV1(projects);
    await project.done(api('v2'));
    project.edit(types('v2'), replace('foo?: string', 'foo?: string;\n  bar?: string'));
    await project.done(['generate', 'manifests']);
    await project.done(api('v2', '--resource=false', '--controller', '--force'));
    expect(project.read(types('v2'))).toContain('bar?: string');
    expect(project.read('src/controllers/cache/redis.ts')).toContain('/v2/redis.ts');
    expect(resourcesIn(project)).toMatchObject([{ version: 'v1' }, { version: 'v2', controller: true }]);
  });

  test.each([
    ['a further version', [], api('v2', '--resource')],
    ['a version that exists', [api('v2')], api('v2', '--resource=false')],
  ])(
    'of another name is made for %s, and the one of the former version stays there',
    async (_name, before, argv) => {
      const project = await withV1(projects);
      for (const command of before) await project.done(command);
      const existing = project.read('src/controllers/cache/redis.ts');
      await project.done([...argv, '--controller-name', 'redis-backup']);
      expect(project.read('src/controllers/cache/redis.ts')).toBe(existing);
      expect(project.read('src/controllers/cache/redis-backup.ts')).toContain('/v2/redis.ts');
      expect(project.read('src/main.ts')).toContain('manager.add(redisBackupController)');
      expect(resourcesIn(project)).toMatchObject([
        { version: 'v1', controller: true },
        { version: 'v2', controllers: [{ name: 'redis-backup' }] },
      ]);
      await upToDate(project);
    },
  );

  test('moves by its name with --force, and leaves those of other names where they are', async () => {
    const project = await withV1(projects);
    const backup = ['--resource=false', '--controller-name', 'redis-backup'];
    const file = 'src/controllers/cache/redis-backup.ts';
    await project.done(api('v1', ...backup));
    await project.done(api('v2'));
    project.edit(file, (text) => text.replace('// Create what', '// Ours.\n    // Create what'));
    expect(await project.refused(api('v2', ...backup))).toMatchObject([
      {
        code: 'project/controller-name-taken',
        fix: [expect.anything(), 'move the controller to v2 with --force'],
      },
    ]);
    await project.done(api('v2', ...backup, '--force'));
    expect(project.read(file)).toContain("from '../../api/cache/v2/redis.ts'");
    expect(project.read(file)).toContain('// Ours.');
    expect(project.read('src/controllers/cache/redis.ts')).toContain('/v1/redis.ts');
    expect(resourcesIn(project)).toMatchObject([
      { version: 'v1', controllers: [{ name: 'redis' }] },
      { version: 'v2', controllers: [{ name: 'redis-backup' }] },
    ]);
    await project.done(api('v2', '--resource=false', '--controller', '--force'));
    expect(project.read('src/controllers/cache/redis.ts')).toContain('/v2/redis.ts');
    expect(resourcesIn(project)).toEqual([
      expect.not.objectContaining({ controllers: expect.anything() as unknown }),
      expect.objectContaining({ controllers: [{ name: 'redis-backup' }, { name: 'redis' }] }),
    ]);
    await upToDate(project);
  });

  test('that moves, leaves sources that still use the former version, and says where', async () => {
    const project = await withV1(projects);
    project.write(
      'src/lib/name.ts',
      "import type { Redis } from '../api/cache/v1/redis.ts';\nexport const nameOf = (redis: Redis) => redis.metadata.name;\n",
    );
    const run = await project.done(api('v2', '--controller', '--force'));
    expect(run.stderr).toContain('src/lib/name.ts:1 still imports the types of v1');
  });

  test('that moves, does not ask to look at the conversion, which imports all versions', async () => {
    const project = await withV1(projects);
    await project.done(api('v2'));
    const kind = ['--group', 'cache', '--version', 'v2', '--kind', 'Redis'];
    await project.done(['create', 'webhook', ...kind, '--conversion']);
    const conversionTest = 'test/conversions/cache/redis.test.ts';
    project.edit(
      conversionTest,
      (text) =>
        `${text}\nimport { Redis } from '../../../src/api/cache/v1/redis.ts';\nit('has v1', () => expect(Redis.version).toBe('v1'));\n`,
    );
    const run = await project.done(api('v2', '--resource=false', '--controller', '--force'));
    expect(project.read('src/conversions/cache/redis.ts')).toContain('/v1/redis.ts');
    expect(run.stderr).not.toContain('still imports');
  });
});
