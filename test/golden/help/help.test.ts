// The help of every command and group, as it is in a pipe: 80 columns. `UPDATE_GOLDEN=1` writes the files.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { commands, groups } from '../../../src/cli/command-table.ts';
import { runCli } from '../../helpers/run-cli.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(`${name}.txt`, import.meta.url));
const paths = [
  [],
  ...Object.keys(groups).map((group) => group.split(' ')),
  ...commands.map(({ path }) => path),
];
const named = paths.map((path) => [['op-sdk', ...path].join('-'), path] as const);

test.each(named)('%s', async (name, path) => {
  const { code, stdout } = await runCli([...path, '--help']);
  expect(code).toBe(0);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(fileOf(name), stdout);
  expect(existsSync(fileOf(name)), `${name}.txt; write it with UPDATE_GOLDEN=1`).toBe(true);
  expect(stdout).toBe(readFileSync(fileOf(name), 'utf8'));
});

test('there is a file for each of them, and no other', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.txt'));
  expect(files.sort()).toEqual(named.map(([name]) => `${name}.txt`).sort());
});

describe('on a terminal of 40 columns', () => {
  test.each(named)('%s breaks between words', async (_name, path) => {
    const { stdout } = await runCli([...path, '--help'], { columns: 40 });
    // A command to copy stays in one line, and so does a single word.
    const isCommand = (line: string): boolean => /^ {2}(?:op-sdk|kubectl|kustomize|git|export) /.test(line);
    const isTerm = (line: string): boolean => /^ {2,7}\S+(?:, \S+)?(?: [<[]\S+)*$/.test(line);
    const long = stdout.split('\n').filter((line) => line.length > 40 && !isCommand(line) && !isTerm(line));
    expect(long).toEqual([]);
  });

  test('flags of all commands are in the help of each', async () => {
    for (const { path } of commands) {
      const { stdout } = await runCli([...path, '--help'], { columns: 40 });
      for (const flag of ['-o, --output <format>', '-q, --quiet', '--verbose', '--no-color'])
        expect(stdout, path.join(' ')).toContain(`  ${flag}`);
    }
  });
});
