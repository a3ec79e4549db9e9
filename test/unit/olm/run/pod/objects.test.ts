// The objects by which a Pod serves a catalogue: operator-sdk's own, field by field, but for what is named here. On an upgrade the names of
// the ConfigMaps differ as well, and that of the Pod if it has the image of the former one: these stay until the new ones are served.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { renderCatalogBundle } from '../../../../../src/olm/catalog/index.ts';
import { catalogConfigMaps, catalogParts } from '../../../../../src/olm/run/pod/catalog-config-maps.ts';
import {
  defaultDecompressionImage,
  defaultIndexImage,
  injectedBundle,
  servedByPod,
  type PodCatalog,
} from '../../../../../src/olm/run/pod/pod-catalog.ts';
import {
  servingCatalogSource,
  registryPod,
  registryPodName,
} from '../../../../../src/olm/run/pod/serve-by-pod.ts';

import { subscribingObjects } from '../../../../../src/olm/run/run-objects.ts';
import { runNames } from '../../../../../src/olm/run/run-names.ts';
import type { Loose } from '../../bundle/objects.ts';
import { hasRecordings, recordedObjects, skipReason } from '../recording.ts';

const repository = '127.0.0.1:5056/team/nginx-operator-bundle';
const first = `${repository}:v0.0.1-fixed`;
const namespace = 'sdk-demo';
const names = runNames('nginx-operator', 'nginx-operator.v0.0.1');

function catalogOf(images: readonly string[], documents: readonly string[]): PodCatalog {
  return {
    ...{ names, namespace, documents },
    packageName: 'nginx-operator',
    indexImage: defaultIndexImage,
    decompressionImage: defaultDecompressionImage,
    bundles: images.map((image) => injectedBundle(image, defaultIndexImage)),
    imagePullPolicy: 'Always',
    securityContext: 'legacy',
  };
}

const isPartition = ({ metadata }: Loose): boolean => String(metadata.name).includes('partition');

/** The text of the catalogue in a ConfigMap. */
function textOf({ binaryData }: Loose): string {
  return gunzipSync(Buffer.from(binaryData.extraFBC, 'base64')).toString();
}

/** An object without what the API server and the controllers add. */
function asWritten({ apiVersion, kind, metadata, spec, binaryData }: Loose): Loose {
  const { name, annotations } = metadata;
  return JSON.parse(
    JSON.stringify({ apiVersion, kind, metadata: { name, namespace, annotations }, spec, binaryData }),
  );
}

const withoutToken = (all: readonly Loose[]): readonly Loose[] =>
  all.filter(({ name }) => !String(name).startsWith('kube-api-access-'));

/** A Pod without the defaults of the API server, which was asked for none of them. */
function podAsWritten(pod: Loose): Loose {
  const { initContainers, containers, volumes } = pod.spec;
  const container = (each: Loose, imagePullPolicy: string): Loose => {
    const { resources, terminationMessagePath, terminationMessagePolicy, ...rest } = each;
    expect({ resources, terminationMessagePath, terminationMessagePolicy }).toEqual({
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    });
    if (rest.imagePullPolicy === imagePullPolicy) delete rest.imagePullPolicy;
    for (const port of rest.ports ?? []) delete port.protocol;
    return { ...rest, volumeMounts: withoutToken(rest.volumeMounts) };
  };
  for (const { configMap } of volumes) if (configMap !== undefined) delete configMap.defaultMode;
  expect(pod.spec.securityContext).toEqual({});
  return {
    ...asWritten(pod),
    spec: {
      initContainers: (initContainers as readonly Loose[]).map((each) => container(each, 'IfNotPresent')),
      containers: (containers as readonly Loose[]).map((each) => container(each, '')),
      volumes: withoutToken(volumes),
    },
  };
}

describe.skipIf(!hasRecordings)(`operator-sdk's objects${skipReason}`, () => {
  test.each([
    ['v0-sdk-run-bundle', [first]],
    ['v0-sdk-bundle-upgrade', [first, `${repository}:v0.0.2`]],
  ])('%s', (recording, images) => {
    const objects = (kind: string): readonly Loose[] => recordedObjects(recording, kind);
    const recordedMap = objects('configmap').find(isPartition);
    const documents = textOf(recordedMap).split(/(?=^---\n)/m);
    const catalog = catalogOf(images, documents);

    const configMaps = catalogConfigMaps({ catalog: names.catalog, namespace }, documents) as Loose[];
    expect(configMaps.map(({ binaryData: _, ...rest }) => rest)).toEqual([
      { ...asWritten(recordedMap), binaryData: undefined },
    ]);
    expect(textOf(configMaps[0])).toBe(textOf(recordedMap));

    const recordedPod = objects('pod').find(
      ({ metadata }) => metadata.name === registryPodName(images.at(-1) ?? ''),
    );
    expect(registryPod(catalog, configMaps as never)).toEqual(podAsWritten(recordedPod));

    const [source] = objects('catalogsource');
    const { icon, secrets, ...spec } = source.spec;
    // Go writes fields that nobody set.
    expect({ icon, secrets }).toEqual({ icon: { base64data: '', mediatype: '' }, secrets: [''] });
    const ip = String(source.spec.address).replace(/:50051$/, '');
    const ours = servingCatalogSource(catalog, { name: recordedPod.metadata.name, ip });
    expect(ours).toEqual({ ...asWritten(source), spec });
    expect(servedByPod(source)).toEqual({
      indexImage: defaultIndexImage,
      bundles: catalog.bundles,
      pod: recordedPod.metadata.name,
    });
    const { uid } = source.metadata;
    expect(recordedPod.metadata.ownerReferences).toEqual([
      { apiVersion: source.apiVersion, kind: 'CatalogSource', name: names.catalog, uid },
    ]);
    expect(catalogParts(objects('configmap') as never, source)).toEqual([textOf(recordedMap)]);
  });

  test('the Subscription and the OperatorGroup', () => {
    const mode = { type: 'AllNamespaces', targets: undefined } as const;
    const group = { mode, name: 'operator-sdk-og', isNew: true };
    const csv = 'nginx-operator.v0.0.1';
    const made = subscribingObjects(
      { names, namespace, csv, packageName: 'nginx-operator', version: '0.0.1' },
      group,
    ) as Loose[];
    const [recordedGroup] = recordedObjects('v0-sdk-run-bundle', 'operatorgroup');
    expect(made[0]).toMatchObject({
      kind: 'OperatorGroup',
      metadata: { name: 'operator-sdk-og', namespace },
      spec: {},
    });
    // The default of the definition.
    expect(recordedGroup.spec).toEqual({ upgradeStrategy: 'Default' });
    const [subscription] = recordedObjects('v0-sdk-run-bundle', 'subscription');
    expect(made[1]).toEqual(asWritten(subscription));
  });

  test('the documents of the catalogue', async () => {
    const maps = recordedObjects('v0-sdk-run-bundle', 'configmap');
    const unpacked = maps.find(({ metadata }) => metadata.annotations?.['olm.sourceImage'] === first);
    const folder = mkdtempSync(join(tmpdir(), 'op-sdk-recorded-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const part of ['manifests', 'metadata']) mkdirSync(join(folder, part));
    for (const [name, value] of Object.entries(unpacked.binaryData as Readonly<Record<string, string>>))
      // OLM keeps manifests compressed and, once more, in base64.
      writeFileSync(
        join(folder, 'manifests', name),
        gunzipSync(Buffer.from(Buffer.from(value, 'base64').toString(), 'base64')),
      );
    const annotations = Object.entries(unpacked.metadata.annotations).filter(
      ([name, value]) => name.startsWith('operators.operatorframework.io.bundle.') && value !== '',
    );
    writeFileSync(
      join(folder, 'metadata', 'annotations.yaml'),
      stringify({ annotations: Object.fromEntries(annotations) }),
    );
    const { document } = await renderCatalogBundle({ path: folder, shown: 'bundle' }, first);
    const recorded = parseAllDocuments(textOf(maps.find(isPartition)))
      .map((each): Loose => each.toJS())
      .find(({ schema }) => schema === 'olm.bundle');
    // opm has put the description of the operator in the place of its manifests since.
    const isShared = ({ type }: Loose): boolean => !['olm.bundle.object', 'olm.csv.metadata'].includes(type);
    const withShared = ({ properties, ...rest }: Loose): Loose => ({
      ...rest,
      properties: (properties as readonly Loose[]).filter(isShared),
    });
    expect(parse(stringify(withShared(document)))).toEqual(withShared(recorded));
  });
});

describe('registryPod', () => {
  test('is named by the image, with its end if that is too long', () => {
    expect(registryPodName('Example.com:5000/team/web_bundle:v1.0.0')).toBe(
      'example-com-5000-team-web-bundle-v1-0-0',
    );
    expect(registryPodName(`example.com/web@sha256:a${'0'.repeat(63)}`)).toBe('0'.repeat(63));
    expect(registryPodName(`example.com/-${'a'.repeat(62)}`)).toBe('a'.repeat(62));
  });

  test('has the security context, the pull secret and the ServiceAccount that are asked for', () => {
    const catalog: PodCatalog = {
      ...catalogOf([first], ['---\nname: a\n']),
      securityContext: 'restricted',
      pullSecret: 'pull',
      serviceAccount: 'robot',
      imagePullPolicy: 'IfNotPresent',
    };
    const { spec }: Loose = registryPod(
      catalog,
      catalogConfigMaps({ catalog: 'c', namespace }, catalog.documents),
    );
    expect(spec).toMatchObject({
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      imagePullSecrets: [{ name: 'pull' }],
      serviceAccountName: 'robot',
      containers: [
        {
          imagePullPolicy: 'IfNotPresent',
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
    });
    expect(servingCatalogSource(catalog, { name: 'pod', ip: 'fd00::1' })).toMatchObject({
      spec: {
        address: '[fd00::1]:50051',
        secrets: ['pull'],
        grpcPodConfig: { securityContextConfig: 'restricted' },
      },
    });
  });
});

describe('servingCatalogSource', () => {
  test('takes an image back that somebody else has written', () => {
    const catalog = catalogOf([first], []);
    const pod = { name: 'pod', ip: '10.0.0.1' };
    const specOf = (existing?: Loose) => servingCatalogSource(catalog, pod, existing as never)['spec'];
    expect(specOf({ spec: { image: 'example.com/catalog:1' } })).toMatchObject({ image: '' });
    expect(specOf({ spec: { address: '10.0.0.2:50051' } })).not.toHaveProperty('image');
  });
});

describe('catalogConfigMaps', () => {
  /** A document that has so many bytes when it is compressed, and hardly more. */
  const large = (name: string, bytes: number): string => {
    const blocks = Array.from({ length: bytes / 64 }, (_, index) =>
      createHash('sha512').update(`${name} ${index}`).digest(),
    );
    return `---\nname: ${name}\ndata: ${Buffer.concat(blocks).toString('base64')}\n`;
  };

  test('divides a catalogue between its documents, so that each ConfigMap holds its part', () => {
    const documents = [large('a', 450_000), large('b', 450_000), large('c', 450_000), '---\nname: d\n'];
    const maps = catalogConfigMaps({ catalog: 'web-catalog', namespace }, documents) as Loose[];
    expect(maps.map(({ metadata }) => metadata.name)).toEqual([
      'web-catalog-configmap-partition-1',
      'web-catalog-configmap-partition-2',
    ]);
    for (const { binaryData } of maps)
      expect(Buffer.from(binaryData.extraFBC, 'base64').length).toBeLessThanOrEqual(1024 * 1024);
    expect(maps.map(textOf).join('')).toBe(documents.join(''));
    const owner = { metadata: { name: 'web-catalog', uid: 'u' } };
    const live = maps.map((map) => ({
      ...map,
      metadata: { ...map.metadata, ownerReferences: [owner.metadata] },
    }));
    expect(catalogParts(live.reverse() as never, owner as never).join('')).toBe(documents.join(''));
  });

  test('divides documents that are larger together than each by itself', () => {
    /** Of sixteen characters, half a byte each; the next has others. */
    const document = (index: number): string => {
      const digits = createHash('shake256', { outputLength: 4_000 }).update(`${index}`).digest('hex');
      const other = (digit: string): string =>
        String.fromCharCode('g'.charCodeAt(0) + Number.parseInt(digit, 16));
      return index % 2 === 0 ? digits : digits.replace(/./g, other);
    };
    const documents = Array.from({ length: 230 }, (_, index) => document(index));
    const maps = catalogConfigMaps({ catalog: 'c', namespace }, documents) as Loose[];
    expect(maps.map(({ metadata }) => metadata.name)).toEqual([
      'c-configmap-partition-1',
      'c-configmap-partition-2',
    ]);
    for (const { binaryData } of maps)
      expect(Buffer.from(binaryData.extraFBC, 'base64').length).toBeLessThanOrEqual(1_000_000);
    expect(maps.map(textOf).join('')).toBe(documents.join(''));
  });

  test('names those of a Pod apart from those that another one serves, which are read until it serves', () => {
    const owned = (pod: string | undefined, text: string): Loose[] =>
      (catalogConfigMaps({ catalog: 'c', namespace, pod }, [text]) as Loose[]).map((map) => ({
        ...map,
        metadata: { ...map.metadata, ownerReferences: [{ uid: 'u' }] },
      }));
    const all = [...owned('next', 'new'), ...owned(undefined, 'first'), ...owned('later', 'newer')];
    expect(new Set(all.map(({ metadata }) => metadata.name)).size).toBe(3);
    expect(all[0]?.metadata.name).toMatch(/^c-configmap-partition-[0-9a-f]{8}-1$/);
    const served = (pod: string): Loose => ({
      metadata: {
        name: 'c',
        uid: 'u',
        annotations: { 'operators.operatorframework.io/registry-pod-name': pod },
      },
    });
    expect(catalogParts(all as never, served('first') as never)).toEqual(['first']);
    expect(catalogParts(all as never, served('next') as never)).toEqual(['new']);
    expect(catalogParts(all as never, { metadata: { name: 'c', uid: 'u' } } as never)).toEqual(['first']);
  });

  test('refuses a document that no ConfigMap holds', () => {
    expect(() => catalogConfigMaps({ catalog: 'c', namespace }, [large('web.v1.0.0', 1_000_000)])).toThrow(
      expect.objectContaining({
        code: 'olm/document-too-large',
        message: expect.stringContaining('web.v1.0.0'),
      }),
    );
  });

  test('says which ConfigMap has no catalogue', () => {
    const owner = { metadata: { name: 'c', uid: 'u' } };
    const map = {
      metadata: { name: 'c-configmap-partition-1', namespace, ownerReferences: [owner.metadata] },
    };
    expect(() => catalogParts([map] as never, owner as never)).toThrow(
      expect.objectContaining({ code: 'olm/config-map-unreadable' }),
    );
  });
});
