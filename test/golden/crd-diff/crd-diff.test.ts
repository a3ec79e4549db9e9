// Each folder holds two sets of definitions and what `op-sdk crd diff` says of them: `diff.txt`, with `warnings.txt` where there
// are any, or `error.txt`. `UPDATE_GOLDEN=1` writes these files.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeCodes } from '../../../src/kubernetes/crd/diff/change-codes.ts';
import type { CrdChange } from '../../../src/kubernetes/crd/diff/change.ts';
import { runCli } from '../../helpers/run-cli.ts';

const root = import.meta.dirname;
const cases = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();
const seen = new Set<string>();

test.each(cases)('%s', async (name) => {
  const cwd = join(root, name);
  const { code, stdout, stderr } = await runCli(['crd', 'diff', 'old.yaml', 'new.yaml'], { cwd });
  if (name.startsWith('error-')) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    return expect(stderr).toMatchFileSnapshot(join(cwd, 'error.txt'));
  }
  expect(code).toBe(/^ {2}breaking /m.test(stdout) ? 1 : 0);
  await expect(stdout).toMatchFileSnapshot(join(cwd, 'diff.txt'));
  if (stderr !== '' || existsSync(join(cwd, 'warnings.txt')))
    await expect(stderr).toMatchFileSnapshot(join(cwd, 'warnings.txt'));
  const json = await runCli(['crd', 'diff', 'old.yaml', 'new.yaml', '--all', '-o', 'json'], { cwd });
  const { ok, result } = JSON.parse(json.stdout) as { ok: boolean; result: { changes: CrdChange[] } };
  expect(ok).toBe(code === 0);
  for (const change of result.changes) seen.add(change.code);
});

test('every code of a change is in a case', () => {
  const missing = Object.keys(changeCodes).filter((code) => !seen.has(code));
  // Only for keywords that a later version of Kubernetes may bring: see the unit tests.
  expect(missing).toEqual(['keyword-changed']);
});

test('a comparison of a side with itself finds nothing', async () => {
  for (const name of cases.filter((item) => !item.startsWith('error-'))) {
    for (const file of ['old.yaml', 'new.yaml']) {
      const { code, stdout } = await runCli(['crd', 'diff', file, file], { cwd: join(root, name) });
      expect({ code, stdout }, `${name}/${file}`).toEqual({
        code: 0,
        stdout: 'no breaking changes, no compatible changes\n',
      });
    }
  }
});
