// What a project or a caller of `op-sdk crd diff` wants otherwise: severities, waivers, documentation.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeCodes } from '../../../../../src/kubernetes/crd/diff/change-codes.ts';
import { runCli } from '../../../../helpers/run-cli.ts';

const golden = join(import.meta.dirname, '../../../../golden/crd-diff');

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'op-sdk-diff-'));
  cpSync(join(golden, 'enum'), cwd, { recursive: true });
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
});

const diff = (...flags: readonly string[]) =>
  runCli(['crd', 'diff', 'old.yaml', 'new.yaml', ...flags], { cwd });
const packageJson = (crdDiff: unknown): void => {
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ opsdk: { crdDiff } }, null, 2));
};
const waiver = (fields: Readonly<Record<string, string>>): string =>
  `waivers:\n- ${Object.entries({
    code: 'enum-added',
    crd: 'sites.web.example.com',
    path: '.spec.free',
    reason: 'nobody uses other values',
    until: '2999-12-31',
    ...fields,
  })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n  ')}\n`;
const writeWaivers = (text: string): void => {
  writeFileSync(join(cwd, 'waivers.yaml'), text);
};

describe('severity', () => {
  test('package.json counts otherwise, and flags override it', async () => {
    packageJson({ severity: { 'enum-value-added': 'breaking', 'enum-added': 'compatible' } });
    const { code, stdout } = await diff();
    expect(code).toBe(1);
    expect(stdout).toContain('  breaking    enum-value-added  .spec.mode');
    expect(stdout).toContain('  compatible  enum-added  .spec.free');
    // Breaking ones stay first.
    expect(stdout.indexOf('enum-value-added')).toBeLessThan(stdout.indexOf('enum-added'));
    const flags = ['enum-added', 'enum-value-added', 'enum-value-removed'].flatMap((name) => [
      '--severity',
      `${name}=compatible`,
    ]);
    expect((await diff(...flags)).code).toBe(0);
  });

  test('everything that is wrong is said at once, with its place and what may have been meant', async () => {
    packageJson({ severity: { 'enum-vlaue-added': 'breaking', 'enum-added': 'braking' }, waiver: 'x' });
    const { code, stdout, stderr } = await diff('--severity', 'enum-changed=breaking', '--severity', 'x');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'opsdk.crdDiff.severity.enum-vlaue-added: unknown code of a change\n  at package.json:5:',
    );
    expect(stderr).toContain('fix: write one of enum-value-added, ');
    expect(stderr).toContain(
      "opsdk.crdDiff.severity.enum-added: expected 'breaking' or 'compatible', got 'braking'",
    );
    expect(stderr).toContain('opsdk.crdDiff has no property `waiver`');
    expect(stderr).toMatch(
      /--severity: unknown code of a change "enum-changed"\n {2}at --severity\n {2}fix: write one of .*enum-added/,
    );
    expect(stderr).toContain('--severity: expected CODE=breaking or CODE=compatible, got "x"');
    const more = await diff('--severity', 'enum-added=compatible=1');
    expect(more.stderr).toContain('got "enum-added=compatible=1"');
  });

  test('a package.json that is not JSON is an error', async () => {
    writeFileSync(join(cwd, 'package.json'), '{');
    const { code, stderr } = await diff();
    expect(code).toBe(1);
    expect(stderr).toContain('error[diff/invalid-settings]: package.json is not JSON');
  });

  test('the guide lists every code with its severity', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../../../../docs/crd/diff.md'), 'utf8');
    const listed = [...guide.matchAll(/^\| `([a-z-]+)` +\| (breaking|compatible) +\|/gm)].map(
      ([, code, severity]) => [code, severity],
    );
    expect(listed).toEqual(Object.entries(changeCodes).map(([code, { severity }]) => [code, severity]));
  });
});

describe('waivers', () => {
  test('a change that is accepted does not count, and shows why', async () => {
    packageJson({ waivers: 'waivers.yaml', severity: { 'enum-value-removed': 'compatible' } });
    writeWaivers(waiver({}));
    const { code, stdout, stderr } = await diff();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      '  waived      enum-added  .spec.free: only "on", "off" are allowed now\n              Accepted until 2999-12-31: nobody uses other values\n',
    );
    expect(stdout).toContain('no breaking changes, 3 compatible changes, 1 waived change\n');
    const json = JSON.parse((await diff('-o', 'json')).stdout) as { result: { changes: { code: string }[] } };
    expect(json.result).toMatchObject({ breaking: 0, waived: 1 });
    expect(json.result.changes.find((change) => change.code === 'enum-added')).toMatchObject({
      severity: 'breaking',
      waived: { reason: 'nobody uses other values', until: '2999-12-31' },
    });
    expect((await diff('-o', 'markdown')).stdout).toContain('| waived | `.spec.free` |');
    expect((await diff('--no-waivers')).code).toBe(1);
  });

  test('a version narrows it', async () => {
    writeWaivers(waiver({ version: 'v1' }));
    expect((await diff('--waivers', 'waivers.yaml')).stdout).toContain('  waived      enum-added');
    writeWaivers(waiver({ version: 'v2' }));
    const other = await diff('--waivers', 'waivers.yaml');
    expect(other.stdout).toContain('  breaking    enum-added');
    expect(other.stderr).toContain(
      'warning[diff/waiver-unused]: unused waiver: no change matches enum-added at .spec.free of sites.web.example.com v2\n  at waivers.yaml:2:3',
    );
  });

  test('one about several changes is named, and a message narrows it', async () => {
    const rules = (...texts: readonly string[]): string =>
      readFileSync(join(golden, 'enum/old.yaml'), 'utf8').replace(
        /^( +)openAPIV3Schema:\n/m,
        (line, indent: string) =>
          `${line}${indent}  x-kubernetes-validations: ${JSON.stringify(texts.map((rule) => ({ rule })))}\n`,
      );
    writeFileSync(join(cwd, 'old.yaml'), rules('has(self.spec)'));
    writeFileSync(join(cwd, 'new.yaml'), rules('has(self.spec)', 'self.spec != {}', 'has(self.kind)'));
    const about = { code: 'cel-rule-added', path: '.' };
    writeWaivers(waiver(about));
    const both = await diff('--waivers', 'waivers.yaml');
    expect(both.code).toBe(0);
    expect(both.stderr).toContain(
      'warning[diff/waiver-ambiguous]: the waiver of cel-rule-added at . of sites.web.example.com matches 2 changes: the rule "self.spec != {}" is new; the rule "has(self.kind)" is new\n  at waivers.yaml:2:3',
    );
    writeWaivers(waiver({ ...about, message: `'the rule "has(self.kind)" is new'` }));
    const { code, stdout, stderr } = await diff('--waivers', 'waivers.yaml');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('  waived      cel-rule-added  .: the rule "has(self.kind)" is new');
    expect(stdout).toContain('  breaking    cel-rule-added  .: the rule "self.spec != {}" is new');
  });

  test('one that has expired is named, and its change counts', async () => {
    writeWaivers(waiver({ until: '2020-01-31' }));
    const { code, stdout, stderr } = await diff('--waivers', 'waivers.yaml');
    expect(code).toBe(1);
    expect(stdout).toContain('  breaking    enum-added');
    expect(stderr).toContain(
      'warning[diff/waiver-expired]: the waiver of enum-added at .spec.free of sites.web.example.com expired on 2020-01-31',
    );
  });

  test.each([
    [waiver({ reason: '' }), 'waivers[0] lacks `reason`\n  at waivers.yaml:2:3'],
    [waiver({ reason: "' '" }), 'waivers[0].reason: expected text, got none\n  at waivers.yaml:5:3'],
    [waiver({ until: '' }), 'waivers[0] lacks `until`'],
    [waiver({ until: 'tomorrow' }), 'waivers[0].until: expected a day, got "tomorrow"'],
    [waiver({ until: '2999-02-30' }), 'waivers[0].until: expected a day, got "2999-02-30"'],
    [waiver({ code: 'enum-adde' }), 'waivers[0].code: unknown code of a change "enum-adde"'],
    [waiver({ crd: '' }), 'waivers[0] lacks `crd`'],
    [waiver({ path: '' }), 'waivers[0] lacks `path`'],
    [waiver({ paths: '.spec' }), 'waivers[0] has no property `paths`'],
    ['[]', 'the file: expected an object, got an array'],
    ['a: [', 'error[io/yaml-syntax]'],
  ])('an invalid one is an error: %s', async (text, message) => {
    writeWaivers(text);
    const { code, stdout, stderr } = await diff('--waivers', 'waivers.yaml');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('a file that is missing is an error', async () => {
    const { code, stderr } = await diff('--waivers', 'nowhere.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('nowhere.yaml');
  });
});

describe('documentation', () => {
  beforeEach(() => {
    cpSync(join(golden, 'documentation'), cwd, { recursive: true });
  });

  test('is counted, and listed with --all', async () => {
    const counted = await diff();
    expect(counted.stdout).toBe(
      'no breaking changes, no compatible changes, 4 documentation changes (--all lists them)\n',
    );
    const { stdout } = await diff('--all');
    expect(stdout.match(/^ {2}compatible {2}documentation {2}/gm)).toHaveLength(4);
    expect(stdout).toContain('no breaking changes, no compatible changes, 4 documentation changes\n');
    const changes = async (...flags: readonly string[]) =>
      (JSON.parse((await diff('-o', 'json', ...flags)).stdout) as { result: { changes: unknown[] } }).result
        .changes;
    expect(await changes()).toHaveLength(0);
    expect(await changes('--all')).toHaveLength(4);
    expect((await diff('--fail-on', 'any')).code).toBe(1);
  });

  test('is listed where it is breaking', async () => {
    const { code, stdout } = await diff('--severity', 'documentation=breaking');
    expect(code).toBe(1);
    expect(stdout).toContain('  breaking    documentation  ');
    expect(stdout).toContain('4 breaking changes, no compatible changes\n');
  });
});
