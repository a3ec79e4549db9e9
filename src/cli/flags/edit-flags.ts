import type { Command } from 'commander';
import { dryRunFlag } from './common.ts';

/** Flags of every command that edits a kustomization. */
export interface EditOptions {
  readonly dir?: string;
  readonly dryRun?: boolean;
}

export function editFlags(command: Command): Command {
  command.option('--dir <folder>', 'the folder of the kustomization (default: the current folder)');
  return dryRunFlag(command);
}
