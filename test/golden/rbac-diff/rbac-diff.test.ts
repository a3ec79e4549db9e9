// Each folder holds two sets of RBAC objects and what `op-sdk rbac diff` says of them, in its four forms, or `error.txt`.
// `UPDATE_GOLDEN=1` writes these files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';

const root = import.meta.dirname;
const cases = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

test.each(cases)('%s', async (name) => {
  const cwd = join(root, name);
  const diff = (...flags: readonly string[]) =>
    runCli(['rbac', 'diff', 'old.yaml', 'new.yaml', ...flags], { cwd });
  const { code, stdout, stderr } = await diff();
  if (name.startsWith('error-')) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    return expect(stderr).toMatchFileSnapshot(join(cwd, 'error.txt'));
  }
  expect({ code, stderr }).toEqual({ code: /^ {2}widened /m.test(stdout) ? 1 : 0, stderr: '' });
  await expect(stdout).toMatchFileSnapshot(join(cwd, 'diff.txt'));
  await expect((await diff('-o', 'markdown')).stdout).toMatchFileSnapshot(join(cwd, 'diff.md'));
  await expect((await diff('-o', 'github')).stdout).toMatchFileSnapshot(join(cwd, 'annotations.txt'));
  const json = await diff('-o', 'json', '--fail-on', 'none');
  expect(json.code).toBe(0);
  await expect(json.stdout).toMatchFileSnapshot(join(cwd, 'diff.json'));
});

test('a comparison of a side with itself finds nothing', async () => {
  for (const name of cases.filter((item) => !item.startsWith('error-'))) {
    for (const file of ['old.yaml', 'new.yaml']) {
      const { code, stdout } = await runCli(['rbac', 'diff', file, file], { cwd: join(root, name) });
      expect({ code, stdout }, `${name}/${file}`).toEqual({
        code: 0,
        stdout: 'no permissions widened, none narrowed\n',
      });
    }
  }
});
