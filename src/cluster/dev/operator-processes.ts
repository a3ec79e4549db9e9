import { Guardian } from '../../process/guardian.ts';
import { chooseContext, type ChosenCluster, type ClusterChoice } from '../run/choose-context.ts';
import { operatorArguments, type Inspection } from '../run/operator-arguments.ts';
import { notStarted } from '../run/supervise.ts';
import type { OperatorProcess } from './restarter.ts';

export interface OperatorProcessesOptions extends ClusterChoice {
  /** The folder of the project: where the operator runs. Absolute. */
  readonly projectDir: string;
  /** The bundle, relative to the project. */
  readonly bundle: string;
  readonly flags: readonly string[];
  /** Default: no debugger may attach. */
  readonly inspect?: Inspection | undefined;
  /** The file descriptor for standard output. Its standard error goes to 2. */
  readonly stdout: number;
  /** Milliseconds that an operator which outlives op-sdk is given. */
  readonly grace: number;
  /** For Node itself. Default: none. */
  readonly nodeFlags?: readonly string[];
  /** What is known only when one is started: flags, which those above come after, and variables. */
  readonly settings?: () =>
    { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> } | undefined;
}

/** Starts the same operator again and again. None of them outlives us, however we end. */
export class OperatorProcesses {
  readonly #options: OperatorProcessesOptions;
  readonly #cluster: ChosenCluster;
  readonly #guardian: Guardian;

  private constructor(options: OperatorProcessesOptions, cluster: ChosenCluster) {
    this.#options = options;
    this.#cluster = cluster;
    this.#guardian = new Guardian({ output: { stdout: options.stdout, stderr: 2 } });
  }

  /** `close` it in the end. */
  static async open(options: OperatorProcessesOptions): Promise<OperatorProcesses> {
    return new OperatorProcesses(options, await chooseContext(options));
  }

  /** @throws OpSdkError `cluster/operator-not-started` */
  async start(): Promise<OperatorProcess> {
    const { bundle, inspect, nodeFlags, flags, projectDir, env, grace } = this.#options;
    const more = this.#options.settings?.();
    const command = process.execPath;
    try {
      return await this.#guardian.spawn({
        command,
        args: operatorArguments({ bundle, inspect, nodeFlags, flags: [...(more?.flags ?? []), ...flags] }),
        cwd: projectDir,
        env: { ...env, ...this.#cluster.env, ...more?.env },
        grace,
      });
    } catch (error) {
      throw notStarted(command, error);
    }
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    await this.#guardian.stop();
    await this.#cluster.remove();
  }
}
