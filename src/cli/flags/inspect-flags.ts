import { Option, type Command } from 'commander';

/** Options that {@link inspectFlags} parses; `true` without an address. */
export interface InspectOptions {
  readonly inspect?: string | true;
  readonly inspectBrk?: string | true;
}

/** Declares `--inspect` and `--inspect-brk`, with or without an address, in Node's own words. */
export function inspectFlags(command: Command): void {
  const address = '[[host:]port]';
  command.addOption(
    new Option(`--inspect ${address}`, 'let a debugger attach to the operator (default: 127.0.0.1:9229)'),
  );
  command.addOption(
    new Option(`--inspect-brk ${address}`, 'the same, and wait for it before the first line of the operator'),
  );
}
