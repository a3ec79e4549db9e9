import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { supervise } from './supervise.ts';

/** A bundled operator, and the cluster that it is to work on. */
export interface RunOperatorOptions {
  /** The folder of the project: where the operator runs. Absolute. */
  readonly projectDir: string;
  /** The bundle, relative to the project. Default: `dist/main.mjs`. */
  readonly bundle?: string;
  /** The flags of the operator; those that are said twice count the last time. */
  readonly flags: readonly string[];
  /** A kubeconfig file, absolute. Default: what the environment says. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig. Default: its current-context. */
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted to end the operator in order. */
  readonly stop: AbortSignal;
  /** The file descriptor for the operator's standard output. Default: 1. */
  readonly stdout?: number;
  /** Milliseconds that an operator which outlives op-sdk is given. Default: that of {@link supervise}. */
  readonly grace?: number;
}

/**
 * Runs a bundled operator on this machine until it ends, with metrics on port 8080.
 *
 * @returns its exit code; 128 and the signal's number if a signal ended it, as shells say it
 * @throws OpSdkError `cluster/operator-not-started`
 */
export async function runOperator(options: RunOperatorOptions): Promise<number> {
  const { projectDir, bundle = 'dist/main.mjs', flags, env, stop, stdout = 1, grace } = options;
  const choice = await chooseContext(options);
  try {
    const end = await supervise({
      command: process.execPath,
      args: ['--enable-source-maps', bundle, '--metrics-bind-address=:8080', ...flags],
      cwd: projectDir,
      env: { ...env, ...choice.env },
      stop,
      stdout,
      ...(grace === undefined ? {} : { grace }),
    });
    return end.code ?? 128 + (end.signal === null ? 0 : constants.signals[end.signal]);
  } finally {
    await choice.remove();
  }
}

/**
 * The environment that leads the operator to the cluster. An operator has no flag for a context, but of several kubeconfig
 * files the first that names a current-context wins: one that says nothing else goes in front. It holds no secret.
 */
async function chooseContext({ kubeconfig, context, env }: RunOperatorOptions): Promise<{
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
}> {
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
