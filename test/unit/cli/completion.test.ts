// What a shell gets on TAB.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { completionsOf } from '../../../src/cli/completion/complete.ts';
import { commands } from '../../../src/cli/command-table.ts';
import { start } from '../../../src/cli/start.ts';
import { runCli } from '../../helpers/run-cli.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-completion-'));
  writeFileSync(
    join(folder, 'PROJECT'),
    `domain: example.com
resources:
- api:
    crdVersion: v1
  domain: example.com
  group: cache
  kind: Memcached
  version: v1
- controller: true
  domain: example.com
  group: cache
  kind: Memcached # ours
  version: "v2"
- group: db
  kind: Store
  version: v1alpha1
- group: $(touch pwned)
  kind: Bad
  version: v1
version: "3"
`,
  );
  for (const name of ['src/api', 'bundle', '$(touch pwned)', '.hidden'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'src/main.ts'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The candidates for a line, without their descriptions, and the directive. */
async function completed(...words: string[]): Promise<readonly string[]> {
  return (await completionsOf(words, folder)).map((line) => line.split('\t')[0] ?? '');
}

describe('op-sdk complete', () => {
  test.each([
    [['cre'], ['create']],
    [
      ['create', ''],
      ['api', 'webhook', 'monitoring'],
    ],
    [['generate', 'kustomize', ''], ['manifests']],
    [
      ['-o', ''],
      ['text', 'json'],
    ],
    [['-q', 'delete', ''], ['api']],
    [['delete', 'api', '--so'], ['--sources']],
    [
      ['delete', 'api', '--kind', ''],
      ['Memcached', 'Store'],
    ],
    [['delete', 'api', '--group', 'db', '--kind', ''], ['Store']],
    [
      ['delete', 'api', '--group=cache', '--kind', 'Memcached', '--version', ''],
      ['v1', 'v2'],
    ],
    [['create', 'api', '--version=v1a'], ['v1alpha1']],
    [['create', 'api', '--group', 'c'], ['cache']],
    [['create', 'webhook', '--group', 'c'], ['cache']],
    [
      ['create', 'webhook', '--cert-provider', ''],
      ['cert-manager', 'self-signed'],
    ],
    [['generate', 'bundle', '--version', ''], []],
    [
      ['generate', 'manifests', '--only', ''],
      ['crd', 'rbac', 'webhook'],
    ],
    [['crd', 'diff', '--fail-on', 'b'], ['breaking']],
    [['crd', 'diff', '-o', 'm'], ['markdown']],
    [
      ['init', '--license', ''],
      ['apache2', 'none'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'powershell'],
    ],
    [['version', '--no-'], ['--no-color']],
    [['nosuch', ''], []],
  ])('%j', async (words, candidates) => {
    expect(await completed(...words)).toEqual([...candidates, ':4']);
  });

  test.each([
    [
      ['bundle', 'validate', 'b'],
      ['bundle/', ':6'],
    ],
    [
      ['generate', 'manifests', '--apis-dir', 'src/'],
      ['src/api/', 'src/main.ts', ':4'],
    ],
    [['generate', 'manifests', '--apis-dir', '$(touch pwned)/'], [':4']],
  ])('paths, and no name that a shell would expand: %j', async (words, lines) => {
    expect(await completed(...words)).toEqual(lines);
  });

  test('describes commands and flags', async () => {
    expect(await completionsOf(['delete', 'api', '--dr'], folder)).toEqual([
      '--dry-run\tprint what would be written, write nothing',
      ':4',
    ]);
  });

  test('knows the flags of every command that its help shows', async () => {
    for (const { path } of commands) {
      const { stdout } = await runCli([...path, '--help']);
      const inHelp = [...stdout.matchAll(/^ {2}(?:-[a-zA-Z], )?(--[a-z0-9-]+)/gm)].map(
        ([, flag]) => flag ?? '',
      );
      const candidates = (await completed(...path, '--')).slice(0, -1);
      expect([...candidates].sort(), path.join(' ')).toEqual([...new Set(inHelp)].sort());
    }
  });

  test('answers through the entry of the command line, and only where a script asks', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      expect(await start(['complete', '--', 'create', ''])).toBe(0);
      expect(write.mock.calls.map(([text]) => text).join('')).toMatch(
        /^api\t.*\nwebhook\t.*\nmonitoring\t.*\n:4\n$/,
      );
    } finally {
      write.mockRestore();
    }
    expect(await runCli(['complete'])).toMatchObject({ code: 2 });
  });
});

test('op-sdk completion refuses a shell that it does not know, and names those that it knows', async () => {
  const run = await runCli(['completion', 'tcsh']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain('bash, zsh, fish, powershell');
});
