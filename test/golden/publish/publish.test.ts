// What `op-sdk bundle publish` says and writes beside the copies. `UPDATE_GOLDEN=1` writes the files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hubFolder } from '../../unit/olm/bundle/publish/hub-bundle.ts';
import { runCli } from '../../helpers/run-cli.ts';

test.each([
  ['without-reviewers', []],
  ['with-reviewers', ['--reviewer', 'jane', '--reviewer=joe-doe', '--reviewer', '0']],
] as const)('%s', async (name, flags) => {
  const cwd = hubFolder();
  const run = await runCli(['bundle', 'publish', '--output-dir', 'hub', ...flags], { cwd });
  expect([run.code, run.stdout]).toEqual([0, '']);
  const config = readFileSync(join(cwd, 'hub/operators/web-operator/ci.yaml'), 'utf8');
  await expect(config).toMatchFileSnapshot(join(import.meta.dirname, `${name}.yaml`));
  await expect(run.stderr).toMatchFileSnapshot(join(import.meta.dirname, `${name}.txt`));
});
