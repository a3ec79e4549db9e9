// What goes wrong with `--index-image`, and what is refused. OLM v0 is played by a stand-in.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigMap, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { CatalogSource, Subscription } from '../../../../src/olm/run/run-names.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { playOlmV0 } from './olm-v0.ts';
import { indexImage as index, podName, pushBundle } from './pushed-bundle.ts';
import { hasOlm, startSite, type Site } from './site.ts';

describe.skipIf(!hasOlm)('OLM v0', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite('v0');
  }, 180_000);
  afterAll(() => site?.[Symbol.asyncDispose]());

  const pushed = (...bundle: [name: string, version: string, tag?: string]): Promise<string> =>
    pushBundle(site, ...bundle);

  test.each([
    ['index-missing', { missingImages: [/\/opm:/] }, 'olm/catalog-image', 'kubectl describe pod/'],
    ['unzip-missing', { missingImages: [/\/ubi:/] }, 'olm/catalog-image', 'kubectl describe pod/'],
    [
      'index-crashing',
      { crashingImages: [/\/opm:/] },
      'olm/catalog-not-served',
      '-c registry-grpc --previous',
    ],
    ['unzip-crashing', { crashingImages: [/\/ubi:/] }, 'olm/catalog-not-served', '-c registry-grpc-init'],
  ])(
    'names why the Pod does not run, and can be removed and tried again: %s',
    async (name, faults, code, more) => {
      const namespace = await site.namespace(name);
      const before = await site.everything();
      const image = await pushed(name, '0.1.0');
      const run = ['run', 'bundle', image, '-n', namespace, '--index-image', index, '--timeout', '2m'];
      {
        await using _olm = playOlmV0(site.client, faults);
        const failed = await site.cli(run);
        expect(failed.code, failed.stderr).toBe(1);
        expect(failed.stderr).toContain(code);
        expect(failed.stderr).toContain(podName(image));
        expect(failed.stderr).toContain(more);
        expect(failed.stderr).toContain(`to remove it: op-sdk cleanup ${name}`);
        // Nobody has subscribed to it yet.
        expect((await site.client.list(Subscription, { namespace })).items).toEqual([]);
      }
      await using _olm = playOlmV0(site.client);
      const again = await site.cli(run);
      expect(again.code, again.stderr).toBe(0);
      const cleaned = await site.cli(['cleanup', name, '-n', namespace, '--delete-all', '--yes']);
      expect(cleaned.code, cleaned.stderr).toBe(0);
      await eventually(async () => expect(await site.everything()).toEqual(before), { timeout: 60_000 });
    },
  );

  test('says what the Pod is at while it waits, and leaves what cleanup removes', async () => {
    const namespace = await site.namespace('slow');
    const before = await site.everything();
    const image = await pushed('slow', '0.1.0');
    const { code, stderr } = await site.cli([
      ...['run', 'bundle', image, '-n', namespace, '--index-image', index, '--timeout', '3s'],
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain(`waiting for the catalogue: Pod ${podName(image)} is starting`);
    expect(stderr).toContain('olm/timeout');
    const cleaned = await site.cli(['cleanup', 'slow', '-n', namespace, '--delete-all', '--yes']);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    await eventually(async () => expect(await site.everything()).toEqual(before), { timeout: 60_000 });
  });

  test('is interrupted while the Pod starts, and leaves what cleanup removes', async () => {
    const namespace = await site.namespace('stopped');
    const before = await site.everything();
    const image = await pushed('stopped', '0.1.0');
    const stop = new AbortController();
    const run = ['run', 'bundle', image, '-n', namespace, '--index-image', index];
    const running = site.cli(run, { signal: stop.signal });
    await eventually(
      async () => expect(await site.client.find(Pod, { name: podName(image), namespace })).toBeDefined(),
      { timeout: 60_000 },
    );
    stop.abort();
    const { code, stderr } = await running;
    expect(code).toBe(130);
    expect(stderr).toContain('to remove it: op-sdk cleanup stopped');
    const cleaned = await site.cli(['cleanup', 'stopped', '-n', namespace, '--delete-all', '--yes']);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    await eventually(async () => expect(await site.everything()).toEqual(before), { timeout: 60_000 });
  });

  test('refuses, before anything is created, a Pod of somebody else and one that the namespace does not allow', async () => {
    const namespace = await site.namespace('refused');
    const image = await pushed('refused', '0.1.0');
    const container = { name: 'a', image: 'example.com/a:1' };
    await site.client.create(Pod, {
      metadata: { name: podName(image), namespace },
      spec: { containers: [container] },
    });
    const before = await site.everything();
    const run = ['run', 'bundle', image, '-n', namespace, '--index-image', index];
    expect((await site.cli(run)).stderr).toContain('olm/name-taken');
    expect(await site.everything()).toEqual(before);
    const config = { name: 'refused-catalog-configmap-partition-1', namespace };

    const type = await site.client.resourceOf({ apiVersion: 'v1', kind: 'Namespace' });
    await site.client.delete(Pod, { name: podName(image), namespace });
    await eventually(async () =>
      expect(await site.client.find(Pod, { name: podName(image), namespace })).toBeUndefined(),
    );
    await site.client.create(ConfigMap, { metadata: config, data: { of: 'others' } });
    const taken = await site.cli(run);
    expect(taken.stderr).toContain('olm/name-taken');
    expect(taken.stderr).toContain('configmap/refused-catalog-configmap-partition-1');
    expect((await site.client.get(ConfigMap, config)).data).toEqual({ of: 'others' });
    expect((await site.client.list(CatalogSource, { namespace })).items).toEqual([]);
    await site.client.delete(ConfigMap, config);

    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await site.client.patch(type, { name: namespace }, { type: 'merge', body: { metadata: { labels } } });
    const denied = await site.cli(run);
    expect(denied.code).toBe(1);
    expect(denied.stderr).toContain('violates PodSecurity');
    expect((await site.client.list(CatalogSource, { namespace })).items).toEqual([]);
  });

  test('keeps the Pod of a run that failed if the next one is refused', async () => {
    const namespace = await site.namespace('kept');
    const image = await pushed('kept', '0.1.0');
    const run = ['run', 'bundle', image, '-n', namespace, '--index-image', index, '--timeout', '3s'];
    expect((await site.cli(run)).stderr).toContain('olm/timeout');
    const key = { name: podName(image), namespace };
    const { uid } = (await site.client.get(Pod, key)).metadata;

    const type = await site.client.resourceOf({ apiVersion: 'v1', kind: 'Namespace' });
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await site.client.patch(type, { name: namespace }, { type: 'merge', body: { metadata: { labels } } });
    const denied = await site.cli(run);
    expect(denied.code).toBe(1);
    expect(denied.stderr).toContain('violates PodSecurity');
    expect((await site.client.get(Pod, key)).metadata.uid).toBe(uid);
  });

  test('refuses flags that would say nothing', async () => {
    const namespace = await site.namespace('flags');
    const image = await pushed('flags', '0.1.0');
    const run = ['run', 'bundle', image, '-n', namespace];
    const without = await site.cli([
      ...[
        ...run,
        '--service-account',
        'robot',
        '--decompression-image',
        'a/b:1',
        '--image-pull-policy',
        'Never',
      ],
    ]);
    expect(without.code).toBe(2);
    for (const flag of ['--service-account', '--decompression-image', '--image-pull-policy'])
      expect(without.stderr).toContain(`${flag} has no effect without the Pod that --index-image starts`);
    const pushing = await site.cli([
      ...run,
      '--index-image',
      index,
      '--push-to',
      `${site.registry.host}/team/x`,
    ]);
    expect(pushing.code).toBe(2);
    expect(pushing.stderr).toContain('nothing is pushed');
    const secret = await site.cli([...run, '--ca-secret-name', 'absent']);
    expect(secret.code).toBe(1);
    expect(secret.stderr).toContain('the Secret absent does not exist in the namespace flags');
  });
});
