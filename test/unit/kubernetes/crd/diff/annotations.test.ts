// Where `op-sdk crd diff` shows changes: annotations of GitHub Actions, and SARIF.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Log } from 'sarif';
import { runCli } from '../../../../helpers/run-cli.ts';

const golden = join(import.meta.dirname, '../../../../golden/crd-diff');

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'op-sdk-diff-'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
});

const copy = (name: string): void => cpSync(join(golden, name), cwd, { recursive: true });
const diff = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCli(['crd', 'diff', ...args], { cwd, env: { OPSDK_NO_CACHE: '1', ...env } });

const conversion = `  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {url: 'https://example.com/convert'}
`;
const version = `  - {name: v0, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
`;

/** The line of the first text that is found, from 1. */
const lineOf = (file: string, text: string): number =>
  readFileSync(join(cwd, file), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1;

test('annotations are at the fields of NEW', async () => {
  copy('enum');
  const { code, stdout } = await diff(['old.yaml', 'new.yaml', '-o', 'github']);
  expect(code).toBe(1);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(
    new RegExp(
      `^::error file=new\\.yaml,line=${lineOf('new.yaml', 'mode:')},col=15,title=breaking%3A enum-value-removed::sites\\.web\\.example\\.com v1 \\.spec\\.mode: "a" is no longer allowed%0A`,
    ),
  );
  expect(lines.filter((line) => line.startsWith('::notice '))).toHaveLength(2);
  expect(lines.at(-2)).toBe('2 breaking changes, 2 compatible changes');
});

test('what is gone is shown at what was around it', async () => {
  copy('field-removed');
  const { stdout } = await diff(['old.yaml', 'new.yaml', '-o', 'github']);
  expect(stdout).toContain(
    `line=${lineOf('new.yaml', 'spec:') === 0 ? 0 : lineOf('new.yaml', '          spec:')},`,
  );
  copy('crd-removed');
  const removed = await diff(['old.yaml', 'new.yaml', '-o', 'github']);
  expect(removed.stdout).toContain('::error file=old.yaml,line=');
});

test('changes of the definition, of versions and of odd names have places, too', async () => {
  copy('names');
  const names = await diff(['old.yaml', 'new.yaml', '-o', 'github']);
  expect(names.stdout).toContain(`file=new.yaml,line=${lineOf('new.yaml', 'singular:')},`);
  copy('version-deprecated');
  const deprecated = await diff(['old.yaml', 'new.yaml', '-o', 'github']);
  expect(deprecated.stdout).toMatch(
    /^::notice file=new\.yaml,line=\d+,col=\d+,title=compatible%3A version-deprecated/m,
  );
  copy('odd-names');
  const odd = await diff(['old.yaml', 'new.yaml', '-o', 'sarif']);
  for (const { locations } of (JSON.parse(odd.stdout) as Log).runs[0]?.results ?? [])
    expect(locations?.[0]?.physicalLocation?.region?.startLine).toBeGreaterThan(12);
});

test('files are named from the root of the checkout', async () => {
  mkdirSync(join(cwd, 'operator'));
  cpSync(join(golden, 'enum'), join(cwd, 'operator'), { recursive: true });
  const run = (args: readonly string[]) =>
    runCli(['crd', 'diff', ...args, '-o', 'github'], {
      cwd: join(cwd, 'operator'),
      env: { GITHUB_WORKSPACE: cwd },
    });
  expect((await run(['old.yaml', 'new.yaml'])).stdout).toContain('::error file=operator/new.yaml,line=');
});

test('what is outside of the checkout has no place', async () => {
  mkdirSync(join(cwd, 'checkout'));
  cpSync(join(golden, 'enum'), cwd, { recursive: true });
  const run = (format: string) =>
    runCli(['crd', 'diff', '../old.yaml', '../new.yaml', '-o', format], {
      cwd: join(cwd, 'checkout'),
      env: {},
    });
  expect((await run('github')).stdout).toMatch(/^::error title=breaking%3A enum-value-removed::/);
  expect((await run('sarif')).stdout).not.toContain('new.yaml');
});

test('the note about a conversion is there', async () => {
  copy('enum');
  for (const file of ['old.yaml', 'new.yaml']) {
    const text = readFileSync(join(cwd, file), 'utf8')
      .replace('  scope: Namespaced\n', `  scope: Namespaced\n${conversion}`)
      .replace('  versions:\n', `  versions:\n${version}`);
    writeFileSync(join(cwd, file), text);
  }
  const github = await diff(['old.yaml', 'new.yaml', '-o', 'github']);
  expect(github.stdout).toMatch(/^::notice title=conversion::sites\.web\.example\.com: a webhook converts/m);
  const sarif = JSON.parse((await diff(['old.yaml', 'new.yaml', '-o', 'sarif'])).stdout) as Log;
  const [note] = sarif.runs[0]?.invocations?.[0]?.toolExecutionNotifications ?? [];
  expect(note?.message.text).toContain('a webhook converts');
});

test('of what the sources generate the line of the source is shown', async () => {
  const init = ['init', '--domain', 'example.com', '--project-name', 'x', '--skip-install', '--opsdk', '*'];
  expect(await runCli(init, { cwd })).toMatchObject({ code: 0 });
  mkdirSync(join(cwd, 'src/api'), { recursive: true });
  const source = (field: string) => `import { defineResource, type CustomResource } from 'opsdk';
export interface Site extends CustomResource {
  spec: {
    ${field}
  };
}
export const Site = defineResource<Site>({ group: 'web.example.com', version: 'v1', kind: 'Site', scope: 'Namespaced' });
`;
  writeFileSync(join(cwd, 'src/api/site.ts'), source('host: string;'));
  expect(await runCli(['generate', 'manifests'], { cwd })).toMatchObject({ code: 0 });
  writeFileSync(join(cwd, 'src/api/site.ts'), source('host: boolean;'));
  const { stdout } = await diff(['config/crd/bases', 'project', '-o', 'github']);
  expect(stdout).toMatch(/^::error file=src\/api\/site\.ts,line=4,col=\d+,title=breaking%3A type-changed::/);
});

test('SARIF has a rule for each code, and suppresses what is accepted', async () => {
  copy('enum');
  const text =
    'waivers:\n- {code: enum-added, crd: sites.web.example.com, path: .spec.free, reason: 100% sure, until: 2999-12-31}\n';
  writeFileSync(join(cwd, 'waivers.yaml'), text);
  const flags = ['old.yaml', 'new.yaml', '--waivers', 'waivers.yaml', '-o'];
  const { code, stdout } = await diff([...flags, 'sarif']);
  expect(code).toBe(1);
  const log = JSON.parse(stdout) as Log;
  expect(log.version).toBe('2.1.0');
  const [run] = log.runs;
  expect(run?.tool.driver.rules?.map(({ id }) => id)).toEqual([
    ...['enum-added', 'enum-removed', 'enum-value-added', 'enum-value-removed'],
  ]);
  const results = run?.results ?? [];
  expect(results.map(({ level }) => level)).toEqual(['error', 'error', 'note', 'note']);
  expect(results.filter(({ suppressions }) => suppressions !== undefined)).toMatchObject([
    {
      ruleId: 'enum-added',
      suppressions: [{ kind: 'external', justification: 'Accepted until 2999-12-31: 100% sure' }],
      locations: [{ physicalLocation: { artifactLocation: { uri: 'new.yaml' } } }],
    },
  ]);
  const annotated = await diff([...flags, 'github']);
  expect(annotated.stdout).toContain('title=waived%3A enum-added::');
  expect(annotated.stdout).toContain('%0AAccepted until 2999-12-31: 100%25 sure\n');
});
