import type { Finding } from '../base/errors/index.ts';
import type { JournalPlace } from '../project/scaffold/index.ts';
import type { GlobalOptions } from './flags/common.ts';
import type { Flags, OptionsOf } from './flags/flag.ts';
import type { Reporter } from './ui/reporter.ts';

/** All that a command may touch of the outside world, so that tests can run it in process. */
export interface CliContext {
  /** Absolute path of the folder the command runs in. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of the Node that runs op-sdk, such as `22.13.1`: the versions in new projects follow from it. */
  readonly nodeVersion: string;
  /** Messages on stderr: progress, warnings, hints. Results go into the outcome instead. */
  readonly report: Reporter;
  /**
   * Prints a line of the result on stdout before the command ends. Does nothing with `-o json`, where the outcome contains it. Such lines
   * are not repeated in the `text` of the outcome.
   */
  readonly print: (line: string) => void;
  /** All of standard input, for `-f -`. */
  readonly readStdin: () => Promise<string>;
  /** Aborted by SIGINT, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  /** True if a person can be asked: stdin and stderr are terminals, CI is not set, and the output is not JSON. */
  readonly interactive: boolean;
  /** The words of the command, for people: `op-sdk create api`. */
  readonly command: string;
  /** Identifies the command with its flags and arguments, so that its repetition is recognized. */
  readonly request?: string;
  /** The lock of a project that the command holds while it runs, see `CommandDefinition.locksProject`. */
  readonly lock?: HeldLock;
}

/** The lock of a project, and the journal in which its holder records its writes. */
export interface HeldLock {
  /** The folder of the project; absolute. */
  readonly root: string;
  /** Undefined where nothing can be written. */
  readonly journal: JournalPlace | undefined;
}

/** Outcome of a command. Printed by `main`: `result` with `-o json`, `text` on stdout otherwise. */
export interface CommandOutcome {
  /** The machine-readable result: plain JSON. */
  readonly result: unknown;
  /** With `-o json`: the document as it is specified for this command, in the place of the envelope around `result`. */
  readonly document?: unknown;
  /** Text for stdout, written unchanged and piece by piece for any `-o`: for documents that do not fit into memory together. */
  readonly stream?: AsyncIterable<string>;
  /** Human-readable result, on stdout; absent if the messages on stderr suffice. */
  readonly text?: string;
  readonly warnings?: readonly Finding[];
  /** Errors after part of the result was there, such as a rollout that fails: printed last, and the command fails. */
  readonly errors?: readonly Finding[];
  /** The next command(s) to type, printed last. */
  readonly next?: readonly string[];
  /** Default 0. For commands whose verdict is not an error, such as `--check`. */
  readonly exitCode?: number;
  /** Work after the lock is released, while other commands may write, such as installing dependencies. */
  readonly afterwards?: () => Promise<void>;
}

export type LockedPlace = 'here' | 'project';

/** `<name>`, `[name]` or `[name...]`, its meaning, and the values that it may have. */
export type Argument = readonly [name: string, help: string, choices?: readonly string[]];

type ValueOf<A extends Argument> = A extends readonly [string, string, readonly (infer Choice)[]]
  ? Choice
  : string;

/** The values of positional arguments, by their names and choices. */
type ValuesOf<A extends readonly Argument[]> = number extends A['length']
  ? readonly string[]
  : A extends readonly [infer First extends Argument, ...infer Rest extends readonly Argument[]]
    ? First[0] extends `${string}...${string}`
      ? readonly string[]
      : First[0] extends `<${string}`
        ? readonly [ValueOf<First>, ...ValuesOf<Rest>]
        : readonly [ValueOf<First>?, ...ValuesOf<Rest>]
    : readonly [];

/** A command is a value: its flags, its help and its work, in a module of `commands/` that is loaded only when it is called. */
export interface CommandDefinition<
  F extends Flags = Flags,
  A extends readonly Argument[] = readonly Argument[],
> {
  /** Formats of `-o` beside `text` and `json`: the command writes them itself, as the `text` of its outcome. */
  readonly formats?: readonly string[];
  /** The exit code where the command cannot do its work, if 1 is a verdict of its own. */
  readonly failureCode?: number;
  /**
   * Lock of a command that reads and writes files of a project exclusively: `main` holds the lock while the action runs. `here`: in the
   * working directory; `project`: in the project around that folder. A long-running command acquires the lock itself for each write, by
   * `inProjectLock`.
   */
  readonly locksProject?: LockedPlace;
  /** A flag with which the command takes the lock itself, when it writes. */
  readonly unlockedBy?: string;
  readonly arguments?: A;
  /** In the order of help. */
  readonly flags?: F;
  /** Text of help behind the flags; see `layOut` for its form. */
  readonly help?: string;
  /**
   * The work of the command.
   * @param options what commander parsed, by camel-case flag name
   * @param args the positional arguments
   * @throws OpSdkError with all findings; nothing has been written then
   */
  run(context: CliContext, options: ParsedOptions<F>, args: ValuesOf<A>): Promise<CommandOutcome>;
}

/** A command without its work, as help and completion load it. */
export type DeclaredCommand = Omit<CommandDefinition, 'run'>;

/** Defines a command; the types of its options and arguments are those of its flags and of their names. */
export function defineCommand<
  const F extends Flags = Record<never, never>,
  const A extends readonly Argument[] = readonly [],
>(
  definition: CommandDefinition<F, A> & { readonly unlockedBy?: NoInfer<keyof F & string> },
): CommandDefinition<F, A> {
  return definition;
}

/** The options of a command: those of its flags, and the global ones. */
export type ParsedOptions<F extends Flags> = OptionsOf<F> & GlobalOptions;

/** A command of the tree: loaded only when it is called, so that `version` and `--help` cost no more than Node itself. */
export interface CommandEntry {
  /** The words that select it: `['create', 'api']`. A command may itself be the group of others: `['run']` and `['run', 'bundle']`. */
  readonly path: readonly string[];
  readonly summary: string;
  load(): Promise<DeclaredCommand>;
  /** Loads the command with the modules that it works with; not called for `--help` or wrong usage. */
  loadWhole(): Promise<CommandDefinition>;
}

/** @param loadWhole only passed by the build, which splits a command's declaration from the rest of its module */
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
