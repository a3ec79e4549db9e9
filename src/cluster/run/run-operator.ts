import { chooseContext, type ClusterChoice } from './choose-context.ts';
import { exitCodeOfProcess } from './exit-code.ts';
import { ListenAddresses } from './listen-addresses.ts';
import { operatorArguments, type Inspection } from './operator-arguments.ts';
import { supervise } from './supervise.ts';

/** A bundled operator, and the cluster that it is to work on. */
export interface RunOperatorOptions extends ClusterChoice {
  /** The folder of the project: where the operator runs. Absolute. */
  readonly projectDir: string;
  /** The bundle, relative to the project. Default: `dist/main.mjs`. */
  readonly bundle?: string;
  /** The flags of the operator; those that are said twice count the last time. */
  readonly flags: readonly string[];
  /** Learns of ports that were taken, and of those that were chosen for them. Default: nobody does. */
  readonly report?: (message: string) => void;
  /** Default: no debugger may attach. */
  readonly inspect?: Inspection | undefined;
  /** Aborted to end the operator in order. */
  readonly stop: AbortSignal;
  /** The file descriptor for the operator's standard output. Default: 1. */
  readonly stdout?: number;
  /** Milliseconds that an operator which outlives op-sdk is given. Default: that of {@link supervise}. */
  readonly grace?: number;
}

/**
 * Runs a bundled operator on this machine until it ends, with metrics on port 8080, over plain HTTP, and probes on port 8081; on free ports
 * if these are taken.
 *
 * @returns its exit code; 128 and the signal's number if a signal ended it, as shells say it
 * @throws OpSdkError `cluster/operator-not-started`, `cluster/cannot-listen`
 */
export async function runOperator(options: RunOperatorOptions): Promise<number> {
  const { projectDir, bundle = 'dist/main.mjs', flags, inspect, env, stop, stdout = 1, grace } = options;
  const addresses = await new ListenAddresses(flags, options.report).choose();
  const choice = await chooseContext(options);
  try {
    const end = await supervise({
      command: process.execPath,
      args: operatorArguments({ bundle, inspect, addresses, flags }),
      cwd: projectDir,
      env: { ...env, ...choice.env },
      stop,
      stdout,
      ...(grace === undefined ? {} : { grace }),
    });
    return exitCodeOfProcess(end);
  } finally {
    await choice.remove();
  }
}
