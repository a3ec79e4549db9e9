// Whole projects as op-sdk makes them, to be read and reviewed. UPDATE_GOLDEN=1 rewrites them.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.ts';

const golden = fileURLToPath(new URL('projects/', import.meta.url));
let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-golden-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const init = (...flags: string[]) => [
  'init',
  '--skip-install',
  '--opsdk',
  '^0.1.0',
  '--domain',
  'example.com',
  ...flags,
];
const api = (group: string, version: string, kind: string, ...flags: string[]) => [
  ...['create', 'api', '--group', group, '--version', version, '--kind', kind],
  ...flags,
];

const projects: Record<string, readonly (readonly string[])[]> = {
  // What init alone gives.
  empty: [init('--repo', 'github.com/example/empty', '--owner', 'The Empty Authors')],
  // The usual way: one kind with its controller.
  basic: [init(), api('cache', 'v1alpha1', 'Memcached')],
  // A second version, the same kind in another group, an irregular plural, cluster scope, types without a controller.
  kinds: [
    init('--license', 'none'),
    api('cache', 'v1alpha1', 'Memcached'),
    api('cache', 'v1beta1', 'Memcached'),
    api('legacy.cache', 'v1', 'Memcached'),
    api('network', 'v1', 'HTTPProxy', '--plural', 'httpproxys', '--namespaced=false'),
    api('network', 'v1', 'Class', '--controller=false'),
  ],
};

function filesOf(folder: string, prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(folder, prefix))
      .sort()
      .map((name) => {
        const path = prefix === '' ? name : `${prefix}/${name}`;
        if (statSync(join(folder, path)).isDirectory()) return filesOf(folder, path);
        return { [path]: readFileSync(join(folder, path), 'utf8') };
      }),
  ) as Record<string, string>;
}

describe.each(Object.entries(projects))('%s', (name, commands) => {
  it('is made as it always was', async () => {
    const folder = join(scratch, name);
    mkdirSync(folder);
    for (const argv of commands) {
      const run = await runCli(argv, { cwd: folder });
      expect(run.code, `${argv.join(' ')}\n${run.stderr}`).toBe(0);
      const again = await runCli(['generate', 'manifests', '--check'], { cwd: folder });
      expect(again.code, `after ${argv.join(' ')}\n${again.stderr}`).toBe(0);
    }
    const expected = join(golden, name);
    if (process.env['UPDATE_GOLDEN'] === '1') {
      rmSync(expected, { recursive: true, force: true });
      cpSync(folder, expected, { recursive: true });
    }
    expect(filesOf(folder)).toEqual(existsSync(expected) ? filesOf(expected) : {});
  });

  it('passes prettier --check', async () => {
    const folder = join(golden, name);
    const options = await prettier.resolveConfig(join(folder, 'package.json'), { editorconfig: false });
    const ignorePath = ['.prettierignore', '.gitignore'].map((file) => join(folder, file));
    const badly: string[] = [];
    let checked = 0;
    for (const [path, text] of Object.entries(filesOf(folder))) {
      const filepath = join(folder, path);
      const { ignored, inferredParser } = await prettier.getFileInfo(filepath, { ignorePath });
      if (ignored || inferredParser === null) continue;
      checked++;
      if (!(await prettier.check(text, { ...options, filepath }))) badly.push(path);
    }
    expect(badly).toEqual([]);
    expect(checked).toBeGreaterThan(8);
  });
});

it('there is no golden project that nobody makes', () => {
  expect(readdirSync(golden).sort()).toEqual(Object.keys(projects).sort());
});
