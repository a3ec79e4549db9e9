// The pages of `op-sdk bundle preview --output-dir`. `UPDATE_GOLDEN=1` writes the files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';
import { twoVersions } from '../../unit/olm/bundle/preview/shown-bundle.ts';

test('two versions of an operator', async () => {
  const cwd = twoVersions();
  const run = await runCli(['bundle', 'preview', 'v1', 'v2', '--output-dir', 'site'], { cwd });
  expect([run.code, run.stdout], run.stderr).toEqual([0, '']);
  expect(readdirSync(join(cwd, 'site')).sort()).toEqual([
    'index.html',
    'page.css',
    'web-operator.v0.1.0.html',
    'web-operator.v0.2.0.html',
  ]);
  for (const name of ['index.html', 'web-operator.v0.2.0.html'])
    await expect(readFileSync(join(cwd, 'site', name), 'utf8')).toMatchFileSnapshot(
      join(import.meta.dirname, name),
    );
});
