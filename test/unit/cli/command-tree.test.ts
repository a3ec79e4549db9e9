// A command that is also the group of others: `run` beside `run bundle`.
import { describe, expect, test } from 'vitest';
import { defineCommand, entry, type CommandEntry } from '../../../src/cli/command.ts';
import { parse, UsageErrors } from '../../../src/cli/parse.ts';
import { commands } from '../../../src/cli/command-table.ts';
import { flag } from '../../../src/cli/flags/flag.ts';
import { findCommand, wordsOf } from '../../../src/cli/program.ts';

const run = () => Promise.reject(new Error('not called'));
const modules = {
  run: defineCommand({
    arguments: [['[flags...]', '']],
    flags: { kubeconfig: flag.text('file', '') },
    run,
  }),
  'run bundle': defineCommand({
    arguments: [['<image>', '']],
    flags: { kubeconfig: flag.text('file', ''), timeout: flag.text('duration', '', { default: '2m' }) },
    run,
  }),
  'create api': defineCommand({ flags: { group: flag.text('group', '') }, run }),
};

/** Both orders: the table is sorted for people, not for the parser. */
const entries = Object.entries(modules).map(([path, command]) =>
  entry(path, `the summary of ${path}`, () => Promise.resolve({ command })),
);
const tables = [entries, [...entries].reverse()];

async function call(argv: readonly string[], table: readonly CommandEntry[]) {
  let stdout = '';
  const sink = { colors: false, write: (text: string) => void (stdout += text) };
  const invocation = await parse(argv, { stdout: sink, stderr: sink }, table);
  const name = Object.entries(modules).find(([, loaded]) => loaded === invocation?.definition)?.[0];
  return { name, options: invocation?.options, args: invocation?.args, stdout };
}

describe.each([
  ['the shorter path first', tables[0] ?? []],
  ['the longer path first', tables[1] ?? []],
])('%s', (_title, table) => {
  test.each([
    ['run', 'run', []],
    ['run bundle quay.io/x/y:v1', 'run bundle', ['quay.io/x/y:v1']],
    ['-o json run -q bundle quay.io/x/y:v1', 'run bundle', ['quay.io/x/y:v1']],
    [
      'run -- --metrics-bind-address=0 --namespace a',
      'run',
      ['--metrics-bind-address=0', '--namespace', 'a'],
    ],
  ])('op-sdk %s', async (line, name, args) => {
    expect(await call(line.split(' '), table)).toMatchObject({ name, args });
  });

  test('the value of a flag is not a command', async () => {
    const { name, options, args } = await call(['run', '--kubeconfig', 'bundle'], table);
    expect({ name, args }).toEqual({ name: 'run', args: [] });
    expect(options).toMatchObject({ kubeconfig: 'bundle' });
  });

  test('flags behind both words are those of the longer one', async () => {
    const { name, options } = await call(['run', 'bundle', 'x', '--kubeconfig', 'y'], table);
    expect(name).toBe('run bundle');
    expect(options).toMatchObject({ kubeconfig: 'y', timeout: '2m' });
  });

  test('the help of the shorter one lists its own flags and the longer one', async () => {
    const { stdout } = await call(['run', '--help'], table);
    expect(stdout).toContain('--kubeconfig <file>');
    expect(stdout).toMatch(/^ {2}bundle .*the summary of run bundle$/m);
    expect(stdout).toContain('the summary of run\n');
  });

  test.each(['run bundle --help', 'help run bundle', 'run help bundle'])('op-sdk %s', async (line) => {
    const { stdout } = await call(line.split(' '), table);
    expect(stdout).toContain('Usage: op-sdk run bundle');
    expect(stdout).toContain('--timeout <duration>');
  });

  test('an argument that is missing is missed by the longer one', async () => {
    await expect(call(['run', 'bundle'], table)).rejects.toBeInstanceOf(UsageErrors);
  });
});

test('the words of a command end at its first own flag and at --', () => {
  const cases = {
    'create api': ['create', 'api'],
    '-o json create --verbose api --group x': ['create', 'api'],
    '-ojson -q create': ['create'],
    '-qo json create': ['create'],
    '--output=json --no-color create': ['create'],
    'run -- bundle': ['run'],
    'run --context bundle': ['run'],
    '--version': [],
  };
  for (const [line, words] of Object.entries(cases)) expect(wordsOf(line.split(' ')), line).toEqual(words);
});

test('every command of op-sdk is found by its words', () => {
  for (const entry of commands) expect(findCommand(entry.path)).toBe(entry);
  expect(new Set(commands.map(({ path }) => path.join(' '))).size).toBe(commands.length);
});
