// How `op-sdk crd diff` is called: its sides, formats and exit codes. What it says is in test/golden/crd-diff.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCli } from '../../../../helpers/run-cli.ts';

const golden = join(import.meta.dirname, '../../../../golden/crd-diff');
const read = (path: string): string => readFileSync(join(golden, path), 'utf8');

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'op-sdk-diff-'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
});

const diff = (args: readonly string[], stdin = '') => runCli(['crd', 'diff', ...args], { cwd, stdin });

test('either side may be standard input, a folder or a List', async () => {
  mkdirSync(join(cwd, 'folder/below'), { recursive: true });
  writeFileSync(join(cwd, 'folder/below/new.yml'), read('enum/new.yaml'));
  writeFileSync(join(cwd, 'folder/kustomization.yaml'), 'resources: [below/new.yml]\n');
  writeFileSync(join(cwd, 'folder/README.md'), 'not YAML: [');
  const indented = read('enum/old.yaml').replace(/^/gm, '  ').replace(/^ {2}/, '- ');
  writeFileSync(join(cwd, 'list.yaml'), `apiVersion: v1\nkind: List\nitems:\n${indented}`);
  const expected = { code: 1, stdout: read('enum/diff.txt'), stderr: '' };
  expect(await diff(['-', 'folder'], read('enum/old.yaml'))).toEqual(expected);
  expect(await diff(['list.yaml', '-'], read('enum/new.yaml'))).toEqual(expected);
});

test('project is what the sources generate', async () => {
  const init = ['init', '--domain', 'example.com', '--project-name', 'x', '--skip-install', '--opsdk', '*'];
  expect(await runCli(init, { cwd })).toMatchObject({ code: 0 });
  const empty = await diff(['project', 'project']);
  expect(empty).toMatchObject({ code: 1, stdout: '' });
  expect(empty.stderr).toContain('diff/nothing-to-compare');
  mkdirSync(join(cwd, 'src/api'), { recursive: true });
  const source = (fields: string) => `import { defineResource, type CustomResource } from 'opsdk';
export interface Site extends CustomResource { spec: { ${fields} } }
export const Site = defineResource<Site>({ group: 'web.example.com', version: 'v1', kind: 'Site', scope: 'Namespaced' });
`;
  writeFileSync(join(cwd, 'src/api/site.ts'), source('host: string; path?: string'));
  expect(await runCli(['generate', 'manifests'], { cwd })).toMatchObject({ code: 0 });
  expect(await diff(['config/crd/bases', 'project'])).toMatchObject({
    code: 0,
    stdout: 'no breaking changes, no compatible changes\n',
  });
  writeFileSync(join(cwd, 'src/api/site.ts'), source('host: string'));
  const changed = await diff(['config/crd/bases', 'project']);
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain('breaking    field-removed  .spec.path: the string was removed');
  expect(await diff(['project', 'config/crd/bases'])).toMatchObject({ code: 0 });
});

describe('exit codes', () => {
  test.each([
    ['enum', [], 1],
    ['enum', ['--fail-on', 'none'], 0],
    ['enum', ['--fail-on=any'], 1],
    ['field-added', [], 0],
    ['field-added', ['--fail-on', 'any'], 1],
    ['equal', ['--fail-on', 'any'], 0],
  ])('%s %j: %i', async (name, flags, code) => {
    cpSync(join(golden, name), cwd, { recursive: true });
    expect((await diff(['old.yaml', 'new.yaml', ...flags])).code).toBe(code);
  });

  test.each([
    [['old.yaml'], 'NEW is missing'],
    [[], "missing required argument 'old'"],
    [['-', '-'], 'expected at most one of OLD and NEW to be standard input (-), got both'],
    [
      ['old.yaml', 'new.yaml', '--from-cluster'],
      '--from-cluster: expected one argument, NEW, got two: OLD and NEW',
    ],
    [['old.yaml', 'new.yaml', '--fail-on', 'never'], '--fail-on'],
    [['old.yaml', 'new.yaml', '-o', 'yaml'], '--output'],
  ])('%j is wrong usage', async (args, message) => {
    cpSync(join(golden, 'enum'), cwd, { recursive: true });
    const { code, stdout, stderr } = await diff(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

test('findings in both sides are reported at once', async () => {
  writeFileSync(join(cwd, 'broken.yaml'), 'a: [');
  writeFileSync(join(cwd, 'other.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n');
  const { code, stderr } = await diff(['broken.yaml', 'other.yaml']);
  expect(code).toBe(1);
  expect(stderr).toContain('at broken.yaml:1');
  expect(stderr).toContain('NEW other.yaml has no CustomResourceDefinition');
  const missing = await diff(['nowhere', 'other.yaml']);
  expect(missing.stderr).toContain('io/not-found');
  expect(missing.stderr).toContain('diff/nothing-to-compare');
});

test('a schema that the API server refuses is an error in NEW, a warning in OLD', async () => {
  writeFileSync(join(cwd, 'good.yaml'), read('equal/old.yaml'));
  writeFileSync(join(cwd, 'bad.yaml'), read('equal/old.yaml').replace('type: string', 'type: text'));
  const asOld = await diff(['bad.yaml', 'good.yaml']);
  expect(asOld.stderr).toContain('warning[crd/schema]: the schema of v1, .spec.host: unknown type text');
  expect(asOld.stdout).toContain('type-changed  .spec.host: text became string');
  const asNew = await diff(['good.yaml', 'bad.yaml']);
  expect(asNew).toMatchObject({ code: 1, stdout: '' });
  expect(asNew.stderr).toContain('error[crd/schema]: the schema of v1, .spec.host: unknown type text');
  expect(asNew.stderr).toContain('at bad.yaml:');
});

test('-o json is the envelope, -o markdown a comment for a pull request', async () => {
  cpSync(join(golden, 'enum'), cwd, { recursive: true });
  const json = await diff(['old.yaml', 'new.yaml', '-o', 'json']);
  const { ok, result } = JSON.parse(json.stdout) as { ok: boolean; result: { changes: unknown[] } };
  expect({ ok, code: json.code }).toEqual({ ok: false, code: 1 });
  expect(result).toMatchObject({ breaking: 2, compatible: 2 });
  expect(result.changes[0]).toEqual({
    code: 'enum-value-removed',
    severity: 'breaking',
    affects: ['stored', 'writers'],
    crd: 'sites.web.example.com',
    version: 'v1',
    path: '.spec.mode',
    message: '"a" is no longer allowed',
    explanation: 'Objects and clients may use it.',
    ratcheted: true,
  });
  const { stdout } = await diff(['old.yaml', 'new.yaml', '-o', 'markdown']);
  await expect(stdout).toMatchFileSnapshot('../../../../golden/crd-diff/enum/diff.md');
});

test('markdown keeps text that is not markup as it is', async () => {
  cpSync(join(golden, 'pattern'), cwd, { recursive: true });
  writeFileSync(join(cwd, 'new.yaml'), read('pattern/new.yaml').replace('^c', '^(c|`d*`)$'));
  const { stdout } = await diff(['old.yaml', 'new.yaml', '-o', 'markdown']);
  expect(stdout).toContain('must match "^(c\\|\\`d\\*\\`)$" now');
});
