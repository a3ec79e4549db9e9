// The scripts that shells load. `UPDATE_GOLDEN=1` writes the files.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { shells } from '../../../src/cli/flags/words.ts';
import { runCli } from '../../helpers/run-cli.ts';

test.each(shells)('%s', async (shell) => {
  const { code, stdout, stderr } = await runCli(['completion', shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const file = fileURLToPath(new URL(`op-sdk.${shell}.txt`, import.meta.url));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, stdout);
  expect(stdout).toBe(existsSync(file) ? readFileSync(file, 'utf8') : '');
});
