import type { Command } from 'commander';

/** Options that {@link namespaceFlag} parses. */
export interface NamespaceOptions {
  readonly namespace?: string;
}

/** Declares `-n, --namespace` with the meaning that it has for `kubectl apply`. */
export function namespaceFlag(command: Command): Command {
  return command.option(
    '-n, --namespace <name>',
    'the namespace of objects that name none; another one is an error (default: that of the context, and any)',
  );
}
