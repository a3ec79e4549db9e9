// `-o github`: findings are annotations, and nothing else that is printed is a workflow command, whoever wrote the text.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { githubAnnotations, placeInCheckout, withoutCommands } from '../../../src/cli/ui/github.ts';
import { runCli } from '../../helpers/run-cli.ts';

const hostile = 'x\n::stop-commands::t\r\n  ::add-mask::y ##[add-path]/tmp 100% a:b,c';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'op-sdk-github-'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
});

/** The workflow commands that a runner finds in a text: `::name` at the beginning of a line, or `##[name]` in one. */
function commandsIn(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    const [, name] = /^\s*::([\w-]+)/.exec(line) ?? /##\[([\w-]+)/.exec(line) ?? [];
    return name === undefined ? [] : [name];
  });
}

describe('annotations', () => {
  test('are one line each, with escaped texts, titles and file names', () => {
    const where = { file: 'a,b:c%\n::d.yaml', line: 3, column: 7 };
    const text = githubAnnotations([{ level: 'error', title: hostile, text: hostile, where }]);
    expect(text).toBe(
      '::error file=a%2Cb%3Ac%25%0A%3A%3Ad.yaml,line=3,col=7,' +
        'title=x%0A%3A%3Astop-commands%3A%3At%0D%0A  %3A%3Aadd-mask%3A%3Ay ##[add-path]/tmp 100%25 a%3Ab%2Cc' +
        '::x%0A::stop-commands::t%0D%0A  ::add-mask::y ##[add-path]/tmp 100%25 a:b,c\n',
    );
    expect(commandsIn(text)).toEqual(['error']);
  });

  test('have no place that is not a file', () => {
    const annotation = { level: 'notice', title: 'a', text: 'b', where: { flag: '--domain' } } as const;
    expect(githubAnnotations([annotation])).toBe('::notice title=a::b\n');
  });
});

test.each([
  hostile,
  '::error::x',
  '\t::error::x',
  ':::error',
  '\u3000::error::x',
  'a\r::error::x',
  '##[group]',
])('other text has no commands: %j', (text) => {
  expect(commandsIn(withoutCommands(text))).toEqual([]);
});

test('other text stays as it is', () => {
  const text = 'a::b: c\n  at src/x.ts:3:7\n# [x]\n';
  expect(withoutCommands(text)).toBe(text);
});

test('places are named from the root of the checkout', () => {
  const world = { cwd: join('/work', 'operator'), env: { GITHUB_WORKSPACE: '/work' } };
  expect(placeInCheckout({ file: 'a.yaml', line: 2 }, world)).toEqual({
    file: join('operator', 'a.yaml'),
    line: 2,
  });
  expect(placeInCheckout({ file: '../../a.yaml' }, world)).toBeUndefined();
  expect(placeInCheckout({ file: '-' }, world)).toBeUndefined();
  expect(placeInCheckout({ flag: '--domain' }, world)).toEqual({ flag: '--domain' });
});

describe('a command', () => {
  const role = (name: string, verb: string): string =>
    JSON.stringify({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules: [{ apiGroups: [''], resources: [hostile], verbs: [verb] }],
    });

  test('prints its errors as annotations, without their text', async () => {
    writeFileSync(join(cwd, 'old.yaml'), role(hostile, 'get').replace('"verbs"', JSON.stringify(hostile)));
    writeFileSync(join(cwd, 'new.yaml'), 'a: [');
    const { code, stdout, stderr } = await runCli(['rbac', 'diff', 'old.yaml', 'new.yaml', '-o', 'github'], {
      cwd,
      env: {},
    });
    expect(code).toBe(1);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^::error file=old\.yaml,line=1,col=\d+,title=diff\/invalid-object::.+%0AFix: /m);
    expect(stdout).toMatch(/^::error file=new\.yaml,line=\d+,col=\d+,title=io\/yaml-syntax::/m);
    expect(new Set(commandsIn(stdout))).toEqual(new Set(['error']));
    expect(stdout.split('\n').filter((line) => line !== '' && !line.startsWith('::error '))).toEqual([]);
  });

  test('prints changes with texts of strangers as annotations only', async () => {
    writeFileSync(join(cwd, 'old.yaml'), role('a', 'get'));
    writeFileSync(join(cwd, 'new.yaml'), role('a', hostile));
    const { code, stdout, stderr } = await runCli(
      ['rbac', 'diff', 'old.yaml', 'new.yaml', '--output=github'],
      {
        cwd,
        env: {},
      },
    );
    expect(code).toBe(1);
    expect(commandsIn(stdout)).toEqual(['error', 'notice']);
    expect(commandsIn(stderr)).toEqual([]);
    expect(stdout.split('\n').at(-2)).toBe('1 permission widened, 1 narrowed');
  });

  test('prints wrong usage as an annotation', async () => {
    const { code, stdout, stderr } = await runCli(['rbac', 'diff', '-o', 'github', '--fail-on', hostile], {
      cwd,
    });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^::error title=cli\/[a-z-]+::/);
    expect(new Set(commandsIn(stdout))).toEqual(new Set(['error']));
    expect(commandsIn(stderr)).toEqual([]);
  });

  test('prints warnings as annotations', async () => {
    const crd = (scope: string): string =>
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'sites.web.example.com' },
        spec: {
          group: 'web.example.com',
          names: { kind: 'Site', listKind: 'SiteList', plural: 'sites', singular: 'site' },
          scope,
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
          ],
        },
      });
    for (const file of ['old.yaml', 'new.yaml']) writeFileSync(join(cwd, file), crd('Namespaced'));
    const waiver = { code: 'enum-added', crd: 'a', path: hostile, reason: 'x', until: '2999-12-31' };
    writeFileSync(join(cwd, 'waivers.yaml'), JSON.stringify({ waivers: [waiver] }));
    const flags = ['--waivers', 'waivers.yaml', '-o', 'github'];
    const { code, stdout, stderr } = await runCli(['crd', 'diff', 'old.yaml', 'new.yaml', ...flags], {
      cwd,
      env: {},
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^::warning file=waivers\.yaml,line=1,col=\d+,title=diff\/waiver-unused::/);
    expect(commandsIn(stdout)).toEqual(['warning']);
  });

  test('that generates manifests names the files that are out of date', async () => {
    const init = ['init', '--domain', 'example.com', '--project-name', 'x', '--skip-install', '--opsdk', '*'];
    expect(await runCli(init, { cwd })).toMatchObject({ code: 0 });
    mkdirSync(join(cwd, 'src/api'), { recursive: true });
    writeFileSync(
      join(cwd, 'src/api/site.ts'),
      `import { defineResource, type CustomResource } from 'opsdk';
export interface Site extends CustomResource { spec: { host: string } }
export const Site = defineResource<Site>({ group: 'web.example.com', version: 'v1', kind: 'Site', scope: 'Namespaced' });
`,
    );
    const check = await runCli(['generate', 'manifests', '--check', '-o', 'github'], { cwd });
    expect(check.code).toBe(1);
    expect(check.stdout).toContain(
      '::error file=config/crd/bases/web.example.com_sites.yaml,title=manifests/out-of-date::config/crd/bases/web.example.com_sites.yaml is missing%0AFix: run `op-sdk generate manifests`\n',
    );
    const both = await runCli(['generate', 'manifests', '--stdout', '-o', 'github'], { cwd });
    expect(both.code).toBe(2);
    expect(both.stdout).toContain('::error title=cli/');
  });
});
