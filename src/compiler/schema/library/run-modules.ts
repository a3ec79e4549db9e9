import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isJsonMap } from '../../../base/util/json-map.ts';
import type { JsonValue } from '../../../kubernetes/crd/index.ts';
import type { Scripts } from './bundle-modules.ts';
import type { SchemaDescription } from './inside/describe-schema.ts';
import type { Loss } from './inside/losses-of-libraries.ts';

/** Limits for running a schema module. */
export interface RunLimits {
  readonly milliseconds: number;
  readonly megabytes: number;
}

/** Default limits. They are far above the needs of real APIs, whose modules take some hundred milliseconds and some tens of megabytes. */
const defaultLimits: RunLimits = { milliseconds: 20_000, megabytes: 256 };

export type RunOutcome = SchemaDescription | { readonly failed: string };

/**
 * Runs the scripts of schema modules, all in one process and each as if it ran alone.
 *
 * The security boundary is the interpreter: QuickJS, compiled to WebAssembly, has no access to any object of the process in which it runs.
 * A realm of Node (`node:vm`) would not be a security boundary, because scripts in it can gain access to the process through every error of
 * the host. The memory is reset before each script except for the loaded libraries, so a schema never depends on the other schemas that are
 * read with it. In case a script escapes the interpreter nevertheless, the process has no environment variables, cannot read files or start
 * processes, and has no open descriptors except its three standard streams.
 * @returns a description of each schema, or the reason why the description is missing, in the order of `entries`
 */
export function runModules(
  { scripts, libraries, entries }: Scripts,
  limits: RunLimits = defaultLimits,
): readonly RunOutcome[] {
  if (entries.length === 0) return [];
  const { milliseconds, megabytes } = limits;
  // Limits the total time of all modules. Each further module adds only a fraction of the time that one module may take, because
  // well-behaved modules are fast.
  const wholeMilliseconds = Math.min(milliseconds + 2000 * entries.length, Math.max(milliseconds, 300_000));
  const program = readFileSync(new URL('./run-program.js', import.meta.url), 'utf8');
  const { stdout, stderr, error, signal, status } = spawnSync(
    process.execPath,
    [
      // Limits the heap of the code that runs the interpreter. The memory of the interpreter itself is not on this heap.
      '--max-old-space-size=256',
      // Frees the memory of an interpreter before the next one starts; scripts do not see it.
      '--expose-gc',
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
      // Kills the process if its code never checks for interruption. The additional 30 seconds are for starting the process.
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

/** Maximum total size of the output of the process, which contains the descriptions of all schemas, in bytes. */
const largestOutput = 64 * 2 ** 20;

/**
 * Code that runs before the libraries. It disables random numbers and the current time, so that each run has the same result. It also
 * defines a console that prints nothing, and the names of some Web classes, such as `URL`, because libraries refer to these names. The
 * classes cannot be instantiated.
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

/**
 * Returns the source texts of the interpreter's modules. They are sent to the process that runs the interpreter, because it cannot read
 * files.
 */
function engine(): Readonly<Record<string, string>> {
  const { resolve } = createRequire(import.meta.url);
  const core = resolve('quickjs-emscripten-core');
  const text = (file: string): string => readFileSync(file, 'utf8');
  return {
    core: text(core),
    // Resolved from `quickjs-emscripten-core`, because `@jitl/quickjs-ffi-types` is a dependency of that package, not of this package.
    types: text(createRequire(core).resolve('@jitl/quickjs-ffi-types')),
    ffi: text(resolve('@jitl/quickjs-wasmfile-release-sync/ffi')),
    emscripten: text(resolve('@jitl/quickjs-wasmfile-release-sync/emscripten-module')),
    wasm: readFileSync(resolve('@jitl/quickjs-wasmfile-release-sync/wasm')).toString('base64'),
  };
}

/** Returns the flag that enables Node's permission model. The flag has a different name in Node 20. */
function permissionFlags(): readonly string[] {
  return process.allowedNodeEnvironmentFlags.has('--permission')
    ? ['--permission']
    : ['--experimental-permission'];
}

/** Returns the environment variables that Windows needs to start a process. On other systems, none are needed. */
function systemVariables(): Record<string, string> {
  const { SystemRoot } = process.env;
  return process.platform === 'win32' && SystemRoot !== undefined ? { SystemRoot } : {};
}

/** Maximum depth of nested lists and objects in the JSON Schema of a library. Each level of fields takes two levels of the JSON Schema. */
const deepest = 256;
/** Maximum length of a text from the process that becomes part of a message, in characters. */
const longestText = 2000;
/** Maximum number of losses that are kept for a schema. More would be useless, because nobody reads that many. */
const mostLosses = 1000;

const unreadable = { failed: 'it gives something that is not the description of a schema' };

/**
 * Reads one line of output of the process that ran a schema module. The line is untrusted, because user code has run in the same
 * interpreter as the code that wrote the line.
 * @param failures texts for messages, by the reasons for failures that the process may return
 */
function readDescription(
  line: string,
  failures: Readonly<Record<string, string>>,
): SchemaDescription | { readonly failed: string } {
  const outcome = fieldsOf(parsed(line));
  const { failed, description } = outcome ?? {};
  if (typeof failed === 'string')
    return {
      failed: (Object.hasOwn(failures, failed) ? failures[failed] : undefined) ?? asInOtherEngines(failed),
    };
  if (description === undefined) return { failed: 'it ends without a schema' };
  if (typeof description !== 'string') return unreadable;
  const value = parsed(description);
  if (!isAtMostDeep(value, deepest))
    return { failed: `its JSON Schema has more than ${deepest} levels of lists and objects` };
  return descriptionOf(value) ?? unreadable;
}

function descriptionOf(value: unknown): SchemaDescription | undefined {
  const { schema, losses, missing, vendor, refused } = fieldsOf(value) ?? {};
  if (missing === 'schema') return { missing };
  if (missing === 'json-schema')
    return { missing, ...(typeof vendor === 'string' ? { vendor: shortened(vendor) } : {}) };
  const known = lossesOf(losses);
  if (known === undefined) return undefined;
  if (typeof refused === 'string') return { refused: shortened(refused), losses: known };
  return { schema: schema as JsonValue, losses: known };
}

function lossesOf(value: unknown): readonly Loss[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const losses = (value as readonly unknown[]).slice(0, mostLosses).map((each): Loss | undefined => {
    const { path, what, fix } = fieldsOf(each) ?? {};
    if (typeof what !== 'string' || typeof fix !== 'string' || !isTexts(path)) return undefined;
    return { path: path.map(shortened), what: shortened(what), fix: shortened(fix) };
  });
  return losses.every((each) => each !== undefined) ? losses : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonMap(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Returns true if lists and objects are nested at most `levels` deep. Iterates instead of recursing, because a very deep value would
 * overflow the stack.
 */
function isAtMostDeep(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return false;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as readonly unknown[]) : [],
    );
  }
  return true;
}

function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

/**
 * Removes the quotes that QuickJS puts around the name in a ReferenceError, so that the message equals that of other JavaScript engines.
 */
function asInOtherEngines(failed: string): string {
  return shortened(failed).replace(
    /^ReferenceError: '(.+)' is not defined$/,
    'ReferenceError: $1 is not defined',
  );
}
