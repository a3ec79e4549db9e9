import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Which cluster an operator is to work on. */
export interface ClusterChoice {
  /** A kubeconfig file, absolute. Default: what the environment says. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig. Default: its current-context. */
  readonly context?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The variables that lead an operator to its cluster. */
export interface ChosenCluster {
  readonly env: Readonly<Record<string, string>>;
  /** Removes what was written for it. */
  readonly remove: () => Promise<void>;
}

/**
 * The environment that leads the operator to the cluster. An operator has no flag for a context, but of several kubeconfig
 * files the first that names a current-context wins: one that says nothing else goes in front. It holds no secret.
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
