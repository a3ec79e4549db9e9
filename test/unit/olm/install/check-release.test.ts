import { describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import type { OlmVersion } from '../../../../src/olm/catalog/index.ts';
import { checkRelease, releaseMajors, olmFacts } from '../../../../src/olm/install/index.ts';
import { readManifest, type PlacedObject } from '../../../../src/kubernetes/yaml/index.ts';

/** The least that counts as a release. */
function release(
  olm: OlmVersion,
  options: { readonly image?: string; readonly namespace?: string } = {},
): object[] {
  const { crds, deployments } = olmFacts[olm];
  const { image = 'quay.io/x/y:v1.2.3', namespace = olmFacts[olm].namespace } = options;
  return [
    ...crds.map((name) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
    })),
    ...deployments.map((name) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace },
      spec: { template: { spec: { containers: [{ name: 'main', image }] } } },
    })),
  ];
}

const placed = (documents: readonly object[]): readonly PlacedObject[] =>
  readManifest(documents.map((each) => JSON.stringify(each)).join('\n---\n'), 'all.yaml');

function messagesOf(olm: OlmVersion, documents: readonly object[]): readonly string[] {
  try {
    checkRelease(olm, placed(documents));
    return [];
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    expect(new Set(error.findings.map(({ code }) => code))).toEqual(new Set(['olm/invalid-manifests']));
    return error.findings.map(({ message }) => message);
  }
}

describe('the manifests of a release', () => {
  test.each(['v0', 'v1'] as const)('of OLM %s are taken', (olm) => {
    expect(checkRelease(olm, placed(release(olm)))).toMatchObject({
      olm,
      version: '1.2.3',
      namespace: olmFacts[olm].namespace,
    });
    expect(releaseMajors(placed(release(olm)))).toEqual([olm]);
  });

  test('both together are taken for each', () => {
    const both = [...release('v0'), ...release('v1')];
    expect(releaseMajors(placed(both))).toEqual(['v0', 'v1']);
    expect(messagesOf('v0', both)).toEqual([]);
    expect(messagesOf('v1', both)).toEqual([]);
  });

  test('are refused with each object that is missing', () => {
    const all = release('v0');
    expect(messagesOf('v0', all.slice(1, -1))).toEqual([
      'the manifests of OLM v0 lack the CustomResourceDefinition catalogsources.operators.coreos.com',
      'the manifests of OLM v0 lack the Deployment catalog-operator',
    ]);
  });

  test('of the other OLM are refused in one sentence', () => {
    expect(messagesOf('v0', release('v1'))).toEqual([
      'expected the manifests of OLM v0, got those of OLM v1',
    ]);
  });

  test('of something else are refused', () => {
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
    expect(messagesOf('v1', [settings])).toHaveLength(4);
  });
});

describe('the version of a release', () => {
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: 'packageserver', namespace: 'olm' },
    spec: { version: '0.46.0' },
  };
  const versionOf = (documents: readonly object[]) => checkRelease('v0', placed(documents)).version;

  test('is that of the package server, wherever it is in the file', () => {
    expect(versionOf([...release('v0'), csv])).toBe('0.46.0');
  });

  test.each([
    ['quay.io/olm/olm:v0.30.0', '0.30.0'],
    ['localhost:5000/olm:v0.30.0-rc.1', '0.30.0-rc.1'],
    ['quay.io/olm/olm:v0.30.0@sha256:e74b', '0.30.0'],
    ['quay.io/olm/olm@sha256:e74b', undefined],
    ['quay.io/olm/olm:latest', undefined],
    ['localhost:5000/olm', undefined],
  ])('of the image %s is %s', (image, version) => {
    expect(versionOf(release('v0', { image }))).toBe(version);
  });

  test('the namespace is that of its Deployment', () => {
    const objects = placed(release('v0', { namespace: 'other' }));
    expect(checkRelease('v0', objects).namespace).toBe('other');
  });
});

test('releases are downloaded from their projects', () => {
  expect(olmFacts.v0.releaseUrls('0.46.0')).toEqual([
    'https://github.com/operator-framework/operator-lifecycle-manager/releases/download/v0.46.0/crds.yaml',
    'https://github.com/operator-framework/operator-lifecycle-manager/releases/download/v0.46.0/olm.yaml',
  ]);
  expect(olmFacts.v1.releaseUrls('1.11.0')).toEqual([
    'https://github.com/operator-framework/operator-controller/releases/download/v1.11.0/operator-controller.yaml',
    'https://github.com/operator-framework/operator-controller/releases/download/v1.11.0/default-catalogs.yaml',
  ]);
});
