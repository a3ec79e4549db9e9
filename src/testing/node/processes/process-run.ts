import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Guardian, GuardedProcess, ProcessExit } from '../../../base/process/guardian.ts';
import { logTail } from '../../../base/process/log-tail.ts';
import { spawnWithStreams, type StreamedProcess } from '../../../base/process/spawn-with-streams.ts';
import type { Clock } from '../../../sdk/net/index.ts';
import { toError } from '../../../sdk/net/index.ts';
import type { Container } from '../../../sdk/k8s/generated/core/v1.ts';
import { ContainerLog } from '../container-log.ts';
import type {
  ContainerCommand,
  ContainerExit,
  ContainerReports,
  ContainerRun,
  PodOnNode,
} from '../container-runtime.ts';
import { ContainerProbes } from './container-probes.ts';
import { runHandler, type HandlerTarget } from './run-handler.ts';

/** A process to start, with the data for its probes and hooks. */
export interface PreparedProcess {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** File that replaces the container's `terminationMessagePath`. */
  readonly messageFile: string;
  readonly translate: (text: string) => string;
}

interface ProcessRunOptions {
  readonly guardian: Pick<Guardian, 'spawn'>;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly place: PodOnNode;
  readonly container: Container;
  readonly reports: ContainerReports;
  /** Path of a file for the output. */
  readonly logFile: string;
  /** Folder for sockets, whose path must be short. */
  readonly socketFolder: string;
  /** Prepares the process. An error becomes the reason why the container cannot be started. */
  readonly prepare: () => Promise<PreparedProcess>;
}

/** Time between two looks at the output of a process, in milliseconds. */
const logInterval = 100;

/** Time limit of a hook after the start, in milliseconds. A kubelet has none, but a test must end. */
const longestHook = 600_000;

/** One run of a container as a process. */
export class ProcessRun implements ContainerRun {
  readonly log: ContainerLog;
  readonly probes: ContainerProbes;
  /** Resolves when the process has ended, or could not be started. */
  readonly ended: Promise<void>;
  readonly #options: ProcessRunOptions;
  readonly #stop = new AbortController();
  #process: GuardedProcess | undefined;
  #target: HandlerTarget | undefined;
  #prepared: PreparedProcess | undefined;
  /** Commands that run beside the process, and are ended when it ends. */
  readonly #beside = new Set<StreamedProcess>();
  #isStopping = false;
  #commands = 0;
  #cancelKill: () => void = () => undefined;

  constructor(options: ProcessRunOptions) {
    this.#options = options;
    const { container, clock, now, reports } = options;
    this.log = new ContainerLog(now);
    this.probes = new ContainerProbes({
      container,
      clock,
      changed: reports.probed,
      failed: (note) => reports.warning('Unhealthy', note),
      kill: (probe) => {
        if (this.#isStopping) return;
        reports.warning('Killing', `Container ${container.name} failed ${probe} probe, will be restarted`);
        this.stop(options.place.pod.spec?.terminationGracePeriodSeconds ?? 30);
      },
    });
    this.ended = this.#run().then(reports.exited, (error: unknown) => {
      this.#process?.kill('SIGKILL');
      reports.exited({ exitCode: 128, reason: 'StartError', message: toError(error).message });
    });
  }

  async exec(command: readonly string[]): Promise<ContainerCommand> {
    const { container, guardian, socketFolder } = this.#options;
    const notRunning = (): Error => new Error(`container ${container.name} is not running`);
    if (this.#prepared === undefined) throw notRunning();
    const { env, cwd, translate } = this.#prepared;
    const [file = '', ...args] = command.map(translate);
    const running = await spawnWithStreams(guardian, { command: file, args, env, cwd }, socketFolder).catch(
      (error: unknown) => {
        throw new Error(`error executing command in container: ${toError(error).message}`);
      },
    );
    if (this.#prepared === undefined) {
      running.kill('SIGKILL');
      throw notRunning();
    }
    this.#beside.add(running);
    void running.exited.then(() => this.#beside.delete(running));
    return running;
  }

  stop(gracePeriod: number): void {
    if (gracePeriod <= 0) {
      this.#stop.abort();
      this.#process?.kill('SIGKILL');
      return;
    }
    if (this.#isStopping) return;
    this.#isStopping = true;
    const { clock, container } = this.#options;
    this.#cancelKill = clock.after(gracePeriod * 1000, () => this.stop(0));
    const preStop = container.lifecycle?.preStop;
    const isReady =
      preStop === undefined || this.#target === undefined
        ? Promise.resolve()
        : runHandler(preStop, this.#target, gracePeriod * 1000);
    void isReady.then(() => {
      if (this.#process === undefined) this.#stop.abort();
      else this.#process.kill('SIGTERM');
    });
  }

  async #run(): Promise<ContainerExit> {
    const { guardian, container, place, logFile, prepare } = this.#options;
    const prepared = await prepare();
    const { file, args, env, cwd, translate } = prepared;
    // A Pod may be deleted while its volumes are made.
    if (this.#stop.signal.aborted) return { exitCode: 137 };
    const running = await guardian.spawn({ command: file, args, cwd, env, logFile });
    this.#process = running;
    if (this.#stop.signal.aborted) running.kill('SIGKILL');
    const output = await open(logFile, 'r');
    const stopReading = this.#readLog(output);
    this.#target = {
      ...{ container, address: place.podIP },
      execute: (command, timeout) => this.#execute(command.map(translate), { cwd, env }, timeout),
    };
    this.#prepared = prepared;
    if (await this.#hasStarted(this.#target)) this.probes.begin(this.#target);
    const exit = await running.exited;
    this.#prepared = undefined;
    for (const command of this.#beside) command.kill('SIGKILL');
    this.probes.end();
    this.#cancelKill();
    await stopReading();
    return this.#exitOf(exit, prepared.messageFile);
  }

  /** Runs the hook after the start. @returns false if it has failed: the container is stopped */
  async #hasStarted(target: HandlerTarget): Promise<boolean> {
    const { container, place, reports } = this.#options;
    const postStart = container.lifecycle?.postStart;
    if (postStart === undefined) return true;
    const reason = await Promise.race([
      runHandler(postStart, target, longestHook),
      this.#process?.exited.then(() => undefined),
    ]);
    if (reason === undefined) return true;
    reports.warning('FailedPostStartHook', `PostStartHook failed: ${reason}`);
    this.stop(place.pod.spec?.terminationGracePeriodSeconds ?? 30);
    return false;
  }

  /** Runs a command of a probe or a hook. If this process is killed, the guardian ends the command, too. */
  async #execute(
    [command = '', ...args]: readonly string[],
    place: Pick<PreparedProcess, 'cwd' | 'env'>,
    timeout: number,
  ): Promise<string | undefined> {
    const { guardian, clock, logFile } = this.#options;
    const output = `${logFile}.${++this.#commands}`;
    try {
      const running = await guardian.spawn({ command, args, ...place, logFile: output });
      const cancel = clock.after(timeout, () => running.kill('SIGKILL'));
      const { code } = await running.exited;
      cancel();
      return code === 0
        ? undefined
        : (await logTail(output)) || `the command ended with ${code ?? 'SIGKILL'}`;
    } catch (error) {
      return toError(error).message;
    } finally {
      await rm(output, { force: true });
    }
  }

  /** Adds the output to the log as it arrives. @returns a function that adds the rest, and stops reading */
  #readLog(file: FileHandle): () => Promise<void> {
    const decoder = new TextDecoder();
    let reading = Promise.resolve();
    const read = async (): Promise<void> => {
      const chunk = Buffer.alloc(64 * 1024);
      for (;;) {
        const { bytesRead } = await file.read(chunk);
        if (bytesRead === 0) return;
        this.log.append(decoder.decode(chunk.subarray(0, bytesRead), { stream: true }));
      }
    };
    let cancel = (): void => undefined;
    const loop = (): void => {
      reading = reading.then(read);
      cancel = this.#options.clock.after(logInterval, loop);
    };
    loop();
    return async () => {
      cancel();
      await reading.then(read);
      await file.close();
    };
  }

  async #exitOf({ code, signal }: ProcessExit, messageFile: string): Promise<ContainerExit> {
    const exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
    // Sources: kubelet, `getTerminationMessage`, `MaxContainerTerminationMessageLength`. The program may have deleted the file.
    const written = await readFile(messageFile).catch(() => Buffer.alloc(0));
    if (written.length > 0) return { exitCode, message: written.subarray(-4096).toString() };
    const { terminationMessagePolicy } = this.#options.container;
    if (exitCode === 0 || terminationMessagePolicy !== 'FallbackToLogsOnError') return { exitCode };
    // Source: kubelet, `MaxContainerTerminationMessageLogLength` and `MaxContainerTerminationMessageLogLines`.
    return { exitCode, message: this.log.read({ tailLines: 80 }).slice(-2048) };
  }
}
