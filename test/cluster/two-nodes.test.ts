// A second node with a network of its own: Pods on both, and what is left when the node's plug is pulled.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Pod } from '../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../src/testing/index.ts';
import { addNode, type AddedNode } from './bed/added-node.ts';
import { firstNode, secondNode } from './bed/addresses.ts';
import { clusterApi } from './bed/cluster-api.ts';
import type { ClusterBed } from './bed/cluster-bed.ts';
import { namespace, startWebPods, webPort, type WebPods } from './bed/web-pods.ts';

const bed = inject('cluster') as ClusterBed;
const slow = { timeout: 150_000, interval: 250 };

interface NamedItems {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

describe.skipIf(bed === undefined)('a cluster of two nodes', () => {
  let node: AddedNode;
  let pods: WebPods;
  beforeAll(async () => {
    const begun = performance.now();
    node = await addNode(bed);
    console.log(`second node ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    pods = await startWebPods(bed, true);
  });
  afterAll(async () => {
    await pods?.[Symbol.asyncDispose]();
    await node?.[Symbol.asyncDispose]();
  });

  test('has a Pod on each node, which reach each other with their own addresses, and Services', async () => {
    const { items } = await pods.client.list(Pod, { namespace, labelSelector: 'app=web' });
    expect(items.map(({ spec }) => spec?.nodeName).sort()).toEqual([firstNode.name, secondNode.name]);
    const address = (name: string): string | undefined =>
      items.find(({ metadata }) => metadata.name === name)?.status?.podIP;
    for (const [from, to] of [
      ['web-0', 'web-1'],
      ['web-1', 'web-0'],
    ] as const) {
      expect(await pods.fetch(from, `http://${to}.web:${webPort}/`)).toBe(`${to} ${address(from)}`);
      expect(await pods.fetch(from, 'http://web-front/')).toMatch(/^web-/);
    }
  });

  test('goes on with one node while nobody reaches the other, which comes back', async () => {
    const { items } = await pods.client.list(Pod, { namespace, labelSelector: 'app=web' });
    const nameOn = (node: string): string =>
      items.find(({ spec }) => spec?.nodeName === node)?.metadata.name ?? '';
    const [near, far] = [nameOn(firstNode.name), nameOn(secondNode.name)];
    node.disconnect();
    await expect(pods.fetch(near, `http://${far}.web:${webPort}/`, 3000)).rejects.toThrow(
      /Timeout|fetch failed/,
    );
    expect(await pods.fetch(near, `http://${near}.web:${webPort}/`)).toMatch(near);
    node.connect();
    await eventually(
      async () => expect(await pods.fetch(near, `http://${far}.web:${webPort}/`)).toMatch(far),
      slow,
    );
  });

  test('is a cluster of one node again when the other is removed', async () => {
    await pods[Symbol.asyncDispose]();
    await node[Symbol.asyncDispose]();
    const { items } = await clusterApi(bed).call<NamedItems>('GET', '/api/v1/nodes');
    expect(items.map(({ metadata }) => metadata.name)).toEqual([firstNode.name]);
  });
});
