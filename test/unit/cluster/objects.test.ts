import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { externalResource } from '../../../src/sdk/api/index.ts';
import {
  titleOf,
  type ClusterObject,
  applyOrder,
  deleteOrder,
} from '../../../src/cluster/objects/cluster-object.ts';
import { defaultImageWarnings, imageNotUsed, replaceImage } from '../../../src/cluster/operator-image.ts';
import { durationText } from '../../../src/base/util/duration-text.ts';
import { poll } from '../../../src/sdk/net/index.ts';
import type { PlacedObject } from '../../../src/kubernetes/yaml/manifest-object.ts';

function object(apiVersion: string, kind: string): ClusterObject {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const resource = externalResource({
    group,
    version,
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: 'Namespaced',
  });
  return {
    object: { apiVersion, kind, metadata: { name: 'x' } },
    where: { file: 'x.yaml' },
    resource,
    key: { name: 'x' },
    served: true,
    title: titleOf(resource, 'x'),
  };
}
const ordered = [
  object('v1', 'Namespace'),
  object('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
  object('v1', 'ServiceAccount'),
  object('rbac.authorization.k8s.io/v1', 'ClusterRole'),
  object('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'),
  object('v1', 'ConfigMap'),
  object('v1', 'Service'),
  object('apps/v1', 'Deployment'),
  object('serving.example.com/v1', 'Service'),
  object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
];
const titles = (objects: readonly ClusterObject[]): readonly string[] => objects.map(({ title }) => title);

describe('the order of objects', () => {
  test('is the same however they come', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ordered, { minLength: ordered.length }), (shuffled) => {
        expect(titles(applyOrder(shuffled))).toEqual(titles(ordered));
      }),
    );
  });

  test('of deletion lets the operator finish its objects', () => {
    expect(titles(deleteOrder(ordered))).toEqual([
      'service.serving.example.com/x',
      'customresourcedefinition.apiextensions.k8s.io/x',
      'validatingwebhookconfiguration.admissionregistration.k8s.io/x',
      'deployment.apps/x',
      'service/x',
      'configmap/x',
      'clusterrolebinding.rbac.authorization.k8s.io/x',
      'clusterrole.rbac.authorization.k8s.io/x',
      'serviceaccount/x',
      'namespace/x',
    ]);
  });
});

describe('images', () => {
  const workload = (kind: string, spec: object): PlacedObject => ({
    object: { apiVersion: 'v1', kind, metadata: { name: 'x' }, spec },
    where: { file: 'x.yaml', line: 1 },
  });
  const withImage = (image: string): readonly PlacedObject[] => [
    workload('Service', { ports: [] }),
    workload('Deployment', { template: { spec: { containers: [{ image: 'other' }, { image }] } } }),
  ];

  test('that are still the default are reported', () => {
    expect(defaultImageWarnings(withImage('controller:latest'))).toEqual([
      expect.objectContaining({ code: 'cluster/default-image', where: { file: 'x.yaml', line: 1 } }),
    ]);
    expect(defaultImageWarnings(withImage('example.com/controller:latest'))).toEqual([]);
    const job = {
      jobTemplate: { spec: { template: { spec: { initContainers: [{ image: 'controller' }] } } } },
    };
    expect(defaultImageWarnings([workload('CronJob', job)])).toHaveLength(1);
    expect(
      defaultImageWarnings([workload('Pod', { containers: [{ image: 'controller:latest' }] })]),
    ).toHaveLength(1);
  });

  test('that nobody uses are reported', () => {
    expect(imageNotUsed(withImage('example.com/a:v1'), 'example.com/a')).toBeUndefined();
    expect(imageNotUsed(withImage('example.com/ab:v1'), 'example.com/a')?.code).toBe(
      'cluster/image-not-used',
    );
  });

  test.each([
    ['controller:latest', 'example.com:5000/a:v1', 'example.com:5000/a:v1'],
    ['controller:latest', 'example.com:5000/a', 'example.com:5000/a:latest'],
    ['controller@sha256:00', 'example.com/a@sha256:11', 'example.com/a@sha256:11'],
    ['controllers:latest', 'example.com/a:v1', 'controllers:latest'],
  ])('%s is replaced by %s', (present, image, expected) => {
    const objects = withImage(present);
    const before = structuredClone(objects);
    expect(replaceImage(objects, 'controller', image)).toEqual(withImage(expected));
    expect(objects).toEqual(before);
  });
});

test('polling looks at least once, and ends with what it sees, the time, or the signal', async () => {
  let looks = 0;
  const third = (): Promise<string | undefined> => Promise.resolve((looks += 1) === 3 ? 'seen' : undefined);
  expect(await poll(third, { timeout: 60_000, interval: 1 })).toBe('seen');
  expect(looks).toBe(3);
  expect(await poll(() => Promise.resolve(undefined), { timeout: 0 })).toBeUndefined();
  const reason = new Error('stop');
  const stop = new AbortController();
  const endless = poll(
    () => {
      stop.abort(reason);
      return Promise.resolve(undefined);
    },
    { timeout: 60_000, interval: 60_000, signal: stop.signal },
  );
  await expect(endless).rejects.toBe(reason);
});

test.each([
  [100, '100ms'],
  [90_000, '1m30s'],
  [120_000, '2m'],
  [5_000, '5s'],
])('%i ms are %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});
