// The example is what a user has after `init` and the files of the example: its role is up to date. UPDATE_GOLDEN=1 writes it.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeBundle, expectBundle } from './example-bundle.ts';
import { exampleFolder, expectManifests, runIn } from './example-commands.ts';

const example = exampleFolder('namespace-sync');
const generated = ['config/rbac/role.yaml', 'src/generated/rbac.ts'];
const monitoring = ['config/grafana', 'config/prometheus/rules.yaml'];
let project = '';

const run = (...argv: readonly string[]): Promise<string> => runIn(project, ...argv);

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'op-sdk-namespace-sync-'));
  const init = ['init', '--domain', 'example.com', '--project-name', 'namespace-sync'];
  await run(...init, '--skip-install', '--opsdk', '*');
  cpSync(example, project, { recursive: true });
  if (process.env['UPDATE_GOLDEN'] !== '1') return;
  await run('generate', 'manifests');
  await run('create', 'monitoring', '--force');
  for (const path of [...generated, ...monitoring])
    cpSync(join(project, path), join(example, path), { recursive: true });
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('its role follows from its controller, without a warning', async () => {
  await expectManifests(project);
});

test('it has no kind of its own', async () => {
  const rendered = await run('kustomize', 'build', 'config/default');
  expect(rendered).toContain('kind: Deployment');
  expect(rendered).not.toContain('CustomResourceDefinition');
});

test('its alerts and its dashboard follow from its sources', async () => {
  await run('create', 'monitoring');
  await run('create', 'monitoring', '--check');
  const built = await run('kustomize', 'build', 'config/default');
  for (const kind of ['ServiceMonitor', 'PrometheusRule', 'ConfigMap'])
    expect(built).toContain(`kind: ${kind}`);
});

test('its bundle has no finding', async () => {
  const bundle = { packageName: 'namespace-sync', capabilities: 'Basic Install' };
  await describeBundle(project, bundle);
  await expectBundle(project, bundle);
});
