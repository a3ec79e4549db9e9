// The objects of an installation whose catalogue is an image, beside those by which OLM was seen to install such a one.
import { describe, expect, test } from 'vitest';
import { objectsOfV0, objectsOfV1 } from '../../../../src/olm/run/run-objects.ts';
import { runNames } from '../../../../src/olm/run/run-names.ts';
import type { Loose } from '../bundle/objects.ts';
import { hasRecordings, recordedEvents, recordedObjects, skipReason } from './recording.ts';

const csv = 'nginx-operator.v0.0.1';
const target = (namespace: string, catalogImage: string) => ({
  ...{ names: runNames('nginx-operator', csv), packageName: 'nginx-operator', csv },
  ...{ version: '0.0.1', namespace, catalogImage },
});

/** An object as it was created. */
function created(recording: string, kind: string): Loose {
  return recordedEvents(recording).find((event) => event.kind === kind && event.type === 'ADDED')?.object;
}

test('an address of a Pod of operator-sdk does not stay beside the image', () => {
  const mode = { type: 'AllNamespaces', targets: undefined } as const;
  const settings = { group: { mode, name: 'g', isNew: false }, securityContext: 'restricted' } as const;
  const specWith = (existing: Loose): Loose =>
    (objectsOfV0(target('a', 'example.com/catalog:1'), { ...settings, existing })[0] as Loose).spec;
  expect(specWith({ spec: { address: '10.0.0.1:50051' } }).address).toBe('');
  expect(specWith({ spec: {} })).not.toHaveProperty('address');
});

describe.skipIf(!hasRecordings)(`objects of run bundle${skipReason}`, () => {
  test('for OLM v0', () => {
    const source = created('v0-catalog-install', 'CatalogSource');
    const mode = { type: 'OwnNamespace', targets: ['s-own'] } as const;
    const [ours, group, subscription] = objectsOfV0(target('s-own', source.spec.image), {
      group: { mode, name: 'operator-sdk-og', isNew: true },
      securityContext: 'restricted',
    }) as Loose[];
    expect({ ...ours.spec, displayName: '', publisher: '' }).toEqual({
      ...source.spec,
      displayName: '',
      publisher: '',
    });
    const theirs = created('v0-sdk-run-bundle-ownnamespace', 'OperatorGroup');
    expect({ ...group.spec, upgradeStrategy: 'Default' }).toEqual(theirs.spec);
    expect(group.metadata.name).toBe(theirs.metadata.name);
    const [recorded] = recordedObjects('v0-sdk-run-bundle', 'subscription');
    expect(subscription.metadata.name).toBe(recorded.metadata.name);
    expect(subscription.spec).toEqual({ ...recorded.spec, sourceNamespace: 's-own' });
  });

  test('for OLM v1', () => {
    const catalog = created('v1-install', 'ClusterCatalog');
    const [ours, extension] = objectsOfV1(target('v1-demo', catalog.spec.source.image.ref)) as Loose[];
    // The image is named by its digest, so that nothing has to be polled.
    const { pollIntervalMinutes, ...image } = catalog.spec.source.image;
    expect(pollIntervalMinutes).toBeDefined();
    expect(ours.spec).toEqual({ source: { type: 'Image', image } });
    const { serviceAccount, ...spec } = created('v1-install', 'ClusterExtension').spec;
    // OLM v1 no longer uses it.
    expect(serviceAccount).toBeDefined();
    const selector = { matchLabels: { 'olm.operatorframework.io/metadata.name': ours.metadata.name } };
    const own = { channels: ['operator-sdk-run-bundle'], version: '0.0.1', selector };
    expect(extension.spec).toEqual({
      ...spec,
      source: { ...spec.source, catalog: { ...spec.source.catalog, ...own } },
    });
  });
});
