// Commands that are ended at one of their changes of files, as processes of their own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const preload = pathToFileURL(join(import.meta.dirname, 'end-at-change.mjs')).href;

/** A command in a folder, of which the changes below the folder count. */
export interface CountedCommand {
  /** Absolute path of the program for Node. */
  readonly program: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** End of a command: `code` is null if it was killed. */
export interface CountedEnd {
  readonly code: number | null;
  readonly stderr: string;
  /** Changes in their order, such as `rename PROJECT`; the last one was not made if the command was killed. */
  readonly changes: readonly string[];
}

/**
 * Runs a command, and ends it and its children by SIGKILL before the change with the number `at`, which counts from 1.
 * @param isTorn true to leave half of the content if the change writes a file
 */
export async function runCounted(
  { program, argv, cwd, env }: CountedCommand,
  { at = 0, isTorn = false }: { readonly at?: number; readonly isTorn?: boolean } = {},
): Promise<CountedEnd> {
  const log = `${cwd}.changes`;
  rmSync(log, { force: true });
  const child = spawn(process.execPath, [program, ...argv], {
    cwd,
    env: {
      ...env,
      NODE_OPTIONS: `--import=${preload}`,
      ...{ END_BELOW: cwd, END_LOG: log, END_AT: String(at), END_TORN: isTorn ? '1' : '' },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    // The group of the command is killed, not that of the tests.
    detached: true,
  });
  const stderr = text(child.stderr);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr: await stderr, changes: changesIn(log) };
}

function changesIn(log: string): readonly string[] {
  try {
    return readFileSync(log, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}
