import type { Command } from 'commander';

/** Declares `--image`. */
export function imageFlag(command: Command): Command {
  return command.option(
    '--image <reference>',
    'the image of the operator, written into config/manager (make: IMG)',
  );
}
