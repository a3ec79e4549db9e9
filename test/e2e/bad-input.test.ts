// Wrong input of every kind: all findings at once, each with code, place and fix; nothing written; the right exit code.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../src/base/errors/index.ts';
import { runCli } from '../helpers/run-cli.ts';
import { treeOf } from '../helpers/tree.ts';

const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bad-input-'));
const template = join(scratch, 'template');
const hostile = "O'Hara */ ${x} {{y}}";
const init = ['init', '--skip-install', '--opsdk', '^0.1.0'];
const createApi = (group: string, version: string, kind: string, ...more: string[]) => [
  ...['create', 'api', '--group', group, '--version', version, '--kind', kind],
  ...more,
];

/** A project with the API cache/v1alpha1 Memcached, to be spoilt. */
function freshProject(): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  cpSync(template, folder, { recursive: true });
  return folder;
}

function emptyFolder(): string {
  return mkdtempSync(join(scratch, 'empty-'));
}

/** Runs a command that must fail; checks what every failure must have, and gives the findings. */
async function refused(
  folder: string,
  argv: readonly string[],
  exitCode: 1 | 2,
): Promise<readonly Finding[]> {
  const before = treeOf(folder);
  const run = await runCli([...argv, '-o', 'json'], { cwd: folder });
  expect(treeOf(folder), 'something was written').toEqual(before);
  const { ok, errors } = JSON.parse(run.stdout) as { ok: boolean; errors: Finding[] };
  expect(ok).toBe(false);
  expect(run.code, JSON.stringify(errors)).toBe(exitCode);
  expect(errors.length).toBeGreaterThan(0);
  for (const finding of errors) {
    expect(finding.code).toMatch(/^[a-z]+\/[a-z0-9-]+$/);
    expect(finding.message).not.toBe('');
    expect(finding.where, `${finding.code} has no place`).toBeDefined();
    expect(finding.fix ?? [], `${finding.code} has no fix`).not.toEqual([]);
  }
  return errors;
}

beforeAll(async () => {
  mkdirSync(template);
  expect(
    await runCli([...init, '--domain', 'example.com', '--project-name', 'cache-operator'], { cwd: template }),
  ).toMatchObject({ code: 0 });
  expect(await runCli(createApi('cache', 'v1alpha1', 'Memcached'), { cwd: template })).toMatchObject({
    code: 0,
  });
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('init', () => {
  test('in a project', async () => {
    await refused(freshProject(), [...init, '--domain', 'example.com'], 1);
  });

  test('--domain Foo_Bar', async () => {
    const findings = await refused(emptyFolder(), [...init, '--domain', 'Foo_Bar', '--project-name', 'x'], 2);
    expect(findings).toMatchObject([{ where: { flag: '--domain' } }]);
    expect(findings[0]?.message).toContain('Foo_Bar');
  });

  test('hostile text in domain and project name: both are found', async () => {
    const findings = await refused(
      emptyFolder(),
      [...init, '--domain', hostile, '--project-name', hostile],
      2,
    );
    expect(findings.map((finding) => finding.where)).toEqual(
      expect.arrayContaining([{ flag: '--domain' }, { flag: '--project-name' }]),
    );
  });

  test('hostile text in owner and repo is kept to the letter', async () => {
    const folder = emptyFolder();
    const run = await runCli(
      [...init, '--domain', 'example.com', '--project-name', 'x', '--owner', hostile, '--repo', hostile],
      { cwd: folder },
    );
    expect(run.stderr).not.toContain('error[');
    expect(run.code).toBe(0);
    const { parse } = await import('yaml');
    expect(parse(readFileSync(join(folder, 'PROJECT'), 'utf8'))).toMatchObject({ repo: hostile });
  });
});

describe('create api', () => {
  test('--version 1alpha', async () => {
    const findings = await refused(freshProject(), createApi('cache', '1alpha', 'Redis'), 2);
    expect(findings).toMatchObject([{ where: { flag: '--version' } }]);
  });

  test('kind nginx', async () => {
    const findings = await refused(freshProject(), createApi('cache', 'v1', 'nginx'), 2);
    expect(findings).toMatchObject([{ where: { flag: '--kind' } }]);
  });

  test('hostile text in group, version, kind and plural: all four are found', async () => {
    const findings = await refused(
      freshProject(),
      createApi(hostile, hostile, hostile, '--plural', hostile),
      2,
    );
    const flags = findings.map((finding) =>
      finding.where !== undefined && 'flag' in finding.where ? finding.where.flag : '',
    );
    expect([...new Set(flags)].sort()).toEqual(['--group', '--kind', '--plural', '--version']);
  });

  test('the same API twice', async () => {
    await refused(freshProject(), createApi('cache', 'v1alpha1', 'Memcached'), 1);
  });

  test('a plural that another kind of the group has', async () => {
    const findings = await refused(
      freshProject(),
      createApi('cache', 'v1alpha1', 'Redis', '--plural', 'memcacheds'),
      1,
    );
    expect(findings.some((finding) => finding.message.includes('Memcached'))).toBe(true);
  });

  test('outside of a project', async () => {
    await refused(emptyFolder(), createApi('cache', 'v1', 'Redis'), 1);
  });

  test('without what it needs, where nobody can be asked', async () => {
    const findings = await refused(freshProject(), ['create', 'api', '--group', 'cache'], 2);
    expect(findings.map((finding) => finding.code)).toEqual(findings.map(() => 'cli/missing-value'));
    expect(findings.map((finding) => finding.where)).toEqual(
      expect.arrayContaining([{ flag: '--version' }, { flag: '--kind' }]),
    );
  });

  test('a PROJECT of version 2', async () => {
    const folder = freshProject();
    const path = join(folder, 'PROJECT');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/version: ["']3["']/, 'version: "2"'));
    const findings = await refused(folder, createApi('cache', 'v1', 'Redis'), 1);
    expect(findings[0]?.where).toMatchObject({ file: 'PROJECT', line: expect.any(Number) });
  });
});

describe('generate manifests', () => {
  const typesFile = 'src/api/cache/v1alpha1/memcached.ts';

  /** The project with these members in the spec and these lines on top of the types file. */
  async function withSpec(members: string, top = ''): Promise<readonly Finding[]> {
    const folder = freshProject();
    writeFileSync(
      join(folder, typesFile),
      `import { defineResource, type CustomResource, type Int32 } from 'opsdk';
${top}
export interface MemcachedSpec {
  size?: Int32;
${members}
}
export interface Memcached extends CustomResource {
  spec: MemcachedSpec;
}
export const Memcached = defineResource<Memcached>({ group: 'cache.example.com', version: 'v1alpha1', kind: 'Memcached' });
`,
    );
    const findings = await refused(folder, ['generate', 'manifests'], 1);
    for (const finding of findings) {
      expect(finding.where).toMatchObject({
        file: typesFile,
        line: expect.any(Number),
        column: expect.any(Number),
      });
    }
    return findings;
  }

  test('a syntax error', async () => {
    await withSpec('  broken: { a: string;');
  });

  test('a plain number', async () => {
    const findings = await withSpec('  replicas?: number;');
    expect(findings).toHaveLength(1);
    expect(findings[0]?.fix?.join(' ')).toMatch(/Int32.*Int64/s);
  });

  test('Map<string, string>', async () => {
    const findings = await withSpec('  labels?: Map<string, string>;');
    expect(findings).toHaveLength(1);
    expect(findings[0]?.fix?.join(' ')).toContain('Record<string');
  });

  test('a recursive type', async () => {
    expect(await withSpec('  tree?: Tree;', 'export interface Tree { children?: Tree[] }')).toHaveLength(1);
  });

  test('a misspelt tag, with the one that was meant', async () => {
    const findings = await withSpec('  /** @minimun 1 */\n  replicas?: Int32;');
    expect(findings).toHaveLength(1);
    expect(findings[0]?.fix?.join(' ')).toContain('@minimum');
  });

  test('an unresolved import', async () => {
    await withSpec('  other?: Other;', "import type { Other } from './does-not-exist.ts';");
  });

  test('all of them at once', async () => {
    const findings = await withSpec(
      '  replicas?: number;\n  labels?: Map<string, string>;\n  tree?: Tree;\n  /** @minimun 1 */\n  other?: Int32;',
      'export interface Tree { children?: Tree[] }',
    );
    expect(new Set(findings.map((finding) => finding.code)).size).toBe(4);
  });
});
