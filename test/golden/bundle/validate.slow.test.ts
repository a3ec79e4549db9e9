// The bundles that op-sdk makes of its own projects are valid, by its own judgement: no error, and no warning but those expected.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';

const projects = fileURLToPath(new URL('../projects/', import.meta.url));
let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bundles-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const description = [
  ...['--display-name', 'Cache Operator', '--description', 'Runs caches', '--provider', 'Example Inc.'],
  ...['--keywords', 'cache', '--maintainers', 'Jane Doe:jane@example.com'],
];

/** What a person does between the scaffold and the bundle. */
const steps: readonly (readonly string[])[] = [
  ['generate', 'kustomize', 'manifests', ...description],
  ['generate', 'bundle', '--version', '1.2.3', '--channels', 'stable,candidate'],
  ['bundle', 'validate', 'bundle'],
];

/** The codes of the warnings of a run. */
function warningsOf({ stderr, stdout }: CliRun): readonly string[] {
  return [...`${stdout}\n${stderr}`.matchAll(/^warning\[([\w/-]+)\]/gm)].map(([, code = '']) => code);
}

describe.each([
  ['basic', []],
  // Two of its versions are as they were scaffolded.
  ['kinds', ['manifests/identical-versions']],
])('the bundle of the project %s', (name, warnings) => {
  test('is valid, the second time too', async () => {
    const cwd = join(scratch, name);
    cpSync(join(projects, name), cwd, { recursive: true });
    const image = [
      'kustomize',
      'edit',
      'set',
      'image',
      'controller=registry.example.com/cache-operator:v1.2.3',
    ];
    const edited = await runCli(image, { cwd: join(cwd, 'config/manager') });
    expect(edited.code, edited.stderr).toBe(0);
    for (const argv of [...steps, ...steps]) {
      const run = await runCli(argv, { cwd });
      expect(run.code, `${argv.join(' ')}\n${run.stdout}${run.stderr}`).toBe(0);
      expect(new Set(warningsOf(run)), `${argv.join(' ')}\n${run.stderr}`).toEqual(
        new Set(argv.includes('kustomize') ? warnings : []),
      );
    }
  });
});

test.each([
  ['nginx-operator', 'nginx-operator', ['bundle/no-min-kube-version']],
  // It requires a kind of another operator.
  ['webhooks', 'cache', ['bundle/not-for-olm-v1']],
])('the bundle of the objects of %s is valid', async (name, packageName, warnings) => {
  const cwd = join(scratch, name);
  mkdirSync(cwd);
  const objects = fileURLToPath(new URL(`${name}/objects.yaml`, import.meta.url));
  const argv = ['generate', 'bundle', '--version', '1.2.3', '--package', packageName, '-f', objects];
  const made = await runCli(argv, { cwd });
  expect(made.code, made.stderr).toBe(0);
  const run = await runCli(['bundle', 'validate', 'bundle'], { cwd });
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(warningsOf(run), run.stderr).toEqual(warnings);
});
