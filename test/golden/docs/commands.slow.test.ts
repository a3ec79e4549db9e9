// docs/commands.md lists every command with its flags, from the table of commands. `UPDATE_GOLDEN=1` writes it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { commands } from '../../../src/cli/command-table.ts';
import { buildProgram } from '../../../src/cli/program.ts';

const file = fileURLToPath(new URL('../../../docs/commands.md', import.meta.url));

const head = `# Commands

Inside a project, \`npx --no op-sdk\` runs the project's own op-sdk (\`pnpm exec\`, \`yarn\` and \`bun run\` are the same for other package managers). \`op-sdk help COMMAND\`, or \`--help\`, prints what a command does with all its flags; [completion](completion.md) offers them in the shell.

All commands take \`-o json\` (one document on stdout), \`--quiet\`, \`--verbose\` and \`--no-color\`; all that write take \`--dry-run\`. Exit codes: 0 done, 1 failed, 2 wrong usage, 70 a bug in op-sdk, 130 interrupted. Every error has a code, which \`op-sdk explain\` explains. A flag for an unsupported feature is refused, not ignored.
`;

/** Flags of every command, which the text above names. */
const common = new Set(['--output', '--quiet', '--verbose', '--no-color', '--help', '--dry-run']);

async function rowOf(entry: (typeof commands)[number]): Promise<string> {
  const { leaves } = buildProgram(new Map([[entry, await entry.load()]]), () => undefined);
  const leaf = leaves.get(entry);
  const flags = (leaf?.options ?? [])
    .filter(({ hidden, long }) => !hidden && !common.has(long ?? ''))
    .map(({ long, short }) => `\`${long ?? short ?? ''}\``);
  const words = (leaf?.registeredArguments ?? []).map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const command = ['op-sdk', ...entry.path, ...words].join(' ');
  return `- \`${command}\`: ${entry.summary}${flags.length === 0 ? '' : `\\\n  ${flags.join(' ')}`}`;
}

test('docs/commands.md is what the table of commands gives', async () => {
  const rows = await Promise.all(commands.map(rowOf));
  const style = await resolveConfig(file);
  const text = await format(`${head}\n${rows.join('\n')}\n`, { ...style, parser: 'markdown' });
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
