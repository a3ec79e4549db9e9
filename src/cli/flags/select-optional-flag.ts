import type { Command } from 'commander';

/** Declares `--select-optional`, for commands that validate bundles. */
export function selectOptionalFlag(command: Command): Command {
  return command.option(
    '--select-optional <selector>',
    "optional validators to run, too: 'all', names with commas between them, or a label selector such as suite=operatorframework",
  );
}
