// A project from the packed tarball passes its own tests, lint, type check and manifest check after every command, unedited.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../scripts/lib/run.mjs';
import { linkDependencies } from '../helpers/shared-projects.ts';
import { isThorough } from '../helpers/thorough.ts';

let scratch = '';
let project = '';
const lastTitle = 'a controller for a kind that is there';
const hostile = "O'Hara */ ${x} {{y}}";
const opSdk = 'node_modules/.bin/op-sdk';
const api = (group: string, version: string, kind: string, ...flags: string[]) => [
  ...[opSdk, 'create', 'api', '--group', group, '--version', version, '--kind', kind],
  ...flags,
];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-scaffold-'));
  project = join(scratch, 'cache-operator');
  mkdirSync(project);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function must(...[file = '', ...args]: readonly string[]): Promise<void> {
  const { code, output } = await run(file, args, { cwd: project, capture: true });
  expect(code, `${[file, ...args].join(' ')}\n${output}`).toBe(0);
}

async function passesItsOwnChecks(): Promise<void> {
  await must('npm', 'test');
  await must('npm', 'run', 'lint');
  await must('npm', 'run', 'typecheck');
  await must(opSdk, 'generate', 'manifests', '--check');
  await must('npm', 'run', 'build');
}

describe('every command leaves a project that passes its own checks', () => {
  test('init, with hostile text in owner and repo', async () => {
    await linkDependencies(project);
    const init = ['init', '--skip-install', '--domain', 'example.com', '--owner', hostile, '--repo', hostile];
    await must(opSdk, ...init);
    if (isThorough) await passesItsOwnChecks();
    expect(parse(readFileSync(join(project, 'PROJECT'), 'utf8'))).toMatchObject({ repo: hostile });
    expect(readFileSync(join(project, 'src/main.ts'), 'utf8')).toContain(`// Copyright ${hostile}.\n`);
  });

  test.each([
    ['the first kind', api('cache', 'v1alpha1', 'Memcached')],
    ['a second version', api('cache', 'v1', 'Memcached')],
    [
      'the same kind in another group, cluster-scoped',
      api('legacy.cache', 'v1', 'Memcached', '--namespaced=false'),
    ],
    ['a kind whose name is a reserved word', api('network', 'v1', 'Class', '--plural', 'networkclasses')],
    ['types without a controller', api('network', 'v1', 'HTTPRoute', '--controller=false')],
    [lastTitle, api('network', 'v1', 'HTTPRoute', '--resource=false')],
  ])('create api: %s', async (title, argv) => {
    await must(...argv);
    // What one of these commands breaks stays broken until the last of them, where all of it is checked; a thorough run checks after each.
    if (isThorough || title === lastTitle) await passesItsOwnChecks();
    else await must(opSdk, 'generate', 'manifests', '--check');
  });

  test('make calls the same', async () => {
    // The scripts behind the others have just been run by npm.
    const others = isThorough ? ['fmt', 'lint', 'test'] : [];
    await must('make', 'help', 'manifests', 'vet', 'build', ...others);
  });
});
