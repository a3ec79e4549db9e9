import { Guardian } from '../../base/process/guardian.ts';
import {
  notStarted,
  chooseContext,
  type ChosenCluster,
  type ClusterChoice,
  operatorArguments,
  type Inspection,
} from '../run/run-operator.ts';
import { ListenAddresses } from '../run/listen-addresses.ts';
import type { OperatorProcess } from './restarter.ts';

interface OperatorProcessesOptions extends ClusterChoice {
  /** Absolute path of the project's folder, which is the working directory of the operator. */
  readonly projectDir: string;
  /** Path of the bundled operator program, relative to the project. */
  readonly bundle: string;
  readonly flags: readonly string[];
  /** Debugger settings of the operator. Default: no debugger may attach. */
  readonly inspect?: Inspection | undefined;
  /** Called with a message that names the ports that were in use, and the ports chosen instead. */
  readonly report: (message: string) => void;
  /** File descriptor for the operator's standard output. The operator's standard error is written to file descriptor 2. */
  readonly stdout: number;
  /** Milliseconds after which an operator process that is still running when op-sdk has ended is killed. */
  readonly grace: number;
  /** Flags for Node itself, not for the operator. Default: none. */
  readonly nodeFlags?: readonly string[];
  /** Called at each start of the operator. Returns environment variables, and flags that are put before `flags`. */
  readonly settings?: () =>
    { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> } | undefined;
}

/** Starts the same operator repeatedly. When op-sdk ends, even if it is killed, the operator is ended too. */
export class OperatorProcesses {
  readonly #options: OperatorProcessesOptions;
  readonly #cluster: ChosenCluster;
  readonly #addresses: ListenAddresses;
  readonly #guardian: Guardian;

  private constructor(options: OperatorProcessesOptions, cluster: ChosenCluster, addresses: ListenAddresses) {
    this.#options = options;
    this.#cluster = cluster;
    this.#addresses = addresses;
    this.#guardian = new Guardian({ output: { stdout: options.stdout, stderr: 2 } });
  }

  /**
   * Opens an instance. Call `close` after the last use. @throws OpSdkError `cluster/cannot-listen` if the operator cannot listen at an
   * address in the flags
   */
  static async open(options: OperatorProcessesOptions): Promise<OperatorProcesses> {
    const addresses = new ListenAddresses(options.flags, options.report);
    await addresses.check();
    return new OperatorProcesses(options, await chooseContext(options), addresses);
  }

  /** Starts the operator. @throws OpSdkError `cluster/operator-not-started`, `cluster/cannot-listen` */
  async start(): Promise<OperatorProcess> {
    const { bundle, inspect, nodeFlags, flags, projectDir, env, grace } = this.#options;
    const more = this.#options.settings?.();
    const addresses = await this.#addresses.choose();
    const command = process.execPath;
    try {
      return await this.#guardian.spawn({
        command,
        args: operatorArguments({
          ...{ bundle, inspect, nodeFlags, addresses },
          flags: [...(more?.flags ?? []), ...flags],
        }),
        cwd: projectDir,
        env: { ...env, ...this.#cluster.env, ...more?.env },
        grace,
      });
    } catch (error) {
      throw notStarted(command, error);
    }
  }

  /** Ends all operator processes that are still running. */
  async close(): Promise<void> {
    await this.#guardian.stop();
    await this.#cluster.remove();
  }
}
