import { CommanderError, type Command } from 'commander';
import { catalog, exitCodeOf, isOpSdkError, type ErrorCode, type Finding } from '../errors/index.ts';
import type { CliContext, CommandModule, CommandOutcome } from './command.ts';
import { usageFinding } from './commander-errors.ts';
import { expandBooleanFlags } from './flags.ts';
import { packageInfo } from './package-info.ts';
import { buildProgram, findCommand, type CommandEntry, type Invocation } from './program.ts';
import { colorsAllowed, createReporter, type Reporter, type TextSink } from './reporter.ts';

/** The world around a run; tests hand in their own. */
export interface MainWorld {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** True if stdin and stderr are terminals. */
  readonly terminal: boolean;
  readonly signal: AbortSignal;
}

/** Exit codes: 0 done, 1 the operation failed, 2 wrong usage, 70 a defect of op-sdk, 130 interrupted. */
const exitCodes = { done: 0, usage: 2, defect: 70, interrupted: 130 } as const;

/**
 * Runs the command line `argv` (without node and script).
 * The only place that turns errors into text and exit codes.
 * @returns the exit code
 */
export async function main(argv: readonly string[], world?: MainWorld): Promise<number> {
  if (world !== undefined) return run(argv, world);
  const abort = new AbortController();
  // The second signal finds no handler left and ends the process the hard way.
  const onSignal = (): void => abort.abort(new Error('interrupted'));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await run(argv, processWorld(abort.signal, argv));
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

async function run(argv: readonly string[], world: MainWorld): Promise<number> {
  const wanted = argv[0] === '--version' || argv[0] === '-V' ? ['version', ...argv.slice(1)] : argv;
  const json = wantsJson(wanted);
  const report = createReporter(world.stderr, { quiet: wanted.some((a) => a === '-q' || a === '--quiet') });
  try {
    const invocation = await parse(wanted, world);
    if (invocation === undefined) return exitCodes.done;
    const interactive = world.terminal && !json && (world.env['CI'] ?? '') === '';
    const context: CliContext = { cwd: world.cwd, env: world.env, report, signal: world.signal, interactive };
    const outcome = await invocation.module.run(context, invocation.options, invocation.args);
    printOutcome(outcome, world, report, json);
    return outcome.exitCode ?? exitCodes.done;
  } catch (error) {
    if (world.signal.aborted) {
      report.info('interrupted');
      return exitCodes.interrupted;
    }
    return printError(error, world, report, { json, verbose: wanted.includes('--verbose') });
  }
}

/** @returns undefined if commander has already answered, as for `--help` */
async function parse(argv: readonly string[], world: MainWorld): Promise<Invocation | undefined> {
  const entry = findCommand(argv);
  const modules = new Map<CommandEntry, CommandModule>();
  if (entry !== undefined) modules.set(entry, await entry.load());
  let invocation: Invocation | undefined;
  const { program, leaves } = buildProgram(
    modules,
    (call) => {
      invocation = call;
    },
    {
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      outputError: () => undefined,
      getOutHasColors: () => world.stdout.colors,
      getErrHasColors: () => world.stderr.colors,
    },
  );
  const leaf: Command = (entry === undefined ? undefined : leaves.get(entry)) ?? program;
  const { argv: expanded, findings } = expandBooleanFlags(argv, leaf);
  if (findings.length > 0) throw new UsageErrors(findings);
  try {
    await program.parseAsync(expanded, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    // commander has printed the help of a group or of op-sdk itself, for want of a command.
    if (error.code === 'commander.help') throw new HelpShown();
    throw new UsageErrors([usageFinding(error, argv)]);
  }
  const output = invocation?.options['output'];
  if (output !== undefined && output !== 'text' && output !== 'json') {
    const message = `--output is ${JSON.stringify(output)}; it must be 'text' or 'json'`;
    throw new UsageErrors([{ code: 'cli/invalid-value', message, where: { flag: '--output' } }]);
  }
  return invocation;
}

class UsageErrors extends Error {
  readonly findings: readonly Finding[];
  constructor(findings: readonly Finding[]) {
    super('wrong usage');
    this.findings = findings;
  }
}

class HelpShown extends Error {}

function printOutcome(outcome: CommandOutcome, world: MainWorld, report: Reporter, json: boolean): void {
  const warnings = outcome.warnings ?? [];
  if (json) {
    const ok = (outcome.exitCode ?? 0) === 0;
    world.stdout.write(`${JSON.stringify({ ok, result: outcome.result, warnings, errors: [] }, null, 2)}\n`);
    return;
  }
  for (const warning of warnings) report.warn(warning);
  if (outcome.text !== undefined && outcome.text !== '') {
    world.stdout.write(outcome.text.endsWith('\n') ? outcome.text : `${outcome.text}\n`);
  }
  for (const [index, command] of (outcome.next ?? []).entries()) {
    report.info(`${index === 0 ? 'Next: ' : '      '}${report.paint('strong', command)}`);
  }
}

function printError(
  error: unknown,
  world: MainWorld,
  report: Reporter,
  mode: { json: boolean; verbose: boolean },
): number {
  if (error instanceof HelpShown) return exitCodes.usage;
  const findings =
    error instanceof UsageErrors ? error.findings : isOpSdkError(error) ? error.findings : undefined;
  if (findings === undefined) return printDefect(error, world);
  if (mode.json) {
    world.stdout.write(
      `${JSON.stringify({ ok: false, result: null, warnings: [], errors: findings }, null, 2)}\n`,
    );
  } else {
    for (const finding of findings) report.error(finding);
    if (mode.verbose) world.stderr.write(`${causes(error)}\n`);
  }
  return exitCodeOf(
    findings.map((finding) => finding.code).filter((code): code is ErrorCode => code in catalog),
  );
}

function printDefect(error: unknown, world: MainWorld): number {
  const { name, version } = packageInfo();
  world.stderr.write(`op-sdk itself failed; this is a defect, please report it with the lines below\n`);
  world.stderr.write(`${name} ${version}, node ${process.version}, ${process.platform}/${process.arch}\n`);
  world.stderr.write(`${causes(error)}\n`);
  return exitCodes.defect;
}

function causes(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by: ${causes(error.cause)}`;
}

function wantsJson(argv: readonly string[]): boolean {
  return argv.some(
    (argument, index) =>
      argument === '--output=json' ||
      argument === '-ojson' ||
      (argument === 'json' && /^(?:-o|--output)$/.test(argv[index - 1] ?? '')),
  );
}

function processWorld(signal: AbortSignal, argv: readonly string[]): MainWorld {
  const plain = argv.includes('--no-color');
  const sink = (stream: NodeJS.WriteStream): TextSink => ({
    write: (text) => void stream.write(text),
    colors: !plain && colorsAllowed(stream, process.env),
  });
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: sink(process.stdout),
    stderr: sink(process.stderr),
    terminal: process.stdin.isTTY && process.stderr.isTTY,
    signal,
  };
}
