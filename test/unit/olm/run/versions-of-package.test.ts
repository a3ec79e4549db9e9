import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { versionsOfPackage } from '../../../../src/olm/run/cleanup/package-objects.ts';
import { packageLabel } from '../../../../src/olm/run/cleanup/auth-readers.ts';

const label = packageLabel('web', 'web');
const csv = (name: string, packageName?: string): KubeObject => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  metadata: {
    name,
    ...(packageName === undefined ? {} : { labels: { [packageLabel(packageName, 'web')]: '' } }),
  },
});
const subscription = (status: object, spec: object = {}): KubeObject =>
  ({
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: { name: 'sub' },
    spec,
    status,
  }) as KubeObject;
const nothing = { label, subscriptions: [], planned: [], others: [], operators: [] };

describe('the ClusterServiceVersions of a package', () => {
  test('are those of its Subscription, of its label and of its InstallPlans, also those to come', () => {
    const names = versionsOfPackage({
      ...nothing,
      subscriptions: [subscription({ installedCSV: 'web.v1.0.0', currentCSV: 'web.v2.0.0' })],
      planned: ['web.v2.0.0', 'later.v1.0.0'],
      operators: [csv('web.v1.0.0'), csv('first.v1', 'web'), csv('else.v1.0.0')],
    });
    expect([...names].sort()).toEqual(['first.v1', 'later.v1.0.0', 'web.v1.0.0', 'web.v2.0.0']);
  });

  test.each([
    ['has the label of its package', { operators: [csv('db.v1.0.0', 'db')] }],
    ['is installed by its Subscription', { others: [subscription({ installedCSV: 'db.v1.0.0' })] }],
    ['is about to be', { others: [subscription({ currentCSV: 'db.v1.0.0' })] }],
    [
      'has a Subscription that OLM has just made',
      { others: [subscription({}, { startingCSV: 'db.v1.0.0' })] },
    ],
    ['has been upgraded since', { others: [subscription({ installedCSV: 'db.v1.1.0' })] }],
  ])('are not those of a dependency in the same InstallPlan, which %s', (_, clues) => {
    const names = versionsOfPackage({ ...nothing, planned: ['web.v1.0.0', 'db.v1.0.0'], ...clues });
    expect([...names]).toEqual(['web.v1.0.0']);
  });
});

test('the label of a package is as long as OLM leaves it', () => {
  expect(packageLabel('web', 'default')).toBe('operators.coreos.com/web.default');
  expect(packageLabel('a'.repeat(62), 'web')).toBe(`operators.coreos.com/${'a'.repeat(62)}`);
});
