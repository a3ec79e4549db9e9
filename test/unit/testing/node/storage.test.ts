import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import type { PersistentVolumeClaim } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { StorageClass } from '../../../../src/sdk/k8s/generated/storage/v1.ts';
import type { Mirror } from '../../../../src/testing/node/mirror.ts';
import { Storage } from '../../../../src/testing/node/storage.ts';

const driver = {
  provisioner: 'example.com/disks',
  volumeSource: () => ({ hostPath: { path: '/disk' } }),
};
const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default', uid: 'uid-1' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'standard',
    resources: { requests: { storage: '1Gi' } },
  },
  status: { phase: 'Pending' },
};
const standard: StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard' },
  provisioner: driver.provisioner,
  volumeBindingMode: 'Immediate',
};

function mirrorOf<T extends KubeObject>(...objects: readonly T[]): Mirror<T> {
  return {
    all: () => objects,
    find: (_, name) => objects.find(({ metadata }) => metadata.name === name),
  };
}

test('a volume is asked for again after a request that was lost, until the end', async () => {
  const timers: (() => void)[] = [];
  const errors: unknown[] = [];
  const abort = new AbortController();
  let requests = 0;
  const create = (): Promise<never> => {
    requests++;
    return Promise.reject(new Error('read ECONNRESET'));
  };
  const storage = new Storage({
    client: { create } as unknown as KubeClient,
    clock: {
      now: () => 0,
      today: () => new Date(0),
      after: (_, callback) => {
        timers.push(callback);
        return () => undefined;
      },
    },
    ...{ driver, signal: abort.signal },
    ...{ claims: mirrorOf(claim), volumes: mirrorOf(), classes: mirrorOf(standard) },
    onError: (error) => errors.push(error),
  });
  const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  storage.settle();
  await settled();
  expect([requests, errors.length, timers.length]).toEqual([1, 1, 1]);
  timers[0]?.();
  await settled();
  expect([requests, errors.length, timers.length]).toEqual([2, 2, 2]);
  abort.abort();
  timers[1]?.();
  await settled();
  expect([requests, errors.length, timers.length]).toEqual([3, 2, 2]);
});
