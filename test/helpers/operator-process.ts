import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../scripts/lib/free-port.mjs';

/** A bundled operator, run as its own process. */
export interface OperatorProcess extends AsyncDisposable {
  readonly process: ChildProcess;
  /** `http://127.0.0.1:<port>` of the probes. */
  readonly health: string;
  /** `http://127.0.0.1:<port>` of the metrics. */
  readonly metrics: string;
  /** All that it has written so far. */
  output(): string;
  /** The log lines that are JSON, parsed. */
  log(): Record<string, unknown>[];
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts `node dist/main.mjs` of a project. Does not wait until it is ready.
 *
 * @param env beside that of this process
 * @param runtime the command that runs JavaScript, in place of `node`
 */
export async function startOperator(
  project: string,
  kubeconfig: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  [runtime, ...runtimeArgs]: readonly [string, ...string[]] = [process.execPath],
): Promise<OperatorProcess> {
  const [healthPort, metricsPort] = [await freePort(), await freePort()];
  const args = [
    ...runtimeArgs,
    'dist/main.mjs',
    `--kubeconfig=${kubeconfig}`,
    `--health-probe-bind-address=127.0.0.1:${healthPort}`,
    `--metrics-bind-address=127.0.0.1:${metricsPort}`,
    '--metrics-secure=false',
    ...flags,
  ];
  const child = spawn(runtime, args, {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  const stop = async (): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    return (await ended)[0];
  };
  return {
    process: child,
    health: `http://127.0.0.1:${healthPort}`,
    metrics: `http://127.0.0.1:${metricsPort}`,
    output: () => text,
    log: () =>
      text
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** The status of a GET; undefined while nobody listens. */
export async function statusOf(url: string): Promise<number | undefined> {
  return fetch(url).then(
    (answer) => answer.status,
    () => undefined,
  );
}
