import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/sdk/api/index.ts';
import { sameContent } from '../../../src/cluster/apply/apply-objects.ts';

const fieldsV1 = {
  'f:metadata': { 'f:labels': { 'f:app': {} } },
  'f:spec': {
    'f:replicas': {},
    'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {}, 'f:name': {} } },
    'f:finalizers': { 'v:"a"': {} },
    'f:selector': {},
  },
};

function deployment(changes: {
  readonly metadata?: object;
  readonly spec?: object;
  readonly fields?: object;
  readonly manager?: string;
  readonly time?: string;
}): KubeObject {
  const { manager = 'op-sdk', fields = fieldsV1, time = '2026-01-01T00:00:00Z' } = changes;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      labels: { app: 'web' },
      ...changes.metadata,
      managedFields: [
        { manager, operation: 'Apply', time, fieldsV1: { ...fields } },
        { manager: 'others', operation: 'Update', time: new Date().toISOString() },
      ],
    },
    spec: {
      replicas: 1,
      containers: [
        { name: 'side', image: 'side:1' },
        { name: 'web', image: 'web:1', pullPolicy: 'Always' },
      ],
      finalizers: ['b', 'a'],
      selector: { matchLabels: { app: 'web' } },
      ...changes.spec,
    },
    status: { replicas: Math.random() },
  } as KubeObject;
}

describe('whether an apply changed nothing', () => {
  const before = deployment({});
  test.each<[string, Parameters<typeof deployment>[0]]>([
    ['nothing', {}],
    ['the time of the apply, as of a ValidatingAdmissionPolicy', { time: '2026-01-01T00:00:04Z' }],
    [
      'an annotation and a label of others',
      { metadata: { annotations: { revision: '1' }, labels: { app: 'web', b: '1' } } },
    ],
    [
      'an item of others, another order, and a field of others in an own item',
      {
        spec: {
          containers: [
            { name: 'web', image: 'web:1', pullPolicy: 'Never' },
            { name: 'side', image: 'side:2' },
          ],
          finalizers: ['a', 'c'],
        },
      },
    ],
  ])('yes: %s', (_, changes) => {
    expect(sameContent(before, deployment(changes), 'op-sdk')).toBe(true);
  });

  test.each<[string, Parameters<typeof deployment>[0]]>([
    ['an own label', { metadata: { labels: { app: 'next' } } }],
    ['an own field', { spec: { replicas: 2 } }],
    ['an own field of an item', { spec: { containers: [{ name: 'web', image: 'web:2' }] } }],
    ['an own item that is gone', { spec: { containers: [{ name: 'side', image: 'side:1' }] } }],
    ['an own value that is gone', { spec: { finalizers: ['b'] } }],
    ['a map that is owned as a whole', { spec: { selector: { matchLabels: { app: 'web', b: '1' } } } }],
    ['other fields that are owned', { fields: { 'f:spec': { 'f:replicas': {} } } }],
    ['fields that are owned no longer', { fields: {} }],
  ])('no: %s', (_, changes) => {
    expect(sameContent(before, deployment(changes), 'op-sdk')).toBe(false);
  });

  test('where the server does not keep owners, all but the status counts', () => {
    const unowned = (changes: Parameters<typeof deployment>[0]): KubeObject =>
      deployment({ ...changes, manager: 'somebody' });
    expect(sameContent(unowned({}), unowned({}), 'op-sdk')).toBe(true);
    expect(sameContent(unowned({}), unowned({ spec: { replicas: 2 } }), 'op-sdk')).toBe(false);
    expect(sameContent(unowned({}), unowned({ metadata: { annotations: { a: '1' } } }), 'op-sdk')).toBe(
      false,
    );
  });
});

test('what nobody sees again is judged by what it has made', () => {
  const secret = (data: object): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'web',
      managedFields: [
        { manager: 'op-sdk', operation: 'Apply', fieldsV1: { 'f:stringData': { 'f:password': {} } } },
      ],
    },
    ...{ data },
  });
  expect(sameContent(secret({ password: 'YQ==' }), secret({ password: 'YQ==' }), 'op-sdk')).toBe(true);
  expect(sameContent(secret({ password: 'YQ==' }), secret({ password: 'Yg==' }), 'op-sdk')).toBe(false);
});
