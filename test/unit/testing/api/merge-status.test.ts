import { expect, test } from 'vitest';
import { defineController } from '../../../../src/index.ts';
import { createTestApi } from '../../../../src/testing.ts';
import { Site, site, siteCrd } from './fixtures.ts';

test('mergeStatus takes one step of a status at a time, and sends each step once', async () => {
  await using api = await createTestApi({ kinds: [Site], crds: [siteCrd], objects: [site('a')] });
  const key = { name: 'a', namespace: 'default' };
  const condition = { type: 'Ready', status: 'False', reason: 'Starting', message: '' } as const;
  const lastTransitionTime = new Date(api.now).toISOString();
  api.add(
    defineController({
      for: Site,
      predicates: [],
      async reconcile(found, { client }) {
        if (found.status?.pages === undefined) await client.mergeStatus(Site, key, { pages: 1 });
        else await client.mergeStatus(Site, key, { conditions: [{ ...condition, lastTransitionTime }] });
      },
    }),
  );
  await api.settle();
  const { status } = await api.client.live.get(Site, key);
  expect(status).toEqual({ pages: 1, conditions: [{ ...condition, lastTransitionTime }] });
  const sent = api.requests.map(({ verb, subresource }) => `${verb} ${subresource}`);
  // The second apply is the dry run that finds out how the list of conditions is kept.
  expect(sent).toEqual(['get status', 'apply status', 'get status', 'apply status', 'apply status']);
});

test('an apply of a version that is past is a conflict', async () => {
  await using api = await createTestApi({ kinds: [Site], crds: [siteCrd], objects: [site('a')] });
  const key = { name: 'a', namespace: 'default' };
  const { resourceVersion } = (await api.client.live.get(Site, key)).metadata;
  const labels = { seen: 'yes' };
  await api.client.apply(Site, { metadata: { ...key, labels } }, { resourceVersion });
  const conflict = { code: 'kube/conflict' };
  const late = { ...labels, late: 'yes' };
  const applied = api.client.apply(Site, { metadata: { ...key, labels: late } }, { resourceVersion });
  await expect(applied).rejects.toMatchObject(conflict);
  const merged = api.client.applyStatus(Site, key, { pages: 1 }, { resourceVersion });
  await expect(merged).rejects.toMatchObject(conflict);
});
