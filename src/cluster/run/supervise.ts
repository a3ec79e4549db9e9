import { OpSdkError } from '../../base/errors/index.ts';
import { Guardian, type GuardedProcess, type ProcessExit } from '../../base/process/guardian.ts';

/** Command to run, and how it ends. */
export interface SuperviseOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the operator. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted to end the operator in order, with SIGTERM. */
  readonly stop: AbortSignal;
  /** The file descriptor that its standard output goes to, such as 1 or 2; its standard error goes to 2. */
  readonly stdout: number;
  /** Milliseconds until an operator that outlives op-sdk is killed. Default: 40 s, the grace of a scaffolded Deployment. */
  readonly grace?: number;
  /** Name for messages. Default: the operator. */
  readonly what?: string;
}

const deploymentGrace = 40_000;

/**
 * Runs a process in a session of its own until it ends. It does not outlive us: when we are killed, or our terminal closes,
 * it gets SIGTERM, and SIGKILL when its grace is over.
 *
 * @throws OpSdkError `cluster/operator-not-started`
 */
export async function supervise(options: SuperviseOptions): Promise<ProcessExit> {
  const { command, args, cwd, env, stop, stdout, grace = deploymentGrace, what } = options;
  stop.throwIfAborted();
  const guardian = new Guardian({ output: { stdout, stderr: 2 } });
  let operator: GuardedProcess | undefined;
  const onStop = (): void => operator?.kill('SIGTERM');
  stop.addEventListener('abort', onStop, { once: true });
  try {
    operator = await guardian.spawn({ command, args, cwd, env, grace });
    if (stop.aborted) onStop();
    const end = await operator.exited;
    if (guardian.lost) throw new Error('its supervising process was killed');
    return end;
  } catch (error) {
    throw notStarted(command, error, what);
  } finally {
    stop.removeEventListener('abort', onStop);
    await guardian.stop();
  }
}

/** The error for an operator that the system, or its supervisor, did not start. */
export function notStarted(command: string, cause: unknown, what = 'the operator'): OpSdkError {
  return new OpSdkError(
    {
      code: 'cluster/operator-not-started',
      message: `${what} cannot be run: ${cause instanceof Error ? cause.message : String(cause)}`,
      where: { command },
      fix: ['run it again'],
    },
    { cause },
  );
}
