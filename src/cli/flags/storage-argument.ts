import type { Command } from 'commander';

/** Declares which definitions a storage command is about. */
export function storageArgument(command: Command): Command {
  return command.argument(
    '[crds...]',
    "names of CustomResourceDefinitions, or kinds of the project (default: all of the project's)",
  );
}
