// What guides call without running it: commands in texts and blocks, and the flags that a command takes.
import { groups } from '../../src/cli/command-table.ts';
import { buildProgram, findCommand, wordsOf } from '../../src/cli/program.ts';
import { readGuide } from './guide.ts';

/** Inline code, and the commands of blocks, continued lines joined. */
export function codeOf(markdown: string): readonly string[] {
  const blocks = readGuide(markdown).flatMap((step) => (step.kind === 'commands' ? [step.script] : []));
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll('\\|', '|');
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...blocks.flatMap((script) => script.replaceAll('\\\n', ' ').split('\n')), ...inline];
}

/** The calls of op-sdk in a text: each the arguments behind its name. */
export const callsIn = (code: string): readonly string[][] =>
  code.split(/\||&&|\$\(|\)/).flatMap((part) => {
    const [, call] = /(?:^|\s)op-sdk\s+([a-z].*)/.exec(part) ?? [];
    return call === undefined
      ? []
      : [
          call
            .replace(/\s#.*$/, '')
            .trim()
            .split(/\s+/),
        ];
  });

/** The words of a call that op-sdk does not know: the command, or flags that it does not take. */
export async function unknownIn(call: readonly string[]): Promise<readonly string[]> {
  const words = wordsOf(call);
  const entry = findCommand(call);
  if (entry === undefined) {
    // `bundle build|push` in a table, and words that stand for several commands.
    const isGroup = Object.hasOwn(groups, words.join(' ').split('|')[0] ?? '');
    return isGroup || words[0] === 'help' ? [] : [words.join(' ')];
  }
  const { program, leaves } = buildProgram(new Map([[entry, await entry.load()]]), () => undefined);
  const options = [...program.options, ...(leaves.get(entry)?.options ?? [])];
  const known = new Set(options.flatMap(({ long, short }) => [long ?? '', short ?? '']));
  const behind = call.indexOf('--');
  return (behind < 0 ? call : call.slice(0, behind))
    .map((word) => word.split('=')[0] ?? '')
    .filter((flag) => /^-{1,2}[a-z]/.test(flag) && !known.has(flag));
}
