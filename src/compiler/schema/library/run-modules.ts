import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Scripts } from './bundle-modules.ts';
import type { SchemaDescription } from './inside/describe-schema.ts';
import { readDescription } from './read-description.ts';

/** Limits of a schema module. */
export interface RunLimits {
  readonly milliseconds: number;
  readonly megabytes: number;
}

/** Modules of real APIs take some hundred milliseconds and some tens of megabytes. */
const defaultLimits: RunLimits = { milliseconds: 20_000, megabytes: 256 };

export type RunOutcome = SchemaDescription | { readonly failed: string };

/**
 * Runs the scripts of schema modules, all in one process and each as if it ran alone.
 *
 * The boundary is the interpreter: QuickJS, compiled to WebAssembly, gets no object of the process around it. A realm of Node (`node:vm`) is
 * none, because every error of the host leads out of it. Scripts share the libraries that were loaded before, and nothing else: the memory
 * is set back before each one, so a schema never depends on which other schemas are read with it. The process has no environment, no files,
 * no further processes and no descriptors but its three streams, for the case that a script ever gets out of the interpreter.
 * @returns a description of each schema, or why there is none, in the order of `entries`
 */
export function runModules(
  { scripts, libraries, entries }: Scripts,
  limits: RunLimits = defaultLimits,
): readonly RunOutcome[] {
  if (entries.length === 0) return [];
  const { milliseconds, megabytes } = limits;
  // The honest ones of a project are done within a fraction of the time of one.
  const wholeMilliseconds = Math.min(milliseconds + 2000 * entries.length, Math.max(milliseconds, 300_000));
  const program = readFileSync(new URL('./run-program.js', import.meta.url), 'utf8');
  const { stdout, stderr, error, signal, status } = spawnSync(
    process.execPath,
    [
      // For what is around the interpreter, whose memory is not on the heap.
      '--max-old-space-size=256',
      ...permissionFlags(),
      '--input-type=module',
      '--eval',
      program,
    ],
    {
      input: JSON.stringify({
        engine: engine(),
        prelude,
        scripts,
        libraries,
        entries,
        milliseconds,
        wholeMilliseconds,
        megabytes,
      }),
      env: systemVariables(),
      encoding: 'utf8',
      // For what never asks whether it is interrupted; a process needs some time to start.
      timeout: wholeMilliseconds + 30_000,
      killSignal: 'SIGKILL',
      maxBuffer: largestOutput,
    },
  );
  const lines = stdout.split('\n').slice(0, -1);
  const failures = failureTexts(limits);
  const isLate = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT' || status === 124;
  const ended = isLate ? failures.interrupted : (error?.message ?? stderr.trim().split('\n')[0] ?? '');
  const first = ended === '' ? `the interpreter ends${signal === null ? '' : ` by ${signal}`}` : ended;
  return entries.map((_, index): RunOutcome => {
    const line = lines[index];
    if (line === undefined)
      return { failed: index === lines.length ? first : 'the one before it has ended the interpreter' };
    return readDescription(line, failures);
  });
}

function failureTexts({ megabytes }: RunLimits) {
  return {
    interrupted: 'it does not come to an end',
    'out of memory': `it needs more than ${megabytes} MB of memory`,
    'InternalError: stack overflow': 'its recursion is too deep',
    'too long': 'its JSON Schema is too long',
  };
}

/** Bytes of all descriptions together. */
const largestOutput = 64 * 2 ** 20;

/**
 * Makes runs repeatable, and gives names that libraries keep to describe their values: nothing can be made of the classes, and the console is silent.
 */
const prelude = `{
  const missing = (name) => new Error(name + ' is not available while a schema is read');
  for (const [owner, name] of [[Math, 'random'], [Date, 'now']]) owner[name] = () => { throw missing(name); };
  for (const name of ['Blob', 'File', 'FormData', 'Headers', 'Request', 'Response', 'URL', 'URLSearchParams'])
    globalThis[name] = class { constructor() { throw missing(name); } };
  const Original = Date;
  const stopped = new Proxy(Original, {
    apply() { throw missing('the time'); },
    construct(target, given, newTarget) {
      if (given.length === 0) throw missing('the time');
      return Reflect.construct(target, given, newTarget);
    },
  });
  Original.prototype.constructor = stopped;
  globalThis.Date = stopped;
  const silent = ['assert', 'debug', 'dir', 'error', 'group', 'groupEnd', 'info', 'log', 'table', 'trace', 'warn'];
  globalThis.console = Object.fromEntries(silent.map((name) => [name, () => undefined]));
}
`;

/** The texts of the interpreter's modules: the process that runs it has no files. */
function engine(): Readonly<Record<string, string>> {
  const { resolve } = createRequire(import.meta.url);
  const core = resolve('quickjs-emscripten-core');
  const text = (file: string): string => readFileSync(file, 'utf8');
  return {
    core: text(core),
    // A dependency of the core, not of this package.
    types: text(createRequire(core).resolve('@jitl/quickjs-ffi-types')),
    ffi: text(resolve('@jitl/quickjs-wasmfile-release-sync/ffi')),
    emscripten: text(resolve('@jitl/quickjs-wasmfile-release-sync/emscripten-module')),
    wasm: readFileSync(resolve('@jitl/quickjs-wasmfile-release-sync/wasm')).toString('base64'),
  };
}

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
