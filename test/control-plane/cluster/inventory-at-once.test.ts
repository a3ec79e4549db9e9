// Deploys at once, and what happens between looking and deleting: neither loses an object, nor takes one from others.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyObjects } from '../../../src/cluster/index.ts';
import { findParent, openInventory, type Inventory } from '../../../src/cluster/inventory/inventory.ts';
import { partOfLabel } from '../../../src/cluster/inventory/apply-set.ts';
import { pruneMembers } from '../../../src/cluster/inventory/prune-members.ts';
import { Secret } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { clientOf, manifest } from './helpers.ts';
import { clusterRole, deployedFolder, operator, recorded, settings } from './inventory-helpers.ts';
import { ConfigMap } from './kinds.ts';

let client: KubeClient;
let namespace: string;
let name: string;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'at-once');
});
beforeEach(() => {
  name = uniqueName('op');
});
afterAll(() => client.close());

async function open(...more: readonly object[]): Promise<Inventory> {
  const objects = manifest(operator(name, namespace), ...more);
  const parent = findParent(objects, namespace);
  if (parent === undefined) throw new Error('the objects have an operator');
  return openInventory({ client, parent, objects, tooling: 'op-sdk/1.0.0' });
}

const applied = ({ objects, beforeWrite }: Inventory): ReturnType<typeof applyObjects> =>
  applyObjects({ client, objects, beforeWrite });

const kinds = async (): Promise<readonly string[]> => {
  const secret = await client.get(Secret, { name: `${name}-applyset`, namespace });
  return (recorded(secret).kinds ?? '').split(',');
};

const all = ['ClusterRole.rbac.authorization.k8s.io', 'ConfigMap', 'Deployment.apps'];

describe('two deploys at once', () => {
  test('both end well', async () => {
    const { kubeconfig } = await sharedControlPlane();
    await using one = await deployedFolder(kubeconfig);
    await using two = await deployedFolder(kubeconfig);
    for (const _round of [1, 2, 3]) {
      name = uniqueName('op');
      const main = operator(name, namespace);
      const runs = await Promise.all([
        one.run('deploy', [main, settings(name, namespace)]),
        two.run('deploy', [main, clusterRole(name)]),
      ]);
      expect(runs.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(['', '']);
      expect(await kinds()).toEqual(all);
      expect(await client.find(ConfigMap, { name, namespace })).toBeDefined();
    }
  });

  test.each(['the first', 'the second'])('leave the kinds of both, whichever ends last: %s', async (last) => {
    const first = await open(settings(name, namespace));
    const second = await open(clusterRole(name));
    await applied(first);
    await applied(second);
    const [before, after] = last === 'the first' ? [second, first] : [first, second];
    await before.settle([]);
    expect(await kinds()).toEqual(all);
    await after.settle([]);
    expect(await kinds()).toEqual(all);
  });

  test('a kind is not forgotten that the other one adds after it was listed', async () => {
    await applied(await open(clusterRole(`${name}-old`)));
    const without = await open();
    const { prunable } = without.leftovers(await applied(without));
    const gone = await pruneMembers({ client, id: without.id, members: prunable });
    expect(gone.map(({ title }) => title)).toEqual([`clusterrole.rbac.authorization.k8s.io/${name}-old`]);
    // It has nothing to record: the kind is in the inventory still.
    await applied(await open(clusterRole(name)));
    await without.settle(gone);
    expect(await kinds()).toEqual(['ClusterRole.rbac.authorization.k8s.io', 'Deployment.apps']);
  });

  test('what the other one has just added has not left the manifests', async () => {
    await applied(await open(settings(`${name}-old`, namespace)));
    const without = await open();
    const second = await open(settings(name, namespace), settings(`${name}-old`, namespace));
    await applied(second);
    const { prunable } = without.leftovers(await applied(without));
    expect(prunable.map(({ title }) => title)).toEqual([`configmap/${name}-old`]);
  });
});

describe('between looking and deleting', () => {
  test.each(['got another label', 'was replaced', 'was deleted'])('an object that %s stays', async (what) => {
    const key = { name, namespace };
    await applied(await open(settings(name, namespace)));
    const inventory = await open();
    const { prunable } = inventory.leftovers(await applied(inventory));
    expect(prunable).toHaveLength(1);
    const labels = { [partOfLabel]: what === 'was replaced' ? inventory.id : 'other' };
    if (what === 'got another label')
      await client.patch(ConfigMap, key, { type: 'merge', body: { metadata: { labels } } });
    else await client.delete(ConfigMap, key);
    if (what === 'was replaced') await client.create(ConfigMap, { metadata: { ...key, labels } });
    const lines: string[] = [];
    await pruneMembers({
      client,
      id: inventory.id,
      members: prunable,
      onOutcome: (_outcome, title) => lines.push(title),
    });
    expect(lines).toEqual([]);
    expect((await client.find(ConfigMap, key)) === undefined).toBe(what === 'was deleted');
  });

  test('an object with finalizers stays in the inventory until it is gone', async () => {
    const held = {
      ...settings(name, namespace),
      metadata: { name, namespace, finalizers: ['example.com/held'] },
    };
    await applied(await open(held));
    const inventory = await open();
    const { prunable } = inventory.leftovers(await applied(inventory));
    const gone = await pruneMembers({ client, id: inventory.id, members: prunable });
    expect(gone).toEqual([]);
    await inventory.settle(gone);
    expect(await kinds()).toContain('ConfigMap');
    const body = { metadata: { finalizers: null } };
    await client.patch(ConfigMap, { name, namespace }, { type: 'merge', body });
    const next = await open();
    expect(next.leftovers(await applied(next))).toEqual({ prunable: [], kept: [] });
    await next.settle([]);
    expect(await kinds()).toEqual(['Deployment.apps']);
  });

  test('an interrupted deploy loses nothing', async () => {
    const first = await open(settings(name, namespace));
    await applied(first);
    // It never settles; the next one finds all that it has written.
    const next = await open();
    expect(next.leftovers(await applied(next)).prunable.map(({ title }) => title)).toEqual([
      `configmap/${name}`,
    ]);
  });
});
