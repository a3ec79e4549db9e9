import type { Command } from 'commander';
import type { ClusterOptions } from './cluster-flags.ts';
import type { NamespaceOptions } from './namespace-flag.ts';
import { booleanFlag, negatedFlag, serverDryRunFlag } from './common.ts';

export interface RemoveManifestOptions extends ClusterOptions, NamespaceOptions {
  readonly dryRun?: boolean;
  readonly output?: string;
  readonly wait?: boolean;
  readonly timeout?: string;
  readonly ignoreNotFound?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
}

/** Declares the flags of commands that delete. */
export function removeFlags(command: Command): Command {
  negatedFlag(command, 'wait', 'return without waiting until everything is gone', true);
  command.option('--timeout <duration>', 'how long to wait (default: 2m)');
  negatedFlag(command, 'ignore-not-found', 'fail if an object is not on the cluster', true);
  booleanFlag(command, 'yes', 'delete the contents of definitions and namespaces without asking', false);
  booleanFlag(command, 'force', 'continue although custom resources have finalizers', false);
  return serverDryRunFlag(command);
}

/** Help about custom resources, for commands that delete. */
export const removeHelp = `Deleting a definition deletes its custom resources, and deleting a namespace deletes everything in it. If this would
delete objects that are not in the manifest, op-sdk lists them and asks on a terminal; without a terminal it needs --yes. It refuses to start while custom resources have finalizers, which only the running operator removes.`;
