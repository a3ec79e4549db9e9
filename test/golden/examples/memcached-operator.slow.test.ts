// The example is what a user has after `init`, `create api` and the tour (docs/tour.md): its manifests are up to date.
// UPDATE_GOLDEN=1 writes them.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';
import { describeBundle, expectBundle } from './example-bundle.ts';
import { exampleFolder, runIn } from './example-commands.ts';

const example = exampleFolder('memcached-operator');
const generated = ['config/crd/bases', 'config/rbac/role.yaml', 'src/generated/rbac.ts'];
const monitoring = ['config/grafana', 'config/prometheus/rules.yaml'];
let project = '';

const run = (...argv: readonly string[]): Promise<string> => runIn(project, ...argv);

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'op-sdk-memcached-operator-'));
  const init = ['init', '--domain', 'example.com', '--project-name', 'memcached-operator'];
  await run(...init, '--skip-install', '--opsdk', '*');
  await run('create', 'api', '--group', 'cache', '--version', 'v1alpha1', '--kind', 'Memcached');
  cpSync(example, project, { recursive: true });
  if (process.env['UPDATE_GOLDEN'] !== '1') return;
  await run('generate', 'manifests');
  await run('create', 'monitoring', '--force');
  for (const path of [...generated, ...monitoring])
    cpSync(join(project, path), join(example, path), { recursive: true });
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('its CRD and its role follow from its types and its controller', async () => {
  await run('generate', 'manifests', '--check');
});

test('nothing in it is questionable', async () => {
  await run('generate', 'manifests', '--check', '--strict', '--only', 'crd');
});

test('its sample is part of the kustomization', async () => {
  await run('kustomize', 'build', 'config/samples');
});

test('its alerts and its dashboard follow from its sources', async () => {
  await run('create', 'monitoring');
  await run('create', 'monitoring', '--check');
  const built = await run('kustomize', 'build', 'config/default');
  for (const kind of ['ServiceMonitor', 'PrometheusRule', 'ConfigMap'])
    expect(built).toContain(`kind: ${kind}`);
});

test('its bundle has no finding', async () => {
  const bundle = { packageName: 'memcached-operator', capabilities: 'Basic Install' };
  await describeBundle(project, bundle);
  await expectBundle(project, bundle);
});

test('the tour shows the error of a plain number', async () => {
  const types = join(project, 'src/api/cache/v1alpha1/memcached.ts');
  const before = readFileSync(types, 'utf8');
  try {
    writeFileSync(types, before.replace('size?: Int32;', 'size?: number;'));
    const { code, stderr } = await runCli(['generate', 'manifests'], { cwd: project });
    expect(code).toBe(1);
    const tour = readFileSync(fileURLToPath(new URL('../../../docs/tour.md', import.meta.url)), 'utf8');
    expect(tour).toContain(`\n\`\`\`\n${stderr.trim()}\n`);
  } finally {
    writeFileSync(types, before);
  }
});
