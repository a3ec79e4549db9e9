import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject, Resource } from '../../../src/sdk/api/index.ts';
import { PersistentVolume, PersistentVolumeClaim } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { StorageClass } from '../../../src/sdk/k8s/generated/storage/v1.ts';
import { createClient, loadCluster } from '../../../src/sdk/kube/index.ts';
import { systemClock } from '../../../src/sdk/net/index.ts';
import { startMirror, type Mirror, type MirrorChange } from '../../../src/testing/node/mirror.ts';
import { createDefaultClass, Storage, type StorageDriver } from '../../../src/testing/node/storage.ts';

/**
 * Starts the provisioner of the cluster's default StorageClass. Each volume is a folder that belongs to root, on the node that the scheduler
 * has selected: a Pod that runs as another user can write there by its `fsGroup`, as on a disk of a cloud. It goes with its
 * PersistentVolume.
 * @param folder in which the volumes are
 * @returns a function that stops it
 */
export async function startVolumes(kubeconfig: string, folder: string): Promise<() => Promise<void>> {
  const cluster = await loadCluster({ kubeconfig, env: {} });
  const client = createClient({ cluster, fieldManager: 'bed-volumes', onWarning: () => undefined });
  const abort = new AbortController();
  const driver: StorageDriver = {
    provisioner: 'op-sdk.dev/bed-volumes',
    volumeSource(volume, node) {
      const path = join(folder, volume);
      mkdirSync(path, { recursive: true, mode: 0o755 });
      const onNode = { key: 'kubernetes.io/hostname', operator: 'In' as const, values: [node ?? ''] };
      return {
        local: { path },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [onNode] }] } },
      };
    },
  };
  // Changes that come before everything is there are looked at then.
  let settle = (): void => undefined;
  const report = (error: unknown): void => console.error('volumes of the bed:', error);
  const start = <T extends KubeObject>(
    resource: Resource<T>,
    onGone: (object: T) => void = () => undefined,
  ): Promise<Mirror<T>> =>
    startMirror({
      ...{ connection: client.connection, resource, signal: abort.signal, onDefect: report },
      onChange({ before, after }: MirrorChange<T>) {
        if (before !== undefined && after === undefined) onGone(before);
        settle();
      },
    });
  await createDefaultClass(client, driver);
  const [claims, volumes, classes] = await Promise.all([
    start(PersistentVolumeClaim),
    start(PersistentVolume, ({ spec }) => {
      const path = spec?.local?.path;
      if (path?.startsWith(`${folder}/`) === true) rmSync(path, { recursive: true, force: true });
    }),
    start(StorageClass),
  ]);
  const storage = new Storage({
    ...{ client, driver, claims, volumes, classes },
    ...{ clock: systemClock, signal: abort.signal, onError: report },
  });
  settle = () => storage.settle();
  settle();
  return async () => {
    abort.abort();
    await client.close();
  };
}
