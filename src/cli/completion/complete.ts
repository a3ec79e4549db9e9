/**
 * Answers a shell on TAB: `op-sdk complete -- <words>`, the last of which is being typed. The answer is a line for each candidate,
 * then a directive. Loads the names of the commands, and of the one on the line its flags; no action, no room of the project.
 */
import { RootCommand, ShellCompDirective, type Command as TabCommand } from '@bomb.sh/tab';
import type { Command, Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { commands, groups, type CommandEntry } from '../command-table.ts';
import { buildProgram, findCommand } from '../program.ts';
import { printed } from './printed.ts';
import { argumentValues, optionValues, type ValueContext } from './values.ts';

/**
 * The lines that answer a completion.
 * @param words of the line, without `op-sdk`; the last is what is completed, perhaps empty
 */
export async function completionsOf(words: readonly string[], cwd: string): Promise<readonly string[]> {
  const before = words.slice(0, -1);
  const entry = findCommand(before);
  const modules = new Map<CommandEntry, CommandModule>();
  if (entry !== undefined) modules.set(entry, await entry.load());
  const { program, leaves } = buildProgram(modules, () => undefined);
  const typed = words.at(-1) ?? '';
  const context: ValueContext = {
    cwd,
    command: entry?.path ?? [],
    words: before,
    typed: typed.startsWith('--') ? typed.slice(typed.indexOf('=') + 1) : typed,
    formats: (entry && modules.get(entry)?.formats) ?? [],
  };
  const root = new RootCommand();
  addOptions(root, program, context);
  for (const [path, description] of Object.entries(groups)) root.command(path, description);
  for (const each of commands) {
    const command = root.command(each.path.join(' '), each.summary);
    const leaf = leaves.get(each);
    if (each !== entry || leaf === undefined) continue;
    addOptions(command, program, context);
    addOptions(command, leaf, context);
    for (const argument of leaf.registeredArguments)
      command.argument(
        argument.name(),
        (complete) => {
          for (const value of argumentValues(argument, context)) complete(value, '');
        },
        argument.variadic,
      );
  }
  const answer = printed(() => root.parse([...words]));
  const candidates = answer.slice(0, -1);
  const areFolders = candidates.length > 0 && candidates.every((line) => /^[^\t]*\/\t/.test(line));
  // A folder is not the end: no blank behind it.
  const directive =
    ShellCompDirective.ShellCompDirectiveNoFileComp |
    (areFolders ? ShellCompDirective.ShellCompDirectiveNoSpace : 0);
  return [...candidates, `:${directive}`];
}

/** Declares the flags that help shows. */
function addOptions(to: TabCommand, from: Command, context: ValueContext): void {
  for (const option of from.options) {
    const name = option.long?.slice(2);
    if (option.hidden || name === undefined) continue;
    const short = option.short?.slice(1);
    if (!option.required && !option.optional) to.option(name, option.description, short ?? '');
    else to.option(name, option.description, valuesOf(option, context), short);
  }
  to.option('help', 'print help', 'h');
}

function valuesOf(option: Option, context: ValueContext) {
  return (complete: (value: string, description: string) => void): void => {
    for (const value of optionValues(option, context)) complete(value, '');
  };
}
