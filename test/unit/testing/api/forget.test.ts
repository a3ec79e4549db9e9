import { expect, test } from 'vitest';
import { defineController } from '../../../../src/index.ts';
import { createTestApi } from '../../../../src/testing.ts';
import { Site, site, siteCrd } from './fixtures.ts';

test('a controller of the test API forgets an object that was deleted, and advance repeats a failed call', async () => {
  const forgotten: string[] = [];
  let isBroken = true;
  await using api = await createTestApi({ kinds: [Site], crds: [siteCrd], objects: [site('a')] });
  api.add(
    defineController({
      for: Site,
      backoff: { base: '10s' },
      reconcile: () => undefined,
      forget: ({ name }, { now }) => {
        if (isBroken) throw new Error('still in use');
        forgotten.push(`${name} ${new Date(now()).toISOString()}`);
      },
    }),
  );
  await api.settle();
  await api.client.delete(Site, { name: 'a', namespace: 'default' });
  await expect(api.settle()).rejects.toThrow('still in use');
  isBroken = false;
  const before = api.now.getTime();
  await api.advance('10s');
  expect(forgotten).toEqual([`a ${new Date(before + 10_000).toISOString()}`]);
});
