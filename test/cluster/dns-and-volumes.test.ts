// Names and volumes of the cluster: what the operators of stateful software rely on.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../src/testing/index.ts';
import { addresses } from './bed/addresses.ts';
import { clusterApi } from './bed/cluster-api.ts';
import type { ClusterBed } from './bed/cluster-bed.ts';
import { namespace, startWebPods, webPort, type WebPods } from './bed/web-pods.ts';

const bed = inject('cluster') as ClusterBed;
const slow = { timeout: 150_000, interval: 250 };
const first = { name: 'web-0', namespace };

describe.skipIf(bed === undefined)('Pods with names and volumes', () => {
  let pods: WebPods;
  beforeAll(async () => {
    pods = await startWebPods(bed);
  });
  afterAll(() => pods?.[Symbol.asyncDispose]());

  /** The addresses of a name, or the code of the error, as a Pod sees them. */
  const lookUp = (name: string): Promise<string> =>
    pods.run(
      first.name,
      `require('node:dns').lookup('${name}', { all: true, family: 4 }, (error, found) =>
        console.log(error === null ? found.map(({ address }) => address).sort().join(' ') : error.code))`,
    );
  const podIP = async (name: string): Promise<string> =>
    (await pods.client.get(Pod, { name, namespace })).status?.podIP ?? '';

  test('find Services and each other by name, with every suffix that the search list allows', async () => {
    const both = [await podIP('web-0'), await podIP('web-1')].sort().join(' ');
    for (const name of ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc.cluster.local'])
      expect(await lookUp(name)).toBe(addresses.apiService);
    for (const name of ['web', 'web.default.svc']) expect(await lookUp(name)).toBe(both);
    expect(await lookUp('web-1.web.default.svc')).toBe(await podIP('web-1'));
    expect(await lookUp('web-1.web.default.svc.cluster.local.')).toBe(await podIP('web-1'));
  });

  test('find no names that do not exist, inside and outside of the cluster, without waiting', async () => {
    for (const name of ['web-7.web', 'absent.default.svc.cluster.local', 'example.com', 'example.com.'])
      expect(await lookUp(name)).toBe('ENOTFOUND');
  });

  test('reach each other, and by the address of a Service also themselves', async () => {
    const address = await podIP('web-0');
    expect(await pods.fetch('web-0', `http://web-1.web:${webPort}/`)).toBe(`web-1 ${address}`);
    const seen = new Set<string>();
    await eventually(async () => {
      seen.add((await pods.fetch('web-0', 'http://web-front/')).split(' ')[0] ?? '');
      expect([...seen].sort()).toEqual(['web-0', 'web-1']);
    }, slow);
  });

  test('keep their data when they are deleted', async () => {
    await pods.fetch('web-1', `http://web-0.web:${webPort}/write?kept`);
    const { metadata } = await pods.client.get(Pod, first);
    await pods.client.delete(Pod, first);
    await eventually(async () => {
      const pod = await pods.client.get(Pod, first);
      expect(pod.metadata.uid).not.toBe(metadata.uid);
      expect(pod.status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'Ready', status: 'True' }),
      );
    }, slow);
    expect(await pods.fetch('web-1', `http://${await podIP('web-0')}:${webPort}/read`)).toBe('kept');
    await eventually(
      async () => expect(await pods.fetch('web-1', `http://web-0.web:${webPort}/read`)).toBe('kept'),
      slow,
    );
  });

  test('get more room when their claim grows', async () => {
    const claim = { name: 'data-web-0', namespace };
    const storage = '2Gi';
    const body = { spec: { resources: { requests: { storage } } } };
    await pods.client.patch(PersistentVolumeClaim, claim, { type: 'merge', body });
    await eventually(async () => {
      const { status } = await pods.client.get(PersistentVolumeClaim, claim);
      expect(status?.capacity).toEqual({ storage });
    }, slow);
  });

  test('leave no volumes when they and their claims are gone', async () => {
    const volumes = join(bed.folder, 'volumes');
    const mine = (await pods.client.list(PersistentVolume)).items.filter(
      ({ spec }) => spec?.claimRef?.name?.startsWith('data-web-') === true,
    );
    expect(readdirSync(volumes)).toEqual(expect.arrayContaining(mine.map(({ metadata }) => metadata.name)));
    expect(mine).toHaveLength(2);
    await pods[Symbol.asyncDispose]();
    const { request } = clusterApi(bed);
    await eventually(async () => {
      for (const { metadata } of mine) {
        expect((await request('GET', `/api/v1/persistentvolumes/${metadata.name}`)).status).toBe(404);
        expect(readdirSync(volumes)).not.toContain(metadata.name);
      }
    }, slow);
  });
});
