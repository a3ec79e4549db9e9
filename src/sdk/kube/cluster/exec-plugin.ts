import { createSecureContext } from 'node:tls';
import { isatty } from 'node:tty';
import { spawn, type ChildProcess } from 'node:child_process';
import { JSON_SCHEMA, load } from 'js-yaml';
import { OpSdkError } from '../../../base/errors/index.ts';
import { secrets, type SharedRun } from '../../net/index.ts';
import { plainText, type ExecPlugin } from './exec-config.ts';
import { isEntry, type Entry } from './kubeconfig-file.ts';
import type { CredentialSource, GivenCredentials } from './plugin-credentials.ts';

/** Environment in which a credential plugin runs. */
interface ExecPluginWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Returns the description of the cluster that is passed to plugins. Called only for plugins with `provideClusterInfo`. Source: client-go
   * `pkg/apis/clientauthentication/v1`.
   */
  readonly clusterInfo: (signal?: AbortSignal) => Promise<Entry>;
  /** Returns true if stdin is a terminal. Default: asks the system. */
  readonly isTerminal?: () => boolean;
}

/** Time limit for a non-interactive plugin, in milliseconds. */
const pluginLimit = 60_000;

/**
 * Creates a credential source from a credential plugin. Source: client-go `plugin/pkg/client/auth/exec/exec.go`; KEP-541.
 *
 * @param limit time limit for a non-interactive plugin, in milliseconds
 */
export function execPlugin(
  plugin: ExecPlugin,
  world: ExecPluginWorld,
  limit: number = pluginLimit,
): CredentialSource {
  const isTerminal = world.isTerminal ?? (() => isatty(0));
  let stderr = '';
  return {
    subject: `credential plugin ${plainText(plugin.command)} of user ${plainText(plugin.user.name)}`,
    limit: () => (plugin.interactiveMode !== 'Never' && isTerminal() ? undefined : limit),
    late: (milliseconds) =>
      failed(plugin, `did not answer within ${milliseconds / 1000} s, and was ended`, stderr, [
        'run the plugin by hand to see what it waits for',
        'or let it log in beforehand: a plugin that asks nobody must answer from what it has',
      ]),
    ask(run) {
      stderr = '';
      return runExecPlugin(plugin, { ...world, isTerminal }, run, (text) => (stderr = text));
    },
  };
}

/** Runs a credential plugin. @throws OpSdkError `kube/credentials-failed` with the stderr of the plugin */
async function runExecPlugin(
  plugin: ExecPlugin,
  world: ExecPluginWorld & { readonly isTerminal: () => boolean },
  run: SharedRun,
  onStderr: (text: string) => void,
): Promise<GivenCredentials> {
  const interactive = isInteractive(plugin, world.isTerminal);
  const info = {
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion,
    spec: {
      ...(plugin.provideClusterInfo ? { cluster: await world.clusterInfo(run.signal) } : {}),
      interactive,
    },
  };
  const program = {
    ...{ command: plugin.command, args: plugin.args, interactive, onStderr },
    env: { ...world.env, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  };
  const { stdout, stderr, failure } = await runProgram(program, run).catch((error: unknown) => {
    throw notStarted(plugin, error as NodeJS.ErrnoException);
  });
  const answer = parseAnswer(stdout);
  const status = isEntry(answer) && isEntry(answer['status']) ? answer['status'] : undefined;
  // Registers the credentials as secrets even if the plugin fails later, because its stderr may quote them.
  for (const field of ['token', 'clientKeyData'])
    if (typeof status?.[field] === 'string') secrets.hide(status[field]);
  if (failure !== undefined) throw failed(plugin, failure, stderr);
  return readStatus(plugin, answer, status, stderr);
}

function isInteractive(plugin: ExecPlugin, isTerminal: () => boolean): boolean {
  if (plugin.interactiveMode === 'Never') return false;
  const terminal = isTerminal();
  if (plugin.interactiveMode === 'Always' && !terminal)
    throw failed(
      plugin,
      'asks questions (interactiveMode: Always), but standard input is not a terminal',
      '',
      [
        'run the command in a terminal',
        'or let the plugin log in beforehand, and use interactiveMode: IfAvailable if it can work without questions',
      ],
    );
  return terminal;
}

function parseAnswer(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    // The output is parsed as YAML, because client-go's decoder also accepts YAML.
    try {
      return load(stdout, { schema: JSON_SCHEMA });
    } catch {
      return undefined;
    }
  }
}

function readStatus(
  plugin: ExecPlugin,
  answer: unknown,
  status: Entry | undefined,
  stderr: string,
): GivenCredentials {
  const refuse = (message: string): OpSdkError => failed(plugin, message, stderr);
  // The message does not quote the output of the plugin, because the output may contain a credential.
  if (!isEntry(answer) || answer['kind'] !== 'ExecCredential')
    throw refuse('did not write an ExecCredential to stdout');
  if (answer['apiVersion'] !== plugin.apiVersion)
    throw refuse(
      `gave an ExecCredential of ${JSON.stringify(answer['apiVersion'] ?? null)}, expected ${plugin.apiVersion}`,
    );
  if (status === undefined) throw refuse('gave an ExecCredential without a status');
  const text = (field: string): string => {
    const value = status[field] ?? '';
    if (typeof value !== 'string') throw refuse(`status.${field}: expected a string, got ${typeof value}`);
    return value;
  };
  const [token, cert, key] = [text('token'), text('clientCertificateData'), text('clientKeyData')];
  if (token === '' && cert === '' && key === '')
    throw refuse('gave neither a token nor a certificate with its key');
  if ((cert === '') !== (key === ''))
    throw refuse(`gave a ${cert === '' ? 'key without a certificate' : 'certificate without a key'}`);
  if (cert !== '') checkKeyPair(cert, key, refuse);
  const expires = text('expirationTimestamp');
  const end = expires === '' ? undefined : Date.parse(expires);
  if (end !== undefined && Number.isNaN(end))
    throw refuse(`status.expirationTimestamp: expected an RFC 3339 time, got ${JSON.stringify(expires)}`);
  return {
    ...(token === '' ? {} : { token }),
    ...(cert === '' ? {} : { cert, key }),
    ...(end === undefined ? {} : { expires: end }),
  };
}

function checkKeyPair(cert: string, key: string, refuse: (message: string) => OpSdkError): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw refuse(`gave a certificate and a key that do not work together: ${(error as Error).message}`);
  }
}

function notStarted(plugin: ExecPlugin, error: NodeJS.ErrnoException): OpSdkError {
  const why = error.code === 'ENOENT' ? 'was not found' : `could not be started: ${error.message}`;
  return failed(plugin, why, '', [
    ...(plugin.installHint === '' ? [] : [plugin.installHint]),
    `install ${plugin.command}, or correct users[].user.exec.command`,
  ]);
}

/** Maximum number of characters of stderr in a message. The end of stderr is kept, because errors are usually reported last. */
const longestStderr = 2000;

function failed(plugin: ExecPlugin, what: string, stderr: string, fix: readonly string[] = []): OpSdkError {
  const { user, command } = plugin;
  const said = plainText(secrets.redact(stderr)).trim().slice(-longestStderr);
  const message = `the credential plugin ${command} of user ${user.name} ${what}`;
  return new OpSdkError({
    code: 'kube/credentials-failed',
    message: said === '' ? message : `${message}\n${said}`,
    where: { file: user.file },
    ...(fix.length === 0 ? {} : { fix }),
  });
}

/**
 * Milliseconds from SIGTERM until a program is killed. Also the milliseconds after the end of a program until its output is no longer
 * awaited, because another process may hold the output open.
 */
const lastMoment = 1_000;
/** Maximum size of stdout in bytes; the credentials that a plugin writes are far shorter. */
const maxStdout = 4 * 1024 * 1024;
/** Number of bytes at the end of stderr that are kept. The end is kept, because errors are usually reported last. */
const keptStderr = 16 * 1024;

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** If true, the program inherits stdin of the terminal, and the stderr of the program is shown. */
  readonly interactive: boolean;
  /** Called whenever the program writes to stderr, with the stderr text kept so far. */
  readonly onStderr?: (text: string) => void;
}

interface ProgramEnd {
  readonly stdout: string;
  readonly stderr: string;
  /** Description of the failure, such as `failed with exit code 1`; undefined if the program succeeded. */
  readonly failure: string | undefined;
}

/**
 * Runs a program to its end. When the run is aborted, the program and its child processes get SIGTERM, and SIGKILL one second later. When
 * this process exits, the program and its child processes get SIGKILL. Resolves at the end of the program, even if another process still
 * holds the output of the program open.
 *
 * @throws the error of Node if the program cannot be started
 */
function runProgram(program: Program, run: SharedRun): Promise<ProgramEnd> {
  const { command, args, env, interactive } = program;
  // A separate process group allows killing the program with all its child processes. An interactive program must stay in the process group
  // of the terminal.
  const isGroup = !interactive && process.platform !== 'win32';
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...env },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
      detached: isGroup,
      windowsHide: true,
    });
    const kill = (signal: NodeJS.Signals): void => sendTo(child, isGroup, signal);
    const release = endWithProcess(() => kill(interactive ? 'SIGTERM' : 'SIGKILL'));
    const stdout: Buffer[] = [];
    let stdoutSize = 0;
    let stderr = Buffer.alloc(0);
    let failure: string | undefined;
    let late: NodeJS.Timeout | undefined;

    const end = (): void => {
      kill('SIGTERM');
      setTimeout(() => kill('SIGKILL'), lastMoment).unref();
    };
    const settle = (settled: () => void): void => {
      clearTimeout(late);
      release();
      run.signal.removeEventListener('abort', end);
      for (const pipe of [child.stdout, child.stderr]) pipe?.destroy();
      settled();
    };
    const done = (): void =>
      settle(() =>
        resolve({
          stdout: Buffer.concat(stdout).toString('utf8'),
          stderr: stderr.toString('utf8'),
          failure,
        }),
      );

    holdWhileWaited(child, run);
    child.stdout?.on('data', (chunk: Buffer) => {
      stdoutSize += chunk.length;
      if (stdoutSize <= maxStdout) stdout.push(chunk);
      else if (failure === undefined) {
        failure = `wrote more than ${maxStdout / 1024 / 1024} MiB to stdout`;
        end();
      }
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-keptStderr);
      program.onStderr?.(stderr.toString('utf8'));
      // The stderr of an interactive program is shown, because it contains questions and login addresses for the user at the terminal.
      if (interactive) process.stderr.write(chunk);
    });
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', (code, signal) => {
      if (code === null) failure ??= `was ended by ${signal ?? 'a signal'}`;
      else if (code !== 0) failure ??= `failed with exit code ${code}`;
      late = setTimeout(done, lastMoment);
    });
    child.once('close', done);
    run.signal.addEventListener('abort', end, { once: true });
    if (run.signal.aborted) end();
  });
}

function holdWhileWaited(child: ChildProcess, run: SharedRun): void {
  run.hold(child);
  for (const pipe of [child.stdout, child.stderr]) if (isHolder(pipe)) run.hold(pipe);
}

/**
 * Returns true if the pipe of a child process has `ref` and `unref`. These pipes are sockets, although Node's types do not declare this.
 */
function isHolder(pipe: unknown): pipe is { ref(): unknown; unref(): unknown } {
  return typeof pipe === 'object' && pipe !== null && 'ref' in pipe && 'unref' in pipe;
}

function sendTo(child: ChildProcess, isGroup: boolean, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (isGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // Nothing of it is left, or it belongs to somebody else by now.
  }
}

const deadly = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const running = new Set<() => void>();

function killAll(): void {
  for (const kill of running) kill();
}

/**
 * Handles a deadly signal for which no other listener is registered. Kills the started programs before this process ends, because Node does
 * not run `exit` listeners on signals.
 */
function onDeadly(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  for (const each of deadly) process.off(each, onDeadly);
  process.kill(process.pid, signal);
}

/** Calls `kill` when this process ends. @returns a function that removes the handler */
function endWithProcess(kill: () => void): () => void {
  if (running.size === 0) {
    process.on('exit', killAll);
    for (const signal of deadly) process.on(signal, onDeadly);
  }
  running.add(kill);
  return () => {
    if (!running.delete(kill) || running.size > 0) return;
    process.off('exit', killAll);
    for (const signal of deadly) process.off(signal, onDeadly);
  };
}
