// `--index-image`: a Pod serves the catalogue, as with operator-sdk, for people who may not push one. OLM v0 is played by a stand-in.
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Deployment } from '../../../../src/k8s/generated/apps/v1.ts';
import { ConfigMap, Pod } from '../../../../src/k8s/generated/core/v1.ts';
import {
  CatalogSource,
  ClusterServiceVersion,
  OperatorGroup,
  Subscription,
} from '../../../../src/olm/olm-kinds.ts';
import { eventually } from '../../../../src/testing/index.ts';
import type { Loose } from '../../../unit/bundle/objects.ts';
import { demoBundle } from './demo-bundle.ts';
import { playOlmV0 } from './olm-v0.ts';
import { hasOlm, startSite, type Site } from './site.ts';

const index = 'quay.io/operator-framework/opm:latest';

describe.skipIf(!hasOlm)('OLM v0', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite('v0');
  }, 180_000);
  afterAll(() => site?.[Symbol.asyncDispose]());

  /** Pushes a bundle as somebody else would have. @returns its image */
  const pushed = async (name: string, version: string, tag = `v${version}`): Promise<string> => {
    const folder = site.folderOf(demoBundle(name, version));
    const image = `${site.registry.host}/team/${name}:${tag}`;
    for (const argv of [
      ['bundle', 'build', folder, '--tag', image, '--to', `oci:${folder}/../dist`],
      ['bundle', 'push', image, '--from', `oci:${folder}/../dist`],
    ]) {
      const { code, stderr } = await site.cli(argv);
      expect(code, stderr).toBe(0);
    }
    return image;
  };
  const podName = (image: string): string => image.replace(/[^a-z0-9]+/g, '-');
  const catalogueOf = async (namespace: string, name: string): Promise<readonly Loose[]> => {
    const { binaryData } = await site.client.get(ConfigMap, { name, namespace });
    const text = gunzipSync(Buffer.from(binaryData?.['extraFBC'] ?? '', 'base64')).toString();
    return parseAllDocuments(text).map((document): Loose => document.toJS());
  };
  /** The names of the ConfigMaps of catalogues. */
  const partitionsIn = async (namespace: string): Promise<readonly string[]> => {
    const { items } = await site.client.list(ConfigMap, { namespace });
    return items.map(({ metadata }) => metadata.name ?? '').filter((name) => name.includes('-partition-'));
  };
  const podsIn = async (namespace: string): Promise<readonly string[]> => {
    const { items } = await site.client.list(Pod, { namespace });
    return items.map(({ metadata }) => metadata.name ?? '').sort();
  };

  test('installs an image without pushing anything, upgrades it, and leaves nothing behind', async () => {
    await using _olm = playOlmV0(site.client);
    const namespace = await site.namespace('web');
    const before = await site.everything();
    const first = await pushed('web', '0.1.0');
    const puts = site.registry.lines(/^PUT/).length;
    const installed = await site.cli([
      ...['run', 'bundle', first, '-n', namespace, '--index-image', index],
      ...['--security-context-config', 'legacy', '-o', 'json'],
    ]);
    expect(installed.code, installed.stderr).toBe(0);
    expect(site.registry.lines(/^PUT/).length).toBe(puts);
    expect(JSON.parse(installed.stdout).result.images).toEqual({ bundle: first, index });

    const source: Loose = await site.client.get(CatalogSource, { name: 'web-catalog', namespace });
    const pod: Loose = await site.client.get(Pod, { name: podName(first), namespace });
    expect(source.spec).toEqual({
      sourceType: 'grpc',
      address: `${pod.status.podIP}:50051`,
      displayName: 'web',
      publisher: 'operator-sdk',
      grpcPodConfig: { securityContextConfig: 'legacy' },
    });
    const prefix = 'operators.operatorframework.io';
    expect(source.metadata.annotations).toEqual({
      [`${prefix}/index-image`]: index,
      [`${prefix}/injected-bundles`]: `[{"imageTag":"${first}","mode":"semver"}]`,
      [`${prefix}/registry-pod-name`]: podName(first),
    });
    const { uid } = source.metadata;
    const owner = {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'CatalogSource',
      name: 'web-catalog',
      uid,
    };
    expect(pod.metadata.ownerReferences).toEqual([owner]);
    expect(pod.spec.containers[0].command).toEqual(['sh', '-c', 'opm serve /web-catalog-configs -p 50051']);
    const configMap = await site.client.get(ConfigMap, {
      name: 'web-catalog-configmap-partition-1',
      namespace,
    });
    expect(configMap.metadata.ownerReferences).toEqual([owner]);
    expect(
      (await catalogueOf(namespace, 'web-catalog-configmap-partition-1')).map(({ schema }) => schema),
    ).toEqual(['olm.package', 'olm.channel', 'olm.bundle']);

    // It goes on as it was installed.
    const second = await pushed('web', '0.2.0');
    const upgraded = await site.cli(['run', 'bundle-upgrade', second, '-n', namespace]);
    expect(upgraded.code, upgraded.stderr).toBe(0);
    expect(upgraded.stdout).toContain(`pod/${podName(second)} created`);
    expect(upgraded.stdout).toContain(`pod/${podName(first)} deleted`);
    const [partition = '', ...others] = await partitionsIn(namespace);
    expect(partition).toMatch(/^web-catalog-configmap-partition-[0-9a-f]{8}-1$/);
    expect(others).toEqual([]);
    const [, channel] = await catalogueOf(namespace, partition);
    expect(channel?.entries).toEqual([
      { name: 'web.v0.1.0' },
      { name: 'web.v0.2.0', replaces: 'web.v0.1.0' },
    ]);
    const after: Loose = await site.client.get(CatalogSource, { name: 'web-catalog', namespace });
    expect(after.metadata.annotations[`${prefix}/injected-bundles`]).toBe(
      JSON.stringify([first, second].map((imageTag) => ({ imageTag, mode: 'semver' }))),
    );
    expect(after.spec.grpcPodConfig).toEqual({ securityContextConfig: 'legacy' });
    const deployment: Loose = await site.client.get(Deployment, { name: 'web', namespace });
    expect(deployment.spec.template.spec.containers[0].image).toBe('example.com/web:0.2.0');

    const cleaned = await site.cli(['cleanup', 'web', '-n', namespace, '--delete-all', '--yes']);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    await eventually(async () => expect(await site.everything()).toEqual(before), { timeout: 60_000 });
  });

  test('goes with what operator-sdk deletes', async () => {
    await using _olm = playOlmV0(site.client);
    const namespace = await site.namespace('theirs');
    const image = await pushed('theirs', '0.1.0');
    const run = ['run', 'bundle', image, '-n', namespace, '--index-image', index];
    const installed = await site.cli(run);
    expect(installed.code, installed.stderr).toBe(0);
    for (const [type, name] of [
      [Subscription, 'theirs-v0-1-0-sub'],
      [ClusterServiceVersion, 'theirs.v0.1.0'],
      [CatalogSource, 'theirs-catalog'],
      [OperatorGroup, 'operator-sdk-og'],
    ] as const)
      await site.client.delete(type, { name, namespace });
    await eventually(
      async () => {
        const pods = await site.client.list(Pod, { namespace });
        const maps = await site.client.list(ConfigMap, { namespace });
        expect(pods.items).toEqual([]);
        expect(maps.items.map(({ metadata }) => metadata.name)).toEqual(['kube-root-ca.crt']);
      },
      { timeout: 60_000 },
    );
  });

  test('adds the bundle to the catalogue of the index image', async () => {
    await using _olm = playOlmV0(site.client);
    const other = await site.namespace('other');
    const pushedOther = await site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle('other', '1.0.0')), '-n', other],
      ...['--push-to', `${site.registry.host}/team/other`],
    ]);
    expect(pushedOther.code, pushedOther.stderr).toBe(0);
    const catalog = `${site.registry.host}/team/other:catalog-1.0.0`;
    const namespace = await site.namespace('added');
    const image = await pushed('added', '0.1.0');
    const { code, stderr } = await site.cli([
      'run',
      'bundle',
      image,
      '-n',
      namespace,
      '--index-image',
      catalog,
    ]);
    expect(code, stderr).toBe(0);
    const documents = await catalogueOf(namespace, 'added-catalog-configmap-partition-1');
    expect(documents.map(({ schema, name }) => `${schema} ${name}`)).toEqual([
      'olm.package added',
      'olm.channel operator-sdk-run-bundle',
      'olm.bundle added.v0.1.0',
      'olm.package other',
      'olm.channel operator-sdk-run-bundle',
      'olm.bundle other.v1.0.0',
    ]);
    const source: Loose = await site.client.get(CatalogSource, { name: 'added-catalog', namespace });
    expect(
      JSON.parse(source.metadata.annotations['operators.operatorframework.io/injected-bundles']),
    ).toEqual([{ imageTag: image, mode: 'replaces' }]);
  });

  test('takes an installation over whose catalogue is an image', async () => {
    await using _olm = playOlmV0(site.client);
    const namespace = await site.namespace('moved');
    const installed = await site.cli([
      ...['run', 'bundle', site.folderOf(demoBundle('moved', '0.1.0')), '-n', namespace],
      ...['--push-to', `${site.registry.host}/team/moved`],
    ]);
    expect(installed.code, installed.stderr).toBe(0);
    const image = await pushed('moved', '0.2.0');
    const upgraded = await site.cli([
      'run',
      'bundle-upgrade',
      image,
      '-n',
      namespace,
      '--index-image',
      index,
    ]);
    expect(upgraded.code, upgraded.stderr).toBe(0);
    const source: Loose = await site.client.get(CatalogSource, { name: 'moved-catalog', namespace });
    expect(source.spec).toMatchObject({
      publisher: 'operator-sdk',
      address: expect.stringContaining(':50051'),
    });
    expect(source.spec.image).toBe('');
    expect(source.spec.grpcPodConfig).toEqual({ securityContextConfig: 'restricted' });
    const [, channel] = await catalogueOf(namespace, 'moved-catalog-configmap-partition-1');
    expect(channel?.entries).toHaveLength(2);
  });

  test('keeps what serves while an upgrade fails, and upgrades later', async () => {
    const namespace = await site.namespace('retried');
    const [first, second] = [await pushed('retried', '0.1.0'), await pushed('retried', '0.2.0')];
    const upgrade = ['run', 'bundle-upgrade', second, '-n', namespace, '--timeout', '2m'];
    {
      await using _olm = playOlmV0(site.client);
      const installed = await site.cli(['run', 'bundle', first, '-n', namespace, '--index-image', index]);
      expect(installed.code, installed.stderr).toBe(0);
    }
    const prefix = 'operators.operatorframework.io';
    await site.client.create(Pod, {
      metadata: { name: 'bystander', namespace },
      spec: { containers: [{ name: 'a', image: 'example.com/a:1' }] },
    });
    {
      await using _olm = playOlmV0(site.client, { crashingImages: [/\/ubi:/] });
      const failed = await site.cli(upgrade);
      expect(failed.code, failed.stderr).toBe(1);
      expect(failed.stderr).toContain('olm/catalog-not-served');
    }
    expect(await podsIn(namespace)).toEqual(expect.arrayContaining([podName(first), podName(second)]));
    expect(await partitionsIn(namespace)).toHaveLength(2);
    const [, before] = await catalogueOf(namespace, 'retried-catalog-configmap-partition-1');
    expect(before?.entries).toHaveLength(1);

    const key = { name: 'retried-catalog', namespace };
    await using _olm = playOlmV0(site.client);
    const again = await site.cli(upgrade);
    expect(again.code, again.stderr).toBe(0);
    const pods = await podsIn(namespace);
    expect(pods).toContain(podName(second));
    expect(pods).not.toContain(podName(first));
    expect(await partitionsIn(namespace)).toHaveLength(1);

    // What has the name of the former Pod is deleted only if it is the catalogue's.
    const annotations = { [`${prefix}/registry-pod-name`]: 'bystander' };
    await site.client.patch(CatalogSource, key, { type: 'merge', body: { metadata: { annotations } } });
    const source: Loose = await site.client.get(CatalogSource, key);
    expect(source.spec.address).toContain(':50051');
    const third = await pushed('retried', '0.3.0');
    const partition = (await partitionsIn(namespace))[0] ?? '';
    // As the Pod that is named has no ConfigMaps of its own, those of operator-sdk's names are read.
    const { binaryData } = await site.client.get(ConfigMap, { name: partition, namespace });
    await site.client.create(ConfigMap, {
      metadata: {
        name: 'retried-catalog-configmap-partition-1',
        namespace,
        ownerReferences: [
          {
            apiVersion: 'operators.coreos.com/v1alpha1',
            kind: 'CatalogSource',
            name: key.name,
            uid: source.metadata.uid,
          },
        ],
      },
      binaryData,
    });
    const last = await site.cli(['run', 'bundle-upgrade', third, '-n', namespace]);
    expect(last.code, last.stderr).toBe(0);
    const left = await podsIn(namespace);
    expect(left).toEqual(expect.arrayContaining(['bystander', podName(third)]));
    expect(left).not.toContain(podName(second));
    expect(await partitionsIn(namespace)).toHaveLength(1);
  });

  test('upgrades to an image whose tag has moved by a Pod of another name', async () => {
    await using _olm = playOlmV0(site.client);
    const namespace = await site.namespace('tagged');
    const image = await pushed('tagged', '0.1.0', 'latest');
    const installed = await site.cli(['run', 'bundle', image, '-n', namespace, '--index-image', index]);
    expect(installed.code, installed.stderr).toBe(0);
    for (const [version, pod] of [
      ['0.2.0', `${podName(image)}-2`],
      ['0.3.0', podName(image)],
    ] as const) {
      await pushed('tagged', version, 'latest');
      const upgraded = await site.cli(['run', 'bundle-upgrade', image, '-n', namespace]);
      expect(upgraded.code, upgraded.stderr).toBe(0);
      const pods = await podsIn(namespace);
      expect(pods.filter((name) => name.startsWith(podName(image)))).toEqual([pod]);
    }
  });

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
      expect(without.stderr).toContain(`${flag} is for the Pod of --index-image`);
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
