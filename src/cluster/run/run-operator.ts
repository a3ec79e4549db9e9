import { constants, homedir, tmpdir } from 'node:os';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { OpSdkError, isOpSdkError, type Finding } from '../../base/errors/index.ts';
import { Guardian, type GuardedProcess, type ProcessExit } from '../../base/process/guardian.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { applyObjects } from '../apply/apply-objects.ts';
import { installableCrds } from '../apply/installable-crds.ts';
import { isCrd } from '../objects/cluster-object.ts';
import { ListenAddresses } from './listen-addresses.ts';

/** Settings for running a bundled operator. They select the bundle, and the cluster on which the operator works. */
export interface RunOperatorOptions extends ClusterChoice {
  /** Absolute path of the project's folder, which is the working directory of the operator. */
  readonly projectDir: string;
  /** The bundle, relative to the project. Default: `dist/main.mjs`. */
  readonly bundle?: string;
  /** Command-line flags for the operator. If a flag occurs several times, the last occurrence takes precedence. */
  readonly flags: readonly string[];
  /** Called with a message about default ports that were in use, and the ports that replace them. Default: the ports are not reported. */
  readonly report?: (message: string) => void;
  /** Settings for a debugger. Default: the operator runs without a debugger. */
  readonly inspect?: Inspection | undefined;
  /** Abort this signal to end the operator gracefully. */
  readonly stop: AbortSignal;
  /** File descriptor to which the operator's standard output goes. Default: 1. */
  readonly stdout?: number;
  /**
   * Time after which the operator is killed if it still runs after op-sdk has ended, in milliseconds. Default: that of {@link supervise}.
   */
  readonly grace?: number;
}

/**
 * Runs a bundled operator on this machine until it ends. The operator serves metrics over plain HTTP on port 8080, and probes on port 8081.
 * If one of these ports is in use, a free port replaces it.
 *
 * @returns the exit code of the operator; if a signal ended it, 128 plus the number of the signal, as in shells
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

/** Command to run as a supervised process, and settings for ending the process. */
interface SuperviseOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Complete environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Abort this signal to end the operator gracefully, with SIGTERM. */
  readonly stop: AbortSignal;
  /** File descriptor to which the standard output of the process goes, such as 1 or 2. The standard error of the process goes to 2. */
  readonly stdout: number;
  /**
   * Time after which the process is killed if it still runs after op-sdk has ended, in milliseconds. Default: 40 s, the grace period of a
   * scaffolded Deployment.
   */
  readonly grace?: number;
  /** Name of the process in messages. Default: `the operator`. */
  readonly what?: string;
}

const deploymentGrace = 40_000;

/**
 * Runs a process in a separate session until it ends. If op-sdk is killed, or its terminal closes, the process gets SIGTERM, and SIGKILL
 * after `grace`. Therefore the process does not run much longer than op-sdk.
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

/** Returns the error for an operator that the operating system, or the supervising process, could not start. */
export function notStarted(command: string, cause: unknown, what = 'the operator'): OpSdkError {
  return new OpSdkError(
    {
      code: 'cluster/operator-not-started',
      message: `${what} cannot be run: ${cause instanceof Error ? cause.message : String(cause)}`,
      where: { command },
      fix: ['run the command again'],
    },
    { cause },
  );
}

/** Returns the exit code of a process as shells report it: if a signal ended the process, 128 plus the number of the signal. */
export function exitCodeOfProcess({ code, signal }: ProcessExit): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Selection of the cluster that an operator works on. */
export interface ClusterChoice {
  /** Absolute path of a kubeconfig file. Default: the file that environment variables select. */
  readonly kubeconfig?: string | undefined;
  /** Name of a context of the kubeconfig. Default: the current-context of the kubeconfig. */
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Environment variables that select the operator's cluster, and the cleanup for them. */
export interface ChosenCluster {
  readonly env: Readonly<Record<string, string>>;
  /** Removes the temporary file that was written to select the cluster. */
  readonly remove: () => Promise<void>;
}

/**
 * Returns the environment variables that select the operator's cluster. An operator has no flag for a context. However, if the environment
 * names several kubeconfig files, the first current-context takes precedence. Therefore a file that contains only a current-context is
 * written and named first. This file contains no secret.
 */
export async function chooseContext({ kubeconfig, context, env }: ClusterChoice): Promise<ChosenCluster> {
  const nothing = (): Promise<void> => Promise.resolve();
  if (context === undefined)
    return { env: kubeconfig === undefined ? {} : { KUBECONFIG: kubeconfig }, remove: nothing };
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-run-'));
  const file = join(folder, 'context');
  await writeFile(file, `${JSON.stringify({ 'current-context': context })}\n`);
  const fromEnvironment = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const home = join(env['HOME'] ?? homedir(), '.kube', 'config');
  const files =
    kubeconfig !== undefined ? [kubeconfig] : fromEnvironment.length > 0 ? fromEnvironment : [home];
  return {
    env: { KUBECONFIG: [file, ...files].join(delimiter) },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Settings for a debugger that attaches to the operator. */
export interface Inspection {
  /** Address for debuggers: `[host:]port`. Default: Node's, `127.0.0.1:9229`. */
  readonly address?: string | undefined;
  /** If true, the operator waits for a debugger before it runs its first line. */
  readonly wait: boolean;
}

/** Returns the command-line arguments for Node that run a bundled operator on this machine. */
export function operatorArguments(options: {
  /** Path of the bundle, relative to the project. */
  readonly bundle: string;
  readonly inspect?: Inspection | undefined;
  /** Flags for Node itself. Default: none. */
  readonly nodeFlags?: readonly string[] | undefined;
  /** Flags that {@link ListenAddresses} has chosen. */
  readonly addresses: readonly string[];
  /** Flags of the user for the operator. If a flag occurs several times, the last occurrence takes precedence. */
  readonly flags: readonly string[];
}): readonly string[] {
  const { bundle, inspect, nodeFlags = [], addresses, flags } = options;
  return ['--enable-source-maps', ...nodeFlags, ...inspectFlags(inspect), bundle, ...addresses, ...flags];
}

function inspectFlags(inspect: Inspection | undefined): readonly string[] {
  if (inspect === undefined) return [];
  const flag = inspect.wait ? '--inspect-brk' : '--inspect';
  return [inspect.address === undefined ? flag : `${flag}=${inspect.address}`];
}

/**
 * Compares the CustomResourceDefinitions on a cluster with those of the project, by applying the project's definitions in a dry run. If the
 * user may not apply definitions, the result is empty.
 *
 * @returns `cluster/crd-outdated` for each definition that differs
 * @throws OpSdkError if the server refuses a definition
 */
export async function checkDefinitions(
  client: KubeClient,
  objects: readonly PlacedObject[],
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const definitions = objects.filter(({ object }) => isCrd(object));
  if (definitions.length === 0) return [];
  try {
    const installable = await installableCrds(client, definitions, signal);
    const applied = await applyObjects({ client, objects: installable.objects, dryRun: true, signal });
    const checked = applied.map(async ({ object: { key, where }, live }): Promise<readonly Finding[]> => {
      const found = await client.find(CustomResourceDefinition, key, { signal });
      const wanted = live as CustomResourceDefinition | undefined;
      if (found === undefined || wanted === undefined) return [];
      return isDeepStrictEqual(found.spec, wanted.spec) ? [] : [outdated(key.name, where)];
    });
    return (await Promise.all(checked)).flat();
  } catch (error) {
    if (isOpSdkError(error) && error.findings.every(({ code }) => code === 'cluster/forbidden')) return [];
    throw error;
  }
}

function outdated(name: string, where: Finding['where']): Finding {
  return {
    code: 'cluster/crd-outdated',
    message: `the CustomResourceDefinition ${name} on the cluster differs from that of the project`,
    ...(where === undefined ? {} : { where }),
    fix: ['run `op-sdk install`'],
  };
}
