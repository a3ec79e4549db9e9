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
  /** The folder of the project: where the operator runs. Absolute. */
  readonly projectDir: string;
  /** The bundle, relative to the project. */
  readonly bundle: string;
  readonly flags: readonly string[];
  /** Default: no debugger may attach. */
  readonly inspect?: Inspection | undefined;
  /** Called with the ports that were in use, and with those chosen instead. */
  readonly report: (message: string) => void;
  /** The file descriptor for standard output. Its standard error goes to 2. */
  readonly stdout: number;
  /** Milliseconds until an operator that outlives op-sdk is killed. */
  readonly grace: number;
  /** Flags for Node itself. Default: none. */
  readonly nodeFlags?: readonly string[];
  /** Settings that are determined at each start: environment variables, and flags, which precede `flags`. */
  readonly settings?: () =>
    { readonly flags: readonly string[]; readonly env: Readonly<Record<string, string>> } | undefined;
}

/** Starts the same operator repeatedly. No operator outlives op-sdk, however op-sdk ends. */
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

  /** `close` it in the end. @throws OpSdkError `cluster/cannot-listen` for an address in the flags */
  static async open(options: OperatorProcessesOptions): Promise<OperatorProcesses> {
    const addresses = new ListenAddresses(options.flags, options.report);
    await addresses.check();
    return new OperatorProcesses(options, await chooseContext(options), addresses);
  }

  /** @throws OpSdkError `cluster/operator-not-started`, `cluster/cannot-listen` */
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

  /** Ends what still runs. */
  async close(): Promise<void> {
    await this.#guardian.stop();
    await this.#cluster.remove();
  }
}
