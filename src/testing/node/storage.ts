import type { Clock } from '../../sdk/net/index.ts';
import { isAlreadyExists, type KubeClient } from '../../sdk/kube/index.ts';
import {
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeSpec,
  type Pod,
} from '../../sdk/k8s/generated/core/v1.ts';
import { StorageClass } from '../../sdk/k8s/generated/storage/v1.ts';
import { milliValue } from '../../base/util/quantity.ts';
import { isOutdated, type Mirror } from './mirror.ts';

/** Name of the default StorageClass. */
const defaultClass = 'standard';

/** Determines the sources of the volumes of a StorageClass. */
export interface StorageDriver {
  /** Name of the provisioner, as StorageClasses give it. */
  readonly provisioner: string;
  /**
   * Returns the source of a new volume, and the fields that depend on it. `node` is the node that the scheduler has selected, if the
   * StorageClass waits for the first Pod.
   */
  volumeSource(volume: string, node: string | undefined): Partial<PersistentVolumeSpec>;
}

/** Driver of nodes without disks. */
export const pretendedDriver: StorageDriver = {
  provisioner: 'op-sdk.dev/pretended-storage',
  // A kind of volume that need not be attached.
  volumeSource: (volume) => ({
    hostPath: { path: `/var/lib/pretended/${volume}`, type: 'DirectoryOrCreate' },
  }),
};

/** Annotation by which the scheduler says on which node the first Pod of a claim will run. */
const selectedNode = 'volume.kubernetes.io/selected-node';

interface StorageOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly driver: StorageDriver;
  readonly claims: Mirror<PersistentVolumeClaim>;
  readonly volumes: Mirror<PersistentVolume>;
  readonly classes: Mirror<StorageClass>;
  readonly onError: (error: unknown) => void;
  /** Ends repetitions of requests that fail. */
  readonly signal: AbortSignal;
}

/** Milliseconds after which a request that has failed is repeated. */
const retryDelay = 500;

/** Creates a default StorageClass, as clouds have, if the cluster has none. Volumes are created with the first Pod that uses them. */
export async function createDefaultClass(client: KubeClient, { provisioner }: StorageDriver): Promise<void> {
  await client.apply(StorageClass, {
    metadata: {
      name: defaultClass,
      annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    },
    provisioner,
    volumeBindingMode: 'WaitForFirstConsumer',
    reclaimPolicy: 'Delete',
    allowVolumeExpansion: true,
  });
}

/** Acts as the storage driver of a cloud: creates volumes for claims, enlarges them for claims that grow, and removes them. */
export class Storage {
  readonly #options: StorageOptions;

  constructor(options: StorageOptions) {
    this.#options = options;
  }

  /**
   * Returns the reason for which no node can run the Pod yet, in the words of kube-scheduler; undefined if its volumes are bound, or will
   * be once it has a node.
   */
  waitReason(pod: Pod): string | undefined {
    for (const name of claimNames(pod)) {
      const claim = this.#options.claims.find(pod.metadata.namespace, name);
      if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
      if (claim.metadata.deletionTimestamp !== undefined)
        return `persistentvolumeclaim "${name}" is being deleted`;
      if (claim.status?.phase === 'Lost')
        return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName}"`;
      if (!isBound(claim) && !this.#waitsForConsumer(claim))
        return 'pod has unbound immediate PersistentVolumeClaims';
    }
    return undefined;
  }

  /** Requests the volumes of a Pod on a node. @returns true if all are bound, so that the Pod can be bound, too */
  async bindOn(pod: Pod, node: string): Promise<boolean> {
    const { claims, client } = this.#options;
    const unbound = claimNames(pod)
      .map((name) => claims.find(pod.metadata.namespace, name))
      .filter((claim) => claim !== undefined && !isBound(claim));
    for (const claim of unbound) {
      if (claim === undefined || claim.metadata.annotations?.[selectedNode] === node) continue;
      await client.patch(PersistentVolumeClaim, claim.metadata, {
        type: 'merge',
        body: { metadata: { uid: claim.metadata.uid, annotations: { [selectedNode]: node } } },
      });
    }
    return unbound.length === 0;
  }

  /** Handles all claims and volumes that need a change. Call it after each change of one. */
  settle(): void {
    const { claims, volumes, onError, clock, signal } = this.#options;
    const quietly = (work: Promise<unknown>): void =>
      void work.catch((error: unknown) => {
        if (isOutdated(error) || isAlreadyExists(error) || signal.aborted) return;
        onError(error);
        // The API server may have been killed in the middle of the request. There may be no further change that would trigger the next try.
        clock.after(retryDelay, () => this.settle());
      });
    for (const claim of claims.all()) {
      if (this.#isDue(claim)) quietly(this.#provision(claim));
      else if (isBound(claim)) quietly(this.#resize(claim));
    }
    for (const volume of volumes.all()) {
      const isReleased = volume.status?.phase === 'Released' && this.#isOurs(volume);
      if (
        isReleased &&
        volume.spec?.persistentVolumeReclaimPolicy === 'Delete' &&
        volume.metadata.deletionTimestamp === undefined
      )
        quietly(this.#options.client.delete(PersistentVolume, volume.metadata));
    }
  }

  #classOf({ spec }: PersistentVolumeClaim): StorageClass | undefined {
    return this.#options.classes.find(undefined, spec?.storageClassName ?? '');
  }

  #waitsForConsumer(claim: PersistentVolumeClaim): boolean {
    return this.#classOf(claim)?.volumeBindingMode === 'WaitForFirstConsumer';
  }

  /** Returns true for a claim that waits for a volume of this driver. */
  #isDue(claim: PersistentVolumeClaim): boolean {
    const { spec, metadata, status } = claim;
    if (
      status?.phase !== 'Pending' ||
      spec?.volumeName !== undefined ||
      metadata.deletionTimestamp !== undefined
    )
      return false;
    if (
      this.#classOf(claim)?.provisioner !== this.#options.driver.provisioner ||
      this.#options.volumes.find(undefined, volumeName(claim))
    )
      return false;
    return !this.#waitsForConsumer(claim) || metadata.annotations?.[selectedNode] !== undefined;
  }

  #isOurs({ metadata }: PersistentVolume): boolean {
    return metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === this.#options.driver.provisioner;
  }

  async #provision(claim: PersistentVolumeClaim): Promise<void> {
    const { metadata, spec } = claim;
    const { name, namespace, uid } = metadata;
    const { client, driver } = this.#options;
    await client.create(PersistentVolume, {
      metadata: {
        name: volumeName(claim),
        annotations: { 'pv.kubernetes.io/provisioned-by': driver.provisioner },
      },
      spec: {
        capacity: { storage: spec?.resources?.requests?.['storage'] ?? '1Gi' },
        accessModes: spec?.accessModes,
        volumeMode: spec?.volumeMode,
        storageClassName: spec?.storageClassName,
        persistentVolumeReclaimPolicy: this.#classOf(claim)?.reclaimPolicy === 'Retain' ? 'Retain' : 'Delete',
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
        ...driver.volumeSource(volumeName(claim), metadata.annotations?.[selectedNode]),
      },
    });
  }

  /** Enlarges the volume of a claim to the requested size. */
  async #resize(claim: PersistentVolumeClaim): Promise<void> {
    const { client, volumes } = this.#options;
    const wanted = claim.spec?.resources?.requests?.['storage'];
    const has = claim.status?.capacity?.['storage'];
    const volume = volumes.find(undefined, claim.spec?.volumeName ?? '');
    if (wanted === undefined || has === undefined || volume === undefined || !this.#isOurs(volume)) return;
    if (milliValue(wanted) <= milliValue(has)) return;
    const capacity = { storage: wanted };
    await client.patch(PersistentVolume, volume.metadata, { type: 'merge', body: { spec: { capacity } } });
    const body = { metadata: { uid: claim.metadata.uid }, status: { capacity, conditions: [] } };
    await client.patch(
      PersistentVolumeClaim,
      claim.metadata,
      { type: 'merge', body },
      { subresource: 'status' },
    );
  }
}

function claimNames({ metadata, spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim !== undefined
      ? [persistentVolumeClaim.claimName]
      : ephemeral === undefined
        ? []
        : [`${metadata.name}-${name}`],
  );
}

/** Returns true if the controller manager has bound a claim, as its annotation shows. */
function isBound({ spec, status }: PersistentVolumeClaim): boolean {
  return spec?.volumeName !== undefined && status?.phase === 'Bound';
}

function volumeName({ metadata }: PersistentVolumeClaim): string {
  return `pvc-${metadata.uid}`;
}
