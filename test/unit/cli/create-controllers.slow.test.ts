// Several controllers of a kind: their names, and what is refused.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/base/errors/index.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { treeOf } from '../../helpers/tree.ts';

let scratch = '';
let template = '';
const api = (...flags: string[]) => [
  ...['create', 'api', '--group', 'cache', '--version', 'v1', '--kind', 'Redis'],
  ...flags,
];
const further = (name: string, ...flags: string[]) =>
  api('--resource=false', '--controller-name', name, ...flags);

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-controllers-'));
  template = join(scratch, 'cache-operator');
  mkdirSync(template);
  await done(template, ['init', '--domain', 'example.com', '--skip-install', '--opsdk', '^0.1.0']);
  await done(template, api());
  await done(template, further('redis-backup'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function project(): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  cpSync(template, folder, { recursive: true });
  return folder;
}

async function done(folder: string, argv: readonly string[]): Promise<void> {
  const run = await runCli(argv, { cwd: folder });
  expect(run.code, run.stderr).toBe(0);
}

async function refused(folder: string, argv: readonly string[]): Promise<readonly Finding[]> {
  const before = treeOf(folder);
  const run = await runCli([...argv, '-o', 'json'], { cwd: folder });
  expect(run.code, run.stdout).not.toBe(0);
  expect(treeOf(folder)).toEqual(before);
  return (JSON.parse(run.stdout) as { errors: Finding[] }).errors;
}

const codes = (findings: readonly Finding[]): string[] => findings.map(({ code }) => code);

describe('create api --controller-name', () => {
  test('adds a controller with a file, a test, a name and a condition of its own', async () => {
    const folder = project();
    const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
    expect(read('src/controllers/cache/redis-backup.ts')).toContain("  name: 'redis-backup',\n  for: Redis,");
    expect(read('src/controllers/cache/redis-backup.ts')).toContain("['RedisBackupReady']");
    expect(read('test/controllers/cache/redis-backup.test.ts')).toContain("'RedisBackupReady'");
    expect(read('src/main.ts')).toContain(
      'manager.add(redisController);\n  manager.add(redisBackupController);',
    );
    expect(read('PROJECT')).toContain('  controllers:\n  - name: redis\n  - name: redis-backup\n');
    await done(folder, further('redis-failover'));
    expect(read('PROJECT')).toContain('  - name: redis-backup\n  - name: redis-failover\n');
  });

  test.each(['redis', 'redis-backup', 'redisbackup', 'redis-backup-controller', 'redis-controller'])(
    'refuses %s, whose name or code would be that of another controller',
    async (name) => {
      expect(codes(await refused(project(), further(name)))).toEqual(['project/controller-name-taken']);
    },
  );

  test('refuses a kind whose controller would be called like one that has a name', async () => {
    const kind = ['create', 'api', '--group', 'other', '--version', 'v1', '--kind', 'RedisBackup'];
    expect(codes(await refused(project(), kind))).toEqual(['project/controller-name-taken']);
    await done(project(), [...kind, '--controller-name', 'backup-of-redis']);
  });

  test('asks for a name where the kind has controllers', async () => {
    const [finding] = await refused(project(), api('--resource=false'));
    expect(finding).toMatchObject({ code: 'project/controller-exists' });
    expect(finding?.fix).toContain('add another controller with --controller-name');
  });

  test('leaves a kind that has named ones only its first without a name, which needs no --force', async () => {
    const folder = mkdtempSync(join(scratch, 'project-'));
    cpSync(template, folder, { recursive: true });
    const store = ['create', 'api', '--group', 'db', '--version', 'v1', '--kind', 'Store'];
    await done(folder, [...store, '--controller-name', 'store-backup']);
    // A further version makes no controller of its own.
    await done(folder, ['create', 'api', '--group', 'db', '--version', 'v2', '--kind', 'Store']);
    expect(readFileSync(join(folder, 'src/main.ts'), 'utf8')).not.toContain('storeController');
    await done(folder, [...store, '--resource=false', '--controller']);
    expect(readFileSync(join(folder, 'PROJECT'), 'utf8')).toContain(
      '  - name: store-backup\n  - name: store\n',
    );
    const service = ['create', 'api', '--group', 'core', '--version', 'v1', '--kind', 'Service'];
    await done(folder, [...service, '--resource=false', '--controller-name', 'service-audit']);
    await done(folder, [...service, '--resource=false']);
    expect(readFileSync(join(folder, 'PROJECT'), 'utf8')).toContain(
      '  - name: service-audit\n  - name: service\n',
    );
  });

  test('reports everything that is wrong with the flags at once', async () => {
    const argv = ['create', 'api', '--group', 'A', '--version', '1', '--kind', 'Redis'];
    const findings = await refused(project(), [...argv, '--controller=false', '--controller-name', 'A b']);
    expect(findings.map(({ where }) => (where as { flag: string }).flag)).toEqual([
      '--group',
      '--version',
      '--controller-name',
      '--controller-name',
    ]);
  });

  test('--force writes the same controller again', async () => {
    const folder = project();
    const before = treeOf(folder);
    await done(folder, further('redis-backup', '--force'));
    expect(treeOf(folder)).toEqual(before);
  });
});
