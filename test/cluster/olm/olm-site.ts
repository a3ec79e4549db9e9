import { expect } from 'vitest';
import { loadCluster, createClient, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { allObjects } from '../../sessions/olm/all-objects.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';

/** A client of the administrator, for stand-ins. */
export async function bedClient({ kubeconfig }: ClusterBed): Promise<KubeClient> {
  const cluster = await loadCluster({ kubeconfig, env: {} });
  return createClient({ cluster, fieldManager: 'stand-in', onWarning: () => undefined });
}

/** Runs `op-sdk olm`, with the time that a busy machine needs. */
export function runOlm({ kubeconfig }: ClusterBed, argv: readonly string[]): Promise<CliRun> {
  return runCli(['olm', ...argv, '--kubeconfig', kubeconfig, '--timeout', '4m']);
}

/** Waits until nothing is there that was not there before; what others have left may go meanwhile. */
export async function expectNothingLeft(client: KubeClient, before: readonly string[]): Promise<void> {
  await eventually(
    async () => {
      const left = (await allObjects(client)).filter((object) => !before.includes(object));
      expect(left).toEqual([]);
    },
    { timeout: 150_000, interval: 500 },
  );
}

interface InstallResult {
  readonly result: {
    readonly objects: readonly { readonly action: string; readonly kind: string; readonly name: string }[];
  };
}

/** The objects that a run of `olm install -o json` has changed. */
export function changedBy({ stdout }: CliRun): readonly string[] {
  const { result } = JSON.parse(stdout) as InstallResult;
  return result.objects
    .filter(({ action }) => action !== 'unchanged')
    .map(({ action, kind, name }) => `${kind} ${name} ${action}`);
}
