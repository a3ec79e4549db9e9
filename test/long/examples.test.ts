// Every example as its README and examples/README.md say, from the packed tarball in an empty folder: `npm ci && npm test`, its
// definitions, its role, its bundle. It packs dist/: build it first.
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLinkedExample, exampleNames, isWhole } from '../../scripts/lib/example-projects.mjs';
import { packPackage } from '../../scripts/lib/nginx-project.mjs';
import { run } from '../../scripts/lib/run.mjs';
import { repositoryRoot } from '../helpers/source-files.ts';

let scratch: string;
let tarball: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-acceptance-'));
  tarball = await packPackage(join(scratch, 'package'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs a command in a folder, which must succeed. @returns all that it said */
async function succeed(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
  const { code, output } = await run(command, args, { cwd, capture: 'all' });
  expect(code, `${command} ${args.join(' ')}\n${output}`).toBe(0);
  return output;
}

/** What an image, a name and a provider make of a bundle that lacks them, as `op-sdk generate kustomize manifests` asks. */
const identity = ['--display-name', 'An example', '--description', 'An example of op-sdk'];
const people = ['--provider', 'Example', '--keywords', 'example', '--maintainers', 'Jo:jo@example.com'];

/** Operators of real software: no integration test of theirs has all of it, and drills audit them (`test/control-plane/drills`). */
const auditedByDrills = ['etcd-operator', 'redis-operator'];

describe.each(exampleNames)('%s', (name) => {
  let project: string;
  const opSdk = (...args: readonly string[]): Promise<string> =>
    succeed(project, join(project, 'node_modules/.bin/op-sdk'), ...args);

  beforeAll(async () => {
    const made = join(scratch, `made-${name}`);
    await createLinkedExample(name, made);
    project = join(scratch, name);
    cpSync(made, project, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
    rmSync(made, { recursive: true });
    await succeed(project, 'npm', 'pkg', 'set', `dependencies.opsdk=file:${tarball}`);
    // The same versions in all of them, rather than those of the day.
    const lock = join(repositoryRoot, 'examples/flink-operator/package-lock.json');
    if (!isWhole(name)) cpSync(lock, join(project, 'package-lock.json'));
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund'];
    await succeed(project, 'npm', 'install', '--package-lock-only', ...quietly);
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  test('npm ci && npm test', async () => {
    await succeed(project, 'npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund');
    expect(await succeed(project, 'npm', 'test')).toMatch(/Tests .*\d+ passed/);
    await succeed(project, 'npm', 'run', 'typecheck');
  });

  test('op-sdk generate manifests --check, op-sdk crd test', async () => {
    await opSdk('generate', 'manifests', '--check');
    // It needs a kind.
    if (name !== 'namespace-sync') await opSdk('crd', 'test');
  });

  test.skipIf(auditedByDrills.includes(name))('op-sdk rbac audit', async () => {
    const files = ['vitest', 'run', '--project', 'integration', '--no-file-parallelism'];
    await opSdk('rbac', 'audit', '--', 'npx', '--no', ...files);
  });

  test('op-sdk generate bundle, op-sdk bundle validate', async () => {
    const hasBase = isWhole(name);
    await opSdk('generate', 'kustomize', 'manifests', ...(hasBase ? [] : [...identity, ...people]));
    const image = `registry.example.com/team/${name}:v0.0.1`;
    await opSdk('kustomize', 'edit', 'set', 'image', `controller=${image}`, '--dir', 'config/manager');
    await opSdk('generate', 'bundle', '--version', '0.0.1', '--channels', 'stable');
    await opSdk('bundle', 'validate', 'bundle');
  });
});
