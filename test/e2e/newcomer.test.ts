// The first minutes of somebody who has the packed package and Node: three commands, then only edits and what they do.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { must } from '../../scripts/lib/run.mjs';
import { npmSettings } from '../helpers/npm-settings.ts';
import { edit, operatorsOf, startDev } from '../helpers/dev-process.ts';
import { processesWith } from '../helpers/processes.ts';
import { restrictedPath } from '../helpers/restricted-path.ts';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-newcomer-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('init, create api, dev --samples: an edit of the controller, of the type and of the sample show on the object', async () => {
  const { tarball } = inject('packed') ?? expect.fail('no packed package: run with --project e2e');
  const project = join(scratch, 'memcached-operator');
  mkdirSync(project);
  const env: NodeJS.ProcessEnv = {
    // No kubectl, no docker, no Go; the binaries of the control plane are where those of this machine are.
    PATH: restrictedPath(join(scratch, 'bin')),
    HOME: scratch,
    XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] ?? join(process.env['HOME'] ?? '', '.cache'),
    ...(process.env['KUBEBUILDER_ASSETS'] === undefined
      ? {}
      : { KUBEBUILDER_ASSETS: process.env['KUBEBUILDER_ASSETS'] }),
    ...(await npmSettings()),
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'error',
  };
  const inside = { cwd: project, env, quiet: true };
  await must(
    'npm',
    ['exec', '--yes', `--package=${tarball}`, '--', 'opsdk', 'init', '--domain', 'example.com'],
    inside,
  );
  const api = ['--group', 'cache', '--version', 'v1alpha1', '--kind', 'Memcached'];
  await must('npx', ['--no', 'op-sdk', 'create', 'api', ...api], inside);

  // What npx starts, started directly, so that its process is the one that gets Ctrl-C. Its ports are those of other tests too.
  const ports = ['--metrics-bind-address=0', '--health-probe-bind-address=0'];
  await using dev = startDev(project, ['dev', '--samples', '--', ...ports], { env });
  await dev.next(
    '● Memcached default/memcached-sample: Ready=True (Reconciled): The operator has seen the object',
  );

  edit(project, 'src/controllers/cache/memcached.ts', 'The operator has seen the object', 'Hello');
  await dev.next('● Memcached default/memcached-sample: Ready=True (Reconciled): Hello');

  const types = 'src/api/cache/v1alpha1/memcached.ts';
  edit(project, types, '  foo?: string;', '  /** @minimum 1 */\n  size?: Int32;');
  edit(project, types, 'type CustomResource, ', 'type CustomResource, type Int32, ');
  await dev.next('memcacheds.cache.example.com configured');
  // The sample has a field that no longer exists.
  await dev.next('error[cluster/invalid-object]');
  edit(project, 'config/samples/cache_v1alpha1_memcached.yaml', 'foo: bar', 'size: 3');
  await dev.next('spec.size 3');

  // The effect of a field on the object.
  const controller = join(project, 'src/controllers/cache/memcached.ts');
  const before = readFileSync(controller, 'utf8');
  writeFileSync(controller, before.replace("'Hello'", '`size ${memcached.spec.size}`'));
  await dev.next('Ready=True (Reconciled): size 3');
  edit(project, 'config/samples/cache_v1alpha1_memcached.yaml', 'size: 3', 'size: 5');
  await dev.next('spec.size 3 → 5');
  await dev.next('Ready=True (Reconciled): size 5');

  expect(await dev.stop()).toBe(0);
  expect(await processesWith(project)).toEqual([]);
  expect(await operatorsOf(project)).toEqual([]);
  expect(existsSync(join(project, 'dist/dev.mjs'))).toBe(true);
  // The project is as it would be without: generated files are up to date, and nothing needs an edit.
  await must('npx', ['--no', 'op-sdk', 'generate', 'manifests', '--check'], inside);
});
