import type { Command } from 'commander';
import { clusterFlags, type ClusterOptions } from './cluster-flags.ts';

/** Options that {@link olmFlags} parses. */
export interface OlmOptions extends ClusterOptions {
  readonly olm?: string;
  readonly manifests?: readonly string[];
  readonly version?: string;
  readonly sha256?: readonly string[];
  readonly timeout?: string;
  readonly output?: string;
}

/**
 * Declares the flags of commands for OLM itself: which one, its manifests, how long to wait, and the cluster.
 *
 * @param texts the defaults of `--olm` and `--version`, and what `--timeout` is about
 */
export function olmFlags(
  command: Command,
  texts: { readonly olm: string; readonly version: string; readonly timeout: string },
): Command {
  command.option('--olm <major>', `which OLM, v0 or v1 (default: ${texts.olm})`);
  command.option('--version <version>', `the release whose manifests are used (default: ${texts.version})`);
  command.option(
    '--manifests <source>',
    'read the manifests of the release from a file, a folder or a URL; may be repeated',
    (source: string, before: readonly string[] = []) => [...before, source],
  );
  command.option(
    '--sha256 <digest>',
    'expect a downloaded file to have this SHA-256; once for each file',
    (digest: string, before: readonly string[] = []) => [...before, digest],
  );
  command.option('--timeout <duration>', texts.timeout);
  return clusterFlags(command);
}
