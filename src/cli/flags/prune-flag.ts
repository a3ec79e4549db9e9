import type { Command } from 'commander';
import { booleanFlag } from './common.ts';

/** What {@link pruneFlag} parses: undefined if the user said nothing. */
export interface PruneOptions {
  readonly prune?: boolean;
}

/** Declares `--prune`: whether what has left the manifests is deleted. */
export function pruneFlag(command: Command, description: string): Command {
  return booleanFlag(command, 'prune', description);
}
