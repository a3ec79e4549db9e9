import { spawn } from 'node:child_process';
import { OpSdkError } from '../../errors/index.ts';
import { supervisorProgram, type SupervisorReport, type SupervisorRequest } from './supervisor-program.ts';

/** What to run, and how it ends. */
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
}

/** How a process ended; exactly one of the two is set. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const deploymentGrace = 40_000;

// Bundlers that keep function names wrap functions in a helper of this name.
const prelude = 'const __name = (target) => target;';

/**
 * Runs a process in a session of its own until it ends. It does not outlive us: when we are killed, or our terminal closes,
 * it is told to end (SIGTERM), and killed when its grace is over.
 *
 * @throws OpSdkError `cluster/operator-not-started`
 */
export async function supervise(options: SuperviseOptions): Promise<ProcessEnd> {
  const { command, args, cwd, env, stop, stdout, grace = deploymentGrace } = options;
  stop.throwIfAborted();
  // Loaders and inspectors of ours are no business of the supervisor.
  const { NODE_OPTIONS: _loaders, ...own } = process.env;
  const supervisor = spawn(
    process.execPath,
    ['--input-type=commonjs', '--eval', `${prelude}(${supervisorProgram.toString()})()`],
    {
      stdio: ['ignore', stdout, 2, 'ipc'],
      // A session of its own: Ctrl-C in the terminal reaches us alone, and the operator is signalled once, not twice.
      detached: true,
      windowsHide: true,
      env: own,
    },
  );
  const send = (request: SupervisorRequest): void => {
    // It fails when the supervisor has ended, which is told by its exit.
    if (supervisor.connected) supervisor.send(request, () => undefined);
  };
  const onStop = (): void => send({ type: 'signal', signal: 'SIGTERM' });
  stop.addEventListener('abort', onStop, { once: true });
  const gone = new Promise<void>((resolve) => {
    supervisor.once('error', () => resolve()).once('exit', () => resolve());
  });
  let operator: number | undefined;
  try {
    return await new Promise<ProcessEnd>((resolve, reject) => {
      supervisor.on('message', (report: SupervisorReport) => {
        if (report.type === 'exited') {
          operator = undefined;
          resolve({ code: report.code, signal: report.signal });
        } else if (report.type === 'failed') reject(notStarted(command, report.message));
        else operator = report.pid;
      });
      supervisor.on('error', (error) => reject(notStarted(command, error.message)));
      // Comes after all that the supervisor has reported, unlike its exit.
      supervisor.on('disconnect', () => {
        // Only if somebody killed the supervisor is this news; its operator must not stay.
        if (operator !== undefined) killQuietly(operator);
        reject(notStarted(command, 'the process that looks after it was killed'));
      });
      send({
        type: 'start',
        command,
        args,
        cwd,
        env: Object.fromEntries(
          Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
        ),
        grace,
      });
    });
  } finally {
    stop.removeEventListener('abort', onStop);
    await gone;
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function notStarted(command: string, why: string): OpSdkError {
  return new OpSdkError({
    code: 'cluster/operator-not-started',
    message: `the operator cannot be run: ${why}`,
    where: { command },
    fix: ['run it again'],
  });
}
