// `--index-image`: a Pod serves the catalogue, as with operator-sdk, for people who may not push one. OLM v0 is played by a stand-in.
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { ConfigMap, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import {
  CatalogSource,
  ClusterServiceVersion,
  OperatorGroup,
  Subscription,
} from '../../../../src/olm/run/run-names.ts';
import { eventually } from '../../../../src/testing/index.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';
import { demoBundle } from './demo-bundle.ts';
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
});
