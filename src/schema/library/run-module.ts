import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { SchemaDescription } from './inside/describe-schema.ts';

/** What a schema module may use, all in all. */
export interface RunLimits {
  readonly milliseconds: number;
  readonly megabytes: number;
}

/** Those of real APIs take some tens of milliseconds and megabytes. */
const defaultLimits: RunLimits = { milliseconds: 20_000, megabytes: 512 };

/**
 * Runs the script of a schema module in a process that has no environment, no files and no network: the script gets the language alone.
 * @returns the description of the schema, or why there is none
 */
export function runModule(
  script: string,
  limits: RunLimits = defaultLimits,
): SchemaDescription | { readonly failed: string } {
  const program = readFileSync(new URL('./run-program.js', import.meta.url), 'utf8');
  const { stdout, stderr, error, signal, status } = spawnSync(
    process.execPath,
    [
      `--max-old-space-size=${limits.megabytes}`,
      ...permissionFlags(),
      '--input-type=module',
      '--eval',
      program,
      String(limits.milliseconds),
    ],
    {
      input: `${prelude}${script}\nglobalThis.description`,
      env: systemVariables(),
      encoding: 'utf8',
      // For what goes on behind the script; a process needs some time to start.
      timeout: limits.milliseconds + 30_000,
      killSignal: 'SIGKILL',
      maxBuffer: Infinity,
    },
  );
  if (
    /ERR_SCRIPT_EXECUTION_TIMEOUT/.test(stderr) ||
    (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
  )
    return { failed: 'it does not come to an end' };
  if (/heap out of memory/i.test(stderr))
    return { failed: `it needs more than ${limits.megabytes} MB of memory` };
  if (error !== undefined) return { failed: error.message };
  if (status !== 0 || signal !== null || stdout === '') return { failed: thrown(stderr) };
  return JSON.parse(stdout) as SchemaDescription;
}

/**
 * The same sources must give the same schema. The classes are those of which libraries keep the names, to describe their values; nothing can
 * be made of them.
 */
const prelude = `{
  const missing = (name) => new Error(name + ' is not available while a schema is read');
  for (const [owner, name] of [[Math, 'random'], [Date, 'now']]) owner[name] = () => { throw missing(name); };
  for (const name of ['Blob', 'File', 'FormData', 'Headers', 'Request', 'Response', 'URL', 'URLSearchParams'])
    globalThis[name] = class { constructor() { throw missing(name); } };
}
`;

/** Node 20 knows the permission model by another name. */
function permissionFlags(): readonly string[] {
  return process.allowedNodeEnvironmentFlags.has('--permission')
    ? ['--permission']
    : ['--experimental-permission'];
}

/** Windows starts no process without these. */
function systemVariables(): Record<string, string> {
  const { SystemRoot } = process.env;
  return process.platform === 'win32' && SystemRoot !== undefined ? { SystemRoot } : {};
}

/** The line of a stack that says what was thrown. */
function thrown(stderr: string): string {
  const lines = stderr.split('\n');
  const line =
    lines.find((each) => /^(?:Uncaught )?(?:\w*Error|\w*Exception)\b/.test(each.trim())) ??
    lines.find((each) => /Error/.test(each));
  return line?.trim().replace(/^Uncaught /, '') ?? 'it ends without a schema';
}
