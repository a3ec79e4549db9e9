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

/** Settings to run a bundled operator: the bundle, and the cluster on which the operator works. */
export interface RunOperatorOptions extends ClusterChoice {
  /** The folder of the project: where the operator runs. Absolute. */
  readonly projectDir: string;
  /** The bundle, relative to the project. Default: `dist/main.mjs`. */
  readonly bundle?: string;
  /** Flags of the operator. If a flag occurs several times, the last occurrence counts. */
  readonly flags: readonly string[];
  /** Called with the ports that were in use, and with those chosen instead. Default: not reported. */
  readonly report?: (message: string) => void;
  /** Abort this signal to end the operator gracefully. */
  readonly inspect?: Inspection | undefined;
  /** Aborted to end the operator in order. */
  readonly stop: AbortSignal;
  /** Time after which an operator that outlives op-sdk is killed, in milliseconds. Default: that of {@link supervise}. */
  readonly stdout?: number;
  /** Milliseconds until an operator that outlives op-sdk is killed. Default: that of {@link supervise}. */
  readonly grace?: number;
}

/**
 * Runs a bundled operator on this machine until it ends. It serves metrics over plain HTTP on port 8080, and probes on port 8081; if these
 * ports are in use, on free ones.
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

/** Command to run, with settings for its end. */
interface SuperviseOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the operator. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Abort this signal to end the operator gracefully, with SIGTERM. */
  readonly stop: AbortSignal;
  /** The file descriptor that its standard output goes to, such as 1 or 2; its standard error goes to 2. */
  readonly stdout: number;
  /**
   * Time after which a process that outlives op-sdk is killed, in milliseconds. Default: 40 s, the grace period of a scaffolded Deployment.
   */
  readonly grace?: number;
  /** Name of the process in messages. Default: the operator. */
  readonly what?: string;
}

const deploymentGrace = 40_000;

/**
 * Runs a process in a separate session until it ends. The process does not outlive op-sdk: if op-sdk is killed, or its terminal closes, the
 * process gets SIGTERM, and SIGKILL after `grace`.
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

/** Returns the exit code of a process as shells report it: if a signal ended the process, 128 plus the number of the signal. */
export function exitCodeOfProcess({ code, signal }: ProcessExit): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** The cluster that an operator works on. */
export interface ClusterChoice {
  /** A kubeconfig file, absolute. Default: what the environment says. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig. Default: its current-context. */
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The environment variables that select the operator's cluster. */
export interface ChosenCluster {
  readonly env: Readonly<Record<string, string>>;
  /** Removes the file that was written to select the cluster. */
  readonly remove: () => Promise<void>;
}

/**
 * Returns the environment variables that select the operator's cluster. An operator has no flag for a context. But if several kubeconfig
 * files are named, the first current-context takes precedence. Therefore a file that contains only a current-context is put in front. This
 * file contains no secret.
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

/** The arguments of Node that run a bundled operator on this machine. */
export function operatorArguments(options: {
  /** The bundle, relative to the project. */
  readonly bundle: string;
  readonly inspect?: Inspection | undefined;
  /** Flags for Node itself. Default: none. */
  readonly nodeFlags?: readonly string[] | undefined;
  /** The flags of {@link ListenAddresses}. */
  readonly addresses: readonly string[];
  /** The flags of the operator; the last occurrence of a flag counts. */
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
 * Compares the CustomResourceDefinitions on a cluster with those of the project, by applying the latter in a dry run. If the user may not
 * apply them, nothing is reported.
 *
 * @returns `cluster/crd-outdated` for each definition that differs
 * @throws OpSdkError with the server's refusals
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
