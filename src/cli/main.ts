/**
 * Command line interface: the tree of commands, their flags, output and exit codes. This module is the composition root: it may import
 * every module of the project, and no module imports it. A command is loaded only when it is called, and large modules only when the
 * command runs.
 */
import { exitCodeOf, isOpSdkError, type Finding } from '../base/errors/index.ts';
import { redactValue, secrets } from '../sdk/net/index.ts';
import { optionalCacheFolder } from '../base/util/fs.ts';
import { keepCompiledCode } from '../base/util/code-cache.ts';
import type { CliContext, CommandOutcome } from './command.ts';
import { packageInfo } from './package-info.ts';
import { HelpShown, parse, UsageErrors } from './parse.ts';
import { github } from './flags/words.ts';
import { githubAnnotations, placeInCheckout, withoutCommands, type Annotation } from './ui/github.ts';
import { Interrupted } from './ui/interrupted.ts';
import {
  colorsAllowed,
  createReporter,
  type Reporter,
  type TextSink,
  reportWarnings,
} from './ui/reporter.ts';

/** Process environment of a run: folder, variables, streams and signal. Tests pass their own. */
export interface MainWorld {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** A version of Node, such as `22.13.1`. Default: the version of the Node that runs. */
  readonly nodeVersion?: string;
  /** True if stdin and stderr are terminals. */
  readonly terminal: boolean;
  readonly readStdin: () => Promise<string>;
  readonly signal: AbortSignal;
}

/** Signals that stop a command gracefully. They are sent by Ctrl-C, by `kill`, and when a terminal closes. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Exit codes: 0 success, 1 the operation failed (unless the command sets `failureCode`), 2 wrong usage, 70 a defect of op-sdk, 130
 * interrupted.
 */
const exitCodes = { done: 0, usage: 2, defect: 70, interrupted: 130 } as const;

/**
 * Runs the command line `argv` (without node and script).
 * Only this function turns errors into text and exit codes.
 * @returns the exit code
 */
export async function main(argv: readonly string[], world?: MainWorld): Promise<number> {
  if (world !== undefined) return run(argv, world);
  const abort = new AbortController();
  const release = (): void => {
    for (const each of stopSignals) process.off(each, onSignal);
  };
  // The listener stays registered until the end of the run. Some libraries also listen to these signals, and end the process at once if
  // they are the only listener.
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!abort.signal.aborted) return abort.abort(new Interrupted());
    // A closing terminal may send SIGHUP twice, once by the kernel and once by the shell. So the second SIGHUP is ignored.
    if (signal === 'SIGHUP') return;
    // The second signal ends the process immediately.
    release();
    process.kill(process.pid, signal);
  };
  for (const each of stopSignals) process.on(each, onSignal);
  const compiled = optionalCacheFolder(process.env, 'compiled');
  if (compiled !== undefined) keepCompiledCode(compiled);
  try {
    return await run(argv, processWorld(abort.signal, argv));
  } finally {
    release();
  }
}

/** Settings of the command, as far as they are known when an error occurs. */
interface Mode {
  json: boolean;
  verbose: boolean;
  failureCode: number;
}

/**
 * Minimum length in characters of secrets that are redacted in results. A shorter password may equal an ordinary name, which must not be
 * redacted.
 */
const shortestInData = 16;

async function run(argv: readonly string[], outside: MainWorld): Promise<number> {
  const stderr = redacting(outside.stderr);
  const annotate = asksFor(argv, github) ? annotator(outside) : undefined;
  const world = { ...outside, stderr: annotate === undefined ? stderr : forRunner(stderr) };
  const mode: Mode = { json: asksFor(argv, 'json'), verbose: argv.includes('--verbose'), failureCode: 1 };
  let report = createReporter(world.stderr, { annotate });
  try {
    const invocation = await parse(argv, world);
    if (invocation === undefined) return exitCodes.done;
    const { entry, definition, options } = invocation;
    mode.json = options['output'] === 'json';
    mode.verbose = options['verbose'] === true;
    mode.failureCode = definition.failureCode ?? 1;
    report = createReporter(world.stderr, {
      quiet: options['quiet'] === true,
      annotate: options['output'] === github ? annotate : undefined,
    });
    const interactive = world.terminal && !mode.json && (world.env['CI'] ?? '') === '';
    const { cwd, env, nodeVersion = process.versions.node, signal, readStdin } = world;
    const print = mode.json ? () => undefined : (line: string) => world.stdout.write(`${line}\n`);
    const command = ['op-sdk', ...entry.path].join(' ');
    const context: CliContext = {
      cwd,
      env,
      nodeVersion,
      report,
      print,
      readStdin,
      signal,
      interactive,
      command,
    };
    // This module is loaded only to run a command, not for --help or a wrong command line.
    const { runAction } = await import('./run-action.ts');
    const outcome = await runAction(invocation, context);
    const code = outcome.exitCode ?? exitCodeOfFindings(outcome.errors ?? [], mode);
    const { stream } = outcome;
    if (stream !== undefined) for await (const piece of stream) world.stdout.write(piece);
    await printOutcome(outcome, code, world, report, mode.json && stream === undefined);
    return code;
  } catch (error) {
    if (world.signal.aborted || error instanceof Interrupted) {
      if (mode.json) printFailure(world, [{ code: 'cli/interrupted', message: 'interrupted' }]);
      else report.info('interrupted');
      return exitCodes.interrupted;
    }
    return printError(error, world, report, mode);
  }
}

async function printOutcome(
  outcome: CommandOutcome,
  code: number,
  world: MainWorld,
  report: Reporter,
  json: boolean,
): Promise<void> {
  const { result, warnings = [], errors = [] } = outcome;
  if (json) {
    const document = outcome.document ?? {
      ok: code === exitCodes.done,
      result: redactValue(result, shortestInData),
      warnings: redactValue(warnings),
      errors: redactValue(errors),
    };
    world.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  reportWarnings(report, warnings);
  if (outcome.text !== undefined && outcome.text !== '') {
    world.stdout.write(outcome.text.endsWith('\n') ? outcome.text : `${outcome.text}\n`);
  }
  for (const error of errors) report.error(error);
  const next = outcome.next ?? [];
  if (next.length === 0) return;
  const { shownCommand } = await import('../project/project/index.ts');
  for (const [index, command] of next.entries()) {
    const shown = shownCommand(command, world.cwd, world.env);
    report.info(`${index === 0 ? 'Next: ' : '      '}${report.paint('strong', shown)}`);
  }
}

function printError(error: unknown, world: MainWorld, report: Reporter, mode: Readonly<Mode>): number {
  if (error instanceof HelpShown && !mode.json) {
    world.stderr.write(error.help);
    return exitCodes.usage;
  }
  const findings = error instanceof UsageErrors || isOpSdkError(error) ? error.findings : undefined;
  if (findings === undefined) {
    printDefect(error, world);
    const message = error instanceof Error ? error.message : String(error);
    if (mode.json) printFailure(world, [{ code: 'cli/defect', message }]);
    return exitCodes.defect;
  }
  if (mode.json) printFailure(world, findings);
  else {
    for (const finding of findings) report.error(finding);
    if (mode.verbose) world.stderr.write(`${causes(error)}\n`);
  }
  return exitCodeOfFindings(findings, mode);
}

/** Returns the exit code for the findings of a command; 0 without findings. */
function exitCodeOfFindings(
  findings: readonly Finding[],
  { failureCode }: Pick<Mode, 'failureCode'>,
): number {
  if (findings.length === 0) return exitCodes.done;
  const code = exitCodeOf(findings.map((each) => each.code));
  return code === exitCodes.usage ? code : failureCode;
}

/** Prints the single JSON document of a failed command with `-o json`. */
function printFailure(world: MainWorld, errors: readonly Finding[]): void {
  const document = { ok: false, result: null, warnings: [], errors: redactValue(errors) };
  world.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

function printDefect(error: unknown, world: MainWorld): void {
  const { name, version } = packageInfo();
  world.stderr.write(`op-sdk itself failed; this is a defect, please report it with the lines below\n`);
  world.stderr.write(`${name} ${version}, node ${process.version}, ${process.platform}/${process.arch}\n`);
  world.stderr.write(`${causes(error)}\n`);
}

function causes(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  // The locations and fixes of the findings have already been printed, so only the summary of the error is repeated.
  const own = isOpSdkError(error) ? stack.replace(error.message, () => error.summary) : stack;
  return error.cause === undefined ? own : `${own}\ncaused by: ${causes(error.cause)}`;
}

/** Returns a sink for human-readable output that redacts every secret that has been loaded, regardless of the code that prints it. */
function redacting(sink: TextSink): TextSink {
  return { ...sink, write: (text) => sink.write(secrets.redact(text)) };
}

/** Returns a sink for text in which GitHub Actions finds no workflow command. */
function forRunner(sink: TextSink): TextSink {
  return { ...sink, write: (text) => sink.write(withoutCommands(text)) };
}

/** Returns a function that prints findings on stdout as annotations, for `-o github`. */
function annotator({ stdout, cwd, env }: MainWorld): (annotation: Annotation) => void {
  const sink = redacting(stdout);
  return (annotation) => {
    const where = placeInCheckout(annotation.where, { cwd, env });
    sink.write(githubAnnotations([{ ...annotation, where }]));
  };
}

/** Returns true if the command line asks for a format. Needed before it is parsed, for errors in it. */
function asksFor(argv: readonly string[], format: string): boolean {
  return argv.some(
    (argument, index) =>
      argument === `--output=${format}` ||
      argument === `-o${format}` ||
      (argument === format && /^(?:-o|--output)$/.test(argv[index - 1] ?? '')),
  );
}

function processWorld(signal: AbortSignal, argv: readonly string[]): MainWorld {
  const plain = forbidsColor(argv);
  const sink = (stream: NodeJS.WriteStream): TextSink => ({
    write: (text) => void stream.write(text),
    colors: !plain && colorsAllowed(stream, process.env),
    columns: (stream as Partial<NodeJS.WriteStream>).columns,
  });
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: sink(process.stdout),
    stderr: sink(process.stderr),
    terminal: process.stdin.isTTY && process.stderr.isTTY,
    readStdin: async () => (await import('../kubernetes/yaml/index.ts')).readYamlStream(process.stdin, '-'),
    signal,
  };
}

/**
 * Returns true if the command line disables colours. This is checked before the command line is parsed, because parse errors are also
 * coloured.
 */
function forbidsColor(argv: readonly string[]): boolean {
  return argv.some((argument) => /^--(?:no-color|color=(?:false|f|0))$/i.test(argument));
}
