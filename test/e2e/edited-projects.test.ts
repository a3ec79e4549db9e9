// Projects as people leave them: with links, odd files, Windows line ends, formatters' habits. Nothing of theirs is lost.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../src/base/errors/index.ts';
import { runCli } from '../helpers/run-cli.ts';
import { treeOf } from '../helpers/tree.ts';

let scratch = '';
let template = '';
const init = ['init', '--domain', 'example.com', '--skip-install', '--opsdk', '^0.1.0'];
const check = ['generate', 'manifests', '--check'];
const api = (group: string, kind: string, ...flags: string[]) => [
  ...['create', 'api', '--group', group, '--version', 'v1', '--kind', kind],
  ...flags,
];

beforeAll(async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-edited-')));
  template = join(scratch, 'cache-operator');
  mkdirSync(template);
  await done(template, init);
  await done(template, api('cache', 'Redis'));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function project(): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  cpSync(template, folder, { recursive: true });
  return folder;
}

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

function edit(folder: string, path: string, change: (text: string) => string): void {
  writeFileSync(join(folder, path), change(read(folder, path)));
}

async function done(folder: string, argv: readonly string[]): Promise<string> {
  const run = await runCli(argv, { cwd: folder });
  expect(run.code, run.stderr).toBe(0);
  return run.stderr;
}

async function refused(folder: string, argv: readonly string[], code = 1): Promise<readonly Finding[]> {
  const before = treeOf(folder);
  const run = await runCli([...argv, '-o', 'json'], { cwd: folder });
  expect(run.code, run.stdout).toBe(code);
  expect(treeOf(folder)).toEqual(before);
  return (JSON.parse(run.stdout) as { errors: Finding[] }).errors;
}

describe('symbolic links', () => {
  test('a file that is a link is not written by --dry-run, and is edited where it lies otherwise', async () => {
    const folder = project();
    mkdirSync(join(folder, 'lib'));
    renameSync(join(folder, 'src/main.ts'), join(folder, 'lib/main.ts'));
    symlinkSync('../lib/main.ts', join(folder, 'src/main.ts'));
    const before = read(folder, 'lib/main.ts');
    await done(folder, api('cache', 'Valkey', '--dry-run'));
    expect(read(folder, 'lib/main.ts')).toBe(before);
    await done(folder, api('cache', 'Valkey'));
    expect(read(folder, 'lib/main.ts')).toContain('manager.add(valkeyController);');
  });

  test('a file that is a link out of the project is refused and not written', async () => {
    const folder = project();
    const outside = join(scratch, 'outside.ts');
    renameSync(join(folder, 'src/main.ts'), outside);
    symlinkSync(outside, join(folder, 'src/main.ts'));
    const before = readFileSync(outside, 'utf8');
    const argv = [...api('cache', 'Valkey'), '-o', 'json'];
    const run = await runCli(argv, { cwd: folder });
    expect(JSON.parse(run.stdout)).toMatchObject({ errors: [{ code: 'schema/outside-project' }] });
    expect(readFileSync(outside, 'utf8')).toBe(before);
  });

  test('links in a circle, links to nothing and pipes are passed over', async () => {
    const folder = project();
    symlinkSync('.', join(folder, 'circle'));
    symlinkSync('nowhere', join(folder, 'dangling.ts'));
    execFileSync('mkfifo', [join(folder, 'pipe.json')]);
    await done(folder, api('cache', 'Valkey'));
    await done(folder, check);
  });
});

test('a group may have the name of a folder that is otherwise passed over', async () => {
  const folder = project();
  await done(folder, api('dist', 'Redis'));
  await done(folder, api('cache', 'Valkey'));
  await done(folder, check);
});

test('files that git checked out with the line ends of Windows stay so and are up to date', async () => {
  const folder = project();
  const paths = Object.keys(treeOf(folder)).filter((path) => /(?:\.ts|\.ya?ml|PROJECT)$/.test(path));
  expect(paths).toContain('config/rbac/role.yaml');
  for (const path of paths) edit(folder, path, (text) => text.replaceAll('\n', '\r\n'));
  await done(folder, check);
  const before = treeOf(folder);
  await done(folder, ['generate', 'manifests']);
  expect(treeOf(folder)).toEqual(before);
  await done(folder, api('cache', 'Valkey'));
  for (const path of ['PROJECT', 'src/main.ts', 'config/crd/kustomization.yaml']) {
    expect(read(folder, path)).toContain('alkey');
    expect(read(folder, path)).not.toMatch(/[^\r]\n/);
  }
  await done(folder, check);
});

test("a formatter's quotes and semicolons do not make --force register a controller twice", async () => {
  const folder = project();
  edit(folder, 'src/main.ts', (text) => text.replaceAll("'", '"').replaceAll(';\n', '\n'));
  const before = read(folder, 'src/main.ts');
  await done(folder, api('cache', 'Redis', '--force'));
  expect(read(folder, 'src/main.ts')).toBe(before);
});

test('all missing markers are reported at once', async () => {
  const folder = project();
  edit(folder, 'src/main.ts', (text) => text.replaceAll(/^ *\/\/ \+op-sdk.*\n/gm, ''));
  const findings = await refused(folder, api('cache', 'Valkey'));
  expect(findings.map(({ code }) => code)).toEqual(['scaffold/marker-missing', 'scaffold/marker-missing']);
});

test('below the project, the error names the folder to change into', async () => {
  const folder = project();
  const [finding] = await refused(join(folder, 'src'), ['generate', 'manifests']);
  expect(finding).toMatchObject({ code: 'project/not-found' });
  expect(finding?.fix?.[0]).toContain(folder);
});

test('a second controller is refused, and --force overwrites the first one', async () => {
  const folder = project();
  expect(await refused(folder, api('cache', 'Redis', '--resource=false'))).toMatchObject([
    { code: 'project/controller-exists', where: { file: 'src/controllers/cache/redis.ts' } },
  ]);
  edit(folder, 'src/controllers/cache/redis.ts', () => '');
  await done(folder, api('cache', 'Redis', '--resource=false', '--force'));
  expect(read(folder, 'src/controllers/cache/redis.ts')).toContain('defineController');
});

test('--dry-run does not send people to files that do not exist', async () => {
  const talk = await done(project(), api('cache', 'Valkey', '--dry-run'));
  expect(talk).toContain('dry run: nothing was written\n');
  expect(talk).not.toMatch(/Edit |Next: /);
});

test('--check and --stdout contradict each other', async () => {
  expect(await refused(project(), [...check, '--stdout'], 2)).toMatchObject([
    { code: 'cli/invalid-value', where: { flag: '--stdout' } },
  ]);
});

test('files outside of the folder are shown as they are reached from it', async () => {
  const folder = project();
  const talk = await done(folder, ['generate', 'manifests', '--output-dir', '../out', '--dry-run']);
  expect(talk).toContain('create  ../out/role.yaml\n');
});
