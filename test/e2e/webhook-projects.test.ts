// Projects with webhooks and conversions from the packed tarball pass their own tests, lint, type check and manifest check, unedited.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mustIn, opSdk, passesItsOwnChecks } from '../helpers/own-checks.ts';
import { linkDependencies } from '../helpers/shared-projects.ts';
import { isThorough } from '../helpers/thorough.ts';
import { treeOf } from '../helpers/tree.ts';

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-webhooks-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const memcached = (version: string) => ['--group', 'cache', '--version', version, '--kind', 'Memcached'];
const pod = ['--group', 'core', '--version', 'v1', '--kind', 'Pod'];
const both = ['--defaulting', '--programmatic-validation'];

/** A project of these commands, with the dependencies of a fresh one. */
async function projectOf(name: string, ...commands: readonly (readonly string[])[]): Promise<string> {
  const project = join(scratch, name);
  mkdirSync(project);
  await linkDependencies(project);
  await mustIn(project, opSdk, 'init', '--skip-install', '--domain', 'example.com');
  for (const command of commands) await mustIn(project, opSdk, 'create', ...command);
  return project;
}

const testsOf = (project: string): readonly string[] =>
  Object.keys(treeOf(project)).filter((path) => /^test\/(?:webhooks|conversions)\/.*\.ts$/.test(path));

test('an own kind and one of Kubernetes, certificates of cert-manager', async () => {
  const project = await projectOf(
    'cert-manager',
    ['api', ...memcached('v1')],
    ['webhook', ...memcached('v1'), ...both],
    ['webhook', ...pod, '--defaulting'],
  );
  expect(testsOf(project)).toEqual([
    'test/webhooks/cache/v1/memcached.test.ts',
    'test/webhooks/core/v1/pod.test.ts',
  ]);
  await passesItsOwnChecks(project);
});

test('a conversion, then everything together, certificates of the operator', async () => {
  const project = await projectOf(
    'self-signed',
    ['api', ...memcached('v1alpha1')],
    ['api', ...memcached('v1'), '--controller=false'],
    ['webhook', ...memcached('v1'), '--conversion', '--cert-provider', 'self-signed'],
  );
  // The test of a conversion needs fast-check, which the command has added.
  rmSync(join(project, 'node_modules'));
  await mustIn(project, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund');
  if (isThorough) await passesItsOwnChecks(project);
  await mustIn(project, opSdk, 'create', 'webhook', ...memcached('v1'), ...both);
  await mustIn(project, opSdk, 'create', 'webhook', ...pod, '--programmatic-validation');
  expect(testsOf(project)).toEqual([
    'test/conversions/cache/memcached.test.ts',
    'test/webhooks/cache/v1/memcached.test.ts',
    'test/webhooks/core/v1/pod.test.ts',
  ]);
  await passesItsOwnChecks(project);
});
