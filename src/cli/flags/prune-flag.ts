import type { Command } from 'commander';
import { booleanFlag } from './common.ts';

/** Option that {@link pruneFlag} parses: undefined without the flag. */
export interface PruneOptions {
  readonly prune?: boolean;
}

/** Declares `--prune`: whether what has left the manifests is deleted. */
export function pruneFlag(command: Command, description: string): Command {
  return booleanFlag(command, 'prune', description);
}
