import type { Command } from 'commander';

/** Options that {@link manifestFlag} parses. */
export interface ManifestOptions {
  readonly filename?: readonly string[];
}

/** Declares `-f, --filename`: objects from files or from standard input instead of a kustomization. */
export function manifestFlag(command: Command): Command {
  return command.option(
    '-f, --filename <file>',
    'read the objects from a file, a folder, or standard input (-); may be repeated',
    (file: string, before: readonly string[] = []) => [...before, file],
  );
}
