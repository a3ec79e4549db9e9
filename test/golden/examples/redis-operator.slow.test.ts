// The example is a project as a user has it, edited: its manifests follow from its sources, and its CRDs accept what its cases say.
// UPDATE_GOLDEN=1 writes the manifests.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../helpers/source-files.ts';
import { runCli } from '../../helpers/run-cli.ts';

const project = join(repositoryRoot, 'examples/redis-operator');

async function run(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(argv, { cwd: project });
  expect(code, `${argv.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
}

test('its manifests follow from its sources, without a warning', async () => {
  if (process.env['UPDATE_GOLDEN'] === '1') await run('generate', 'manifests');
  const { ok, warnings } = JSON.parse(await run('generate', 'manifests', '--check', '-o', 'json'));
  expect({ ok, warnings }).toEqual({ ok: true, warnings: [] });
});

test('its CRDs accept and refuse what its cases say', async () => {
  await run('crd', 'test');
});

test('its kustomizations are complete', async () => {
  expect(await run('kustomize', 'build', 'config/default')).toContain('kind: ValidatingWebhookConfiguration');
  expect(await run('kustomize', 'build', 'config/samples')).toContain('kind: DistributedRedisCluster');
});
