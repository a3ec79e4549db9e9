import type { Finding } from '../base/errors/index.ts';
import type { JournalPlace } from '../project/scaffold/index.ts';
import type { GlobalOptions } from './flags/common.ts';
import type { Flags, OptionsOf } from './flags/flag.ts';
import type { Reporter } from './ui/reporter.ts';

/**
 * Access to everything outside a command, such as folder, environment and output, so that tests can run the command in their own process.
 */
export interface CliContext {
  /** Absolute path of the working directory of the command. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of the Node that runs op-sdk, such as `22.13.1`: the versions in new projects follow from it. */
  readonly nodeVersion: string;
  /** Prints messages on stderr: progress, warnings and hints. Results are returned in the outcome instead. */
  readonly report: Reporter;
  /**
   * Prints a line of the result on stdout before the command ends. With `-o json`, prints nothing, because the outcome contains the result.
   * The printed lines are not repeated in the `text` of the outcome.
   */
  readonly print: (line: string) => void;
  /** Reads standard input to its end, for `-f -`. */
  readonly readStdin: () => Promise<string>;
  /** Signal that is aborted by SIGINT, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  /** True if the command can prompt the user: stdin and stderr are terminals, CI is not set, and the output is not JSON. */
  readonly interactive: boolean;
  /** Words of the command as shown to the user, such as `op-sdk create api`. */
  readonly command: string;
  /** Identifier of the command with its flags and arguments. A repetition of the same command has the same identifier. */
  readonly request?: string;
  /** Lock of the project that the command holds while it runs, see `CommandDefinition.locksProject`. */
  readonly lock?: HeldLock;
}

/** Lock of a project, and the journal in which the holder of the lock records the files that it writes. */
export interface HeldLock {
  /** Absolute path of the project. */
  readonly root: string;
  /** Place of the journal. Undefined if the journal cannot be written. */
  readonly journal: JournalPlace | undefined;
}

/** Outcome of a command. `main` prints `result` with `-o json`, otherwise `text` on stdout. */
export interface CommandOutcome {
  /** Machine-readable result, as plain JSON. */
  readonly result: unknown;
  /**
   * Document to print with `-o json` if its format is specified by a tool other than op-sdk, such as operator-sdk. The document replaces
   * the usual envelope around `result`.
   */
  readonly document?: unknown;
  /**
   * Text for stdout, written unchanged and piece by piece for any value of `-o`. Used for documents that do not fit into memory together.
   */
  readonly stream?: AsyncIterable<string>;
  /** Human-readable result for stdout; absent if the messages on stderr suffice. */
  readonly text?: string;
  readonly warnings?: readonly Finding[];
  /** Errors that occurred after part of the result existed, such as a failed rollout. They are printed last, and the command fails. */
  readonly errors?: readonly Finding[];
  /** Commands that the user should run next. They are printed last. */
  readonly next?: readonly string[];
  /** Exit code, for commands whose negative verdict is not an error, for example with `--check`. Default: 0. */
  readonly exitCode?: number;
  /** Work to do after the lock is released, such as installing dependencies. Other commands may write files meanwhile. */
  readonly afterwards?: () => Promise<void>;
}

export type LockedPlace = 'here' | 'project';

/** Positional argument: its name as `<name>`, `[name]` or `[name...]`, its help text, and the allowed values. */
export type Argument = readonly [name: string, help: string, choices?: readonly string[]];

type ValueOf<A extends Argument> = A extends readonly [string, string, readonly (infer Choice)[]]
  ? Choice
  : string;

/** Types of the values of positional arguments, derived from the names and choices of the arguments. */
type ValuesOf<A extends readonly Argument[]> = number extends A['length']
  ? readonly string[]
  : A extends readonly [infer First extends Argument, ...infer Rest extends readonly Argument[]]
    ? First[0] extends `${string}...${string}`
      ? readonly string[]
      : First[0] extends `<${string}`
        ? readonly [ValueOf<First>, ...ValuesOf<Rest>]
        : readonly [ValueOf<First>?, ...ValuesOf<Rest>]
    : readonly [];

/**
 * Definition of a command: its flags, its help and its action. Each definition is in its own module of `commands/`, which is loaded only
 * when the command is called.
 */
export interface CommandDefinition<
  F extends Flags = Flags,
  A extends readonly Argument[] = readonly Argument[],
> {
  /**
   * Formats of `-o` that the command supports besides `text` and `json`. The command itself writes these formats, as the `text` of its
   * outcome.
   */
  readonly formats?: readonly string[];
  /** Exit code if the command cannot do its work. Needed by commands for which exit code 1 is a verdict. */
  readonly failureCode?: number;
  /**
   * Lock for a command that needs exclusive access to the files of a project. `main` holds the lock while the action runs. `here` locks the
   * project in the working directory; `project` locks the project that contains the working directory. A long-running command acquires the
   * lock itself for each write, by `inProjectLock`.
   */
  readonly locksProject?: LockedPlace;
  /**
   * True if a second run with the same flags succeeds and changes nothing. If the same command was interrupted after its last change of a
   * file, such a command runs again and does what is left, such as installing dependencies or packaging a chart. Other commands would refuse
   * the files that they wrote, so for them `main` only lists these.
   */
  readonly isRepeatable?: boolean;
  /** Name of a flag with which `main` does not hold the lock. With this flag, the command itself acquires the lock for each write. */
  readonly unlockedBy?: string;
  readonly arguments?: A;
  /** Flags of the command, in the order in which help lists them. */
  readonly flags?: F;
  /** Help text that follows the list of flags; see `layOut` for the format. */
  readonly help?: string;
  /**
   * Does the work of the command.
   * @param options flags parsed by commander, keyed by flag name in camel case
   * @param args positional arguments
   * @throws OpSdkError with all findings, before any file is written
   */
  run(context: CliContext, options: ParsedOptions<F>, args: ValuesOf<A>): Promise<CommandOutcome>;
}

/** Command without its action. Help and completion load only this part. */
export type DeclaredCommand = Omit<CommandDefinition, 'run'>;

/** Defines a command. The types of the options follow from its flags, and the types of the arguments from the argument names. */
export function defineCommand<
  const F extends Flags = Record<never, never>,
  const A extends readonly Argument[] = readonly [],
>(
  definition: CommandDefinition<F, A> & { readonly unlockedBy?: NoInfer<keyof F & string> },
): CommandDefinition<F, A> {
  return definition;
}

/** Parsed options of a command: its own flags and the global flags. */
export type ParsedOptions<F extends Flags> = OptionsOf<F> & GlobalOptions;

/**
 * Entry for a command in the command tree. The command is loaded only when it is called, so that `version` and `--help` start as fast as
 * Node itself.
 */
export interface CommandEntry {
  /**
   * Words that select the command, such as `['create', 'api']`. A command can also be the group of other commands, such as `['run']` for
   * `['run', 'bundle']`.
   */
  readonly path: readonly string[];
  readonly summary: string;
  load(): Promise<DeclaredCommand>;
  /** Loads the command together with the modules that its action needs. Not called for `--help` or wrong usage. */
  loadWhole(): Promise<CommandDefinition>;
}

/**
 * Creates the entry of a command. @param loadWhole passed only by the build, which splits a command's declaration from the rest of its
 * module
 */
export function entry(
  words: string,
  summary: string,
  load: () => Promise<{ readonly command: DeclaredCommand }>,
  loadWhole = load as () => Promise<{ readonly command: CommandDefinition }>,
): CommandEntry {
  return {
    path: words.split(' '),
    summary,
    load: async () => (await load()).command,
    loadWhole: async () => (await loadWhole()).command,
  };
}
